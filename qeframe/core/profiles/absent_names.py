"""Names in a profile that match nothing in the data: a mistake where the user set them, else a count.

A registered profile lists the baselines or language pairs of a whole shared task; data may have some of them only.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence

import attrs

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.task import Dropped, is_pair


def with_names_of_tasks(resolved: ResolvedProfile, names: Sequence[str]) -> tuple[ResolvedProfile, tuple[Dropped, ...]]:
    """Return the rules without weights and exclusions of tasks that are not there, and the count of these.

    An exclusion with an asterisk, such as ``*-out``, excludes all tasks whose names it matches. An exclusion of a
    language pair is not counted where all tasks are language pairs: data may have some of the pairs alone.

    Raises DataError if the user set such a weight or exclusion.
    """
    profile, across = resolved.profile, resolved.across
    unweighted = sorted(set(profile.weights) - set(names))
    matched = {pattern: fnmatch.filter(names, pattern) if "*" in pattern else [] for pattern in across.exclude}
    unknown = sorted(pattern for pattern in across.exclude if not (pattern in names or matched[pattern]))
    for key, absent, stated in (("weights", unweighted, "given a weight"), ("across", unknown, "excluded")):
        if absent and profile.set_by_user(key):
            what = f"task '{absent[0]}' is {stated}, but there is no such task"
            raise DataError(what, path=profile.file_of(key), remedy=did_you_mean(absent[0], names))
    if all(map(is_pair, names)):
        unknown = [name for name in unknown if not is_pair(name)]
    notes = tuple(
        Dropped("", what, 1, f"of task {name}: named by the profile, there is no such task")
        for what, names_of in (("weight", unweighted), ("exclusion", unknown))
        for name in names_of
    )
    excluded = tuple(name for name in names if any(name == key or name in named for key, named in matched.items()))
    if not notes and excluded == across.exclude:
        return resolved, ()
    weights = {name: weight for name, weight in profile.weights.items() if name in names}
    return attrs.evolve(
        resolved, profile=attrs.evolve(profile, weights=weights), across=attrs.evolve(across, exclude=excluded)
    ), notes


def refuse_absent(profile: Profile, key: str, absent: Sequence[str], known: Iterable[str], where: str) -> None:
    """Raise a `DataError` if the user set names under a key of a profile, and the first of them is absent."""
    if absent and profile.set_by_user(key):
        what = f"{key}: '{absent[0]}' is {where}"
        raise DataError(what, path=profile.file_of(key), remedy=did_you_mean(absent[0], known))
