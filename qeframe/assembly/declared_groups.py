"""Groups of units that a task declares, such as documents: resampled by rules of one's own, and told by others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from qeframe.assembly.scoreboard import Scoreboard
from qeframe.core.contest import Contest
from qeframe.core.errors import CapabilityError
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.task import Task

FEWEST_GROUPS = 10
"""With fewer groups a resampling of groups says little."""

_NAMES = ("document", "doc")
"""Which grouping is taken where a task declares several."""

_SHARE = 0.01
"""In how many data sets of independent units the variance of one pair by group is called too large."""


def resample_declared_groups(resolved: ResolvedProfile, tasks: Sequence[Task]) -> ResolvedProfile:
    """Return a profile that resamples the groups that all tasks declare, where its rules are no task's and no user's.

    Each task has at least ten groups, and some have several units.
    """
    profile = resolved.profile
    if profile.year or profile.parts or profile.resample != "unit" or profile.set_by_user("resample") or not tasks:
        return resolved
    name = _grouping(tasks)
    if not name or any(len(set(task.groups[name])) < FEWEST_GROUPS for task in tasks):
        return resolved
    return attrs.evolve(resolved, profile=attrs.evolve(profile, resample=name))


def _grouping(tasks: Sequence[Task]) -> str:
    """Return the grouping into several units that all tasks have: the only one, or that of documents; else empty."""
    found = [
        name
        for name in tasks[0].groups
        if all(1 < len(set(task.groups.get(name, ()))) < len(task.groups.get(name, ())) for task in tasks)
    ]
    named = [name for name in _NAMES if name in found]
    return found[0] if len(found) == 1 else named[0] if named else ""


def remarks_on_groups(scoreboard: Scoreboard, resolved: ResolvedProfile) -> Iterator[str]:
    """Yield that declared groups are resampled, or that units within them depend, in each task."""
    resample, profile = resolved.profile.resample, resolved.profile
    declared = not profile.year and not profile.set_by_user("resample")
    for entry in scoreboard.entries:
        (task,), contest = entry.tasks, entry.contest
        for name, labels in task.groups.items():
            count = len(set(labels))
            if declared and resample == name:
                yield (
                    f"units of one {name} may depend: the {count} groups of {task.name} are resampled; "
                    "--set resample=unit takes single units"
                )
            elif resample == "unit" and 1 < count < len(labels) and (ratio := _dependence(contest, labels)):
                few = f", of which there are only {count}" if count < FEWEST_GROUPS else ""
                yield (
                    f"units of one {name} depend on {task.name}: by {name}{few}, the variance of a difference is "
                    f"{ratio:.1f} times that of single units, which p assumes; --set resample={name}"
                )


def _dependence(contest: Contest, labels: Sequence[str]) -> float:
    """Return how many times larger the variance of a difference is by groups than by units; 0 if that can be chance.

    It is the median over the pairs. Of independent units the ratio is about a chi-square over its degrees of freedom,
    which are (sum of n_g)^2 / sum of n_g^2 with groups of n_g units.
    """
    from scipy.special import chdtri

    if not contest.smooth or len(contest.oriented) < 2 or sum(contest.sizes) != len(labels):
        return 0.0
    try:
        left_out = contest.jackknife()
    except CapabilityError:
        return 0.0
    first, second = contest.pairs
    _, group, sizes = np.unique(np.asarray(labels), return_inverse=True, return_counts=True)
    away = left_out - left_out.mean(axis=0)
    sums = np.zeros((len(sizes), away.shape[1]))
    np.add.at(sums, group, away)
    by_unit, by_group = (((side[:, first] - side[:, second]) ** 2).sum(axis=0) for side in (away, sums))
    known = np.isfinite(by_unit) & np.isfinite(by_group) & (by_unit > 0)
    if not known.any():
        return 0.0
    ratio = float(np.median(by_group[known] / by_unit[known]))
    freedom = float(sizes.sum() ** 2 / (sizes**2).sum())
    return ratio if ratio > chdtri(freedom, _SHARE) / freedom else 0.0
