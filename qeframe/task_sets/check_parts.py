"""Whether the parts of a profile name registered components and fit each other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.reader import Reader
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import QeframeError, did_you_mean
from qeframe.core.profiles.resolved import reader_with
from qeframe.core.profiles.schema import DEFAULT, OVERALL, PartRule, Profile
from qeframe.task_sets.part_tables import part_rules

_PAIR = "pair"
_DEFAULTS = Profile(reader="", primary=OVERALL)


def incompatible_parts(profile: Profile, registry: Registry, reads: bool) -> list[str]:
    """Find what is wrong with the parts of a profile whose keys have the right types."""
    if not profile.parts:
        keys = ("overall", "divide", "exchanges")
        return [f"{key}: there are no parts" for key in keys if getattr(profile, key) != getattr(_DEFAULTS, key)]
    rules, wrong = part_rules(profile), list[str]()
    for rule in rules:
        unregistered = list(_unregistered(profile, rule, registry, reads=reads))
        mistakes = unregistered or list(_unusable(rule, registry.get(Metric, rule.metric)))
        wrong += [f"parts: table {rule.table}: {mistake}" for mistake in mistakes]
    return list(dict.fromkeys(wrong)) or list(_wrong_set(profile, rules))


def _unregistered(profile: Profile, rule: PartRule, registry: Registry, *, reads: bool) -> Iterator[str]:
    named: list[tuple[type, object]] = [(Metric, rule.metric)]
    named += [(SignificanceTest, rule.test)] if rule.test and rule.test != DEFAULT else []
    named += [(Reader, reader_with(profile, rule))] if reads else []
    for kind, name in named:
        try:
            registry.get(kind, name)  # type: ignore[arg-type]  # each is a component, by name or by call
        except QeframeError as error:
            yield str(error)


def _unusable(rule: PartRule, metric: Metric) -> Iterator[str]:
    """Yield why the scores of a metric cannot be pooled, or have no place on the scale of the part.

    A scale whose best score is the worse one of the metric would turn the overall score around.
    """
    if rule.pool and metric.outcomes is None and metric.per_unit is None:
        yield (
            f"'{metric.name}' cannot be pooled over language pairs: it is neither a mean over pairs nor a mean of one "
            "value per unit; leave out pool"
        )
    if rule.scale is None:
        if not all(map(math.isfinite, metric.bounds)):
            yield f"'{metric.name}' has no bounds, so that its scores have no scale; give scale = [WORST, BEST]"
    elif (rule.scale[1] > rule.scale[0]) != metric.higher_is_better:
        worst, best = rule.scale
        better = "higher" if metric.higher_is_better else "lower"
        yield (
            f"scale = [WORST, BEST] of '{metric.name}' is [{worst:g}, {best:g}], but {better} is better; "
            f"write [{best:g}, {worst:g}]"
        )


def _wrong_set(profile: Profile, rules: list[PartRule]) -> Iterator[str]:
    """Yield what is wrong with the parts together: their weights, and the tests that clusters need."""
    known = list(dict.fromkeys([_PAIR, *(label for rule in rules for label in rule.labels)]))
    for level in profile.divide:
        if level not in known:
            yield f"divide: no part has '{level}', {did_you_mean(level, known)}"
    if profile.divide and any("weight" in table for table in profile.parts):
        yield "parts: weights are divided by 'divide'; leave out weight"
    if not profile.divide and not any(rule.weight for rule in rules):
        yield "parts: the weights sum to 0; give a part a positive weight"
    if profile.overall == "cluster_ranks" and not (profile.test and all(rule.test != "" for rule in rules)):
        yield "overall: cluster ranks need a test of every part; set a test, or overall=mean"
