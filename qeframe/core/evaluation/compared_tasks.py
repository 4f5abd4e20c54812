"""Which submission is better than which in each task: by the rules of a profile, and by its valid ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import attrs
import numpy as np

from qeframe.core.batches.base import BoolArray
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.supplement import ComparedTask
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.comparison import compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules, comparison_rules
from qeframe.core.evaluation.scoreboard import Scoreboard
from qeframe.core.profiles.defaults import by_valid_rules
from qeframe.core.profiles.resolved import ResolvedProfile, resolve


def is_shown(resolved: ResolvedProfile, rules: ComparisonRules | None) -> bool:
    """Return whether there are clusters by other rules: those of the profile claim differences, some of them false."""
    return rules is not None and not rules.controls_any_error and bool(resolved.profile.valid.get("shown", True))


def valid_profile(
    resolved: ResolvedProfile, rules: ComparisonRules | None, registry: Registry
) -> ResolvedProfile | None:
    """Return a profile with its valid rules in place of its own; None where they are not shown."""
    if not is_shown(resolved, rules):
        return None
    valid = resolve(by_valid_rules(resolved.profile, registry), registry, reads=False)
    return attrs.evolve(valid, adaptive=resolved.adaptive)


def compared_tasks(
    resolved: ResolvedProfile,
    scoreboard: Scoreboard,
    comparisons: Sequence[Comparison],
    rules: ComparisonRules | None,
    registry: Registry,
) -> list[ComparedTask]:
    """Return the submissions of each task under the primary metric, and which is better than which.

    `comparisons`: those by the rules of the profile, which are `rules`; None without a test.
    """
    profile = valid_profile(resolved, rules, registry)
    valid = None if profile is None else comparison_rules(profile, profile.test)
    metric, single, found = scoreboard.metrics[0].name, len(scoreboard.tasks) == 1, list[ComparedTask]()
    for task, (contest, _) in zip(scoreboard.tasks, scoreboard.contests[0].by_task(), strict=True):
        names = [submission.name for submission in task.batches]
        own = [pair for pair in comparisons if pair.task == ("" if single else task.name) and pair.metric == metric]
        by_valid = None
        with suppress(CapabilityError):
            if valid is not None:
                of_valid = compare_pairs(contest, names, valid, metric=metric)
                by_valid = None if of_valid.is_untested else of_valid.better
        better = None if rules is None else _better_of(own, names)
        found.append(
            ComparedTask(
                name=task.name, submissions=names, contest=contest, groups=task.groups, better=better, valid=by_valid
            )
        )
    return found


def _better_of(comparisons: Sequence[Comparison], names: Sequence[str]) -> BoolArray | None:
    """Return which submission is significantly better than which, (S, S); None if the test is undefined everywhere."""
    if comparisons and all(np.isnan(comparison.p) for comparison in comparisons):
        return None
    better = np.zeros((len(names), len(names)), dtype=np.bool_)
    for comparison in comparisons:
        better[names.index(comparison.a), names.index(comparison.b)] = comparison.significant
    return better
