"""The selections of a task set: the parts that are computed from one reading, as a profile of their metrics."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.profile import PartRule, Profile
from qeframe.core.profile_tables import part_rules
from qeframe.core.registry import Registry
from qeframe.core.resolve import chosen_metrics
from qeframe.core.task import Task

__all__ = ["by_selection"]


def by_selection(
    profile: Profile, tasks: Sequence[Task], registry: Registry, metrics: Sequence[str] = ()
) -> list[tuple[Profile, list[Task], tuple[str, ...]]]:
    """Return the rules, the tasks and the metrics of each selection that tasks were read by.

    Parameters
    ----------
    profile : Profile
        A profile without parts has one selection, all.
    tasks : sequence of Task
    registry : Registry
    metrics : sequence of str
        Those that are asked for. Of a task set they must be metrics of its parts.

    Returns
    -------
    list of (Profile, list of Task, tuple of str)
        The profile has no parts; its title names the level. Without `metrics` the last is empty, and the metrics are
        those of the profile.

    Raises
    ------
    UnknownNameError
        If no part of a task set has a metric that is asked for.
    DataError
        If no task is one that the parts read.
    """
    if not profile.parts:
        return [(profile, list(tasks), tuple(metrics))]
    by_reading: dict[str, list[PartRule]] = {}
    for rule in part_rules(profile):
        by_reading.setdefault(rule.selection, []).append(rule)
    asked = [metric.name for metric in chosen_metrics(metrics, registry)]
    known = [metric.name for metric in chosen_metrics([rule.metric for rule in part_rules(profile)], registry)]
    for name in asked:
        if name not in known:
            raise UnknownNameError(f"metric of the parts of '{profile.name}'", name, known)
    found = []
    for selection, rules in by_reading.items():
        primary, *others = [metric.name for metric in chosen_metrics([rule.metric for rule in rules], registry)]
        pairs = {pair for rule in rules for pair in rule.pairs} if all(rule.pairs for rule in rules) else None
        read = [t for t in tasks if t.selection == selection and (pairs is None or t.name in pairs)]
        own = tuple(name for name in asked if name in (primary, *others))
        if read and (own or not asked):
            level = ", ".join(dict.fromkeys(rule.level or selection for rule in rules))
            rules_of_one = attrs.evolve(
                profile,
                title=f"{profile.title or profile.name}, {level}",
                parts=(),
                divide=(),
                exchanges="joint",
                primary=primary,
                secondary=tuple(others),
            )
            found.append((rules_of_one, read, own))
    if not found:
        raise DataError(f"no task is of the parts of '{profile.name}'", remedy="check the pairs of the parts")
    return found
