"""Names in a profile that match nothing in the data: a mistake where the user set them, else a count.

A registered profile lists the baselines or language pairs of a whole shared task; data may have some of them only.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from os import PathLike

import attrs

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.reading import Reading
from qeframe.core.tasks.task import Dropped, Task, is_pair


def with_names_in_readings(
    profile: Profile, readings: Sequence[Reading], path: str | PathLike[str] | None = None
) -> list[Reading]:
    """Return readings that count the computed metrics without texts, and the reader's names that no reading has.

    Parameters
    ----------
    path : path, optional
        What was read, for messages.

    Raises
    ------
    DataError
        If the user set these names: if no reading has texts, or a name in the reader's parameters is in none of them.
    """
    counted = [_with_note(reading, _without_texts(profile, reading)) for reading in readings]
    if not readings:
        return counted
    if profile.computed and profile.set_by_user("computed") and all(reading.texts is None for reading in readings):
        what = f"computed: there are no texts from which {', '.join(profile.computed)} could be computed"
        raise DataError(what, path=path, remedy="give the texts of the systems and references, or set computed=[]")
    absent = _absent_everywhere(profile, readings)
    reason = f"named by the profile's reader, in no file: {', '.join(absent)}"
    return [*counted[:-1], _with_note(counted[-1], Dropped("", "name", len(absent), reason))]


def with_names_of_submissions(profile: Profile, tasks: Sequence[Task]) -> list[Task]:
    """Return tasks; the last one counts the baselines that no task has. Raise a `DataError` if the user set them."""
    names = {submission.name for task in tasks for submission in task.batches}
    absent = [name for name in dict.fromkeys(profile.baselines) if name not in names]
    if not (tasks and absent):
        return list(tasks)
    _refuse(profile, "baselines", absent, names, "the name of no submission")
    reason = f"listed by the profile but of no submission: {', '.join(absent)}"
    last = tasks[-1]
    note = Dropped("", "baseline name", len(absent), reason)
    return [*tasks[:-1], attrs.evolve(last, dropped=(*last.dropped, note))]


def with_names_of_tasks(resolved: ResolvedProfile, names: Sequence[str]) -> tuple[ResolvedProfile, tuple[Dropped, ...]]:
    """Return the rules without weights and exclusions of tasks that are not there, and the count of these.

    An exclusion with an asterisk, such as ``*-out``, excludes all tasks whose names it matches. An exclusion of a
    language pair is not counted where all tasks are others: nothing is evaluated otherwise than the profile says.

    Raises
    ------
    DataError
        If the user set such a weight or exclusion.
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
    excluded = tuple(name for name in names if any(name == key or name in found for key, found in matched.items()))
    if not notes and excluded == across.exclude:
        return resolved, ()
    weights = {name: weight for name, weight in profile.weights.items() if name in names}
    return attrs.evolve(
        resolved, profile=attrs.evolve(profile, weights=weights), across=attrs.evolve(across, exclude=excluded)
    ), notes


def refuse_absent_pairs(profile: Profile, pairs: Iterable[str], there: Sequence[str]) -> None:
    """Raise a `DataError` if the user set parts, and one of their language pairs is the name of no task."""
    absent = [pair for pair in pairs if pair not in there]
    _refuse(profile, "parts", absent, dict.fromkeys(there), "the name of no language pair in the data")


def _refuse(profile: Profile, key: str, absent: Sequence[str], known: Iterable[str], where: str) -> None:
    if absent and profile.set_by_user(key):
        what = f"{key}: '{absent[0]}' is {where}"
        raise DataError(what, path=profile.file_of(key), remedy=did_you_mean(absent[0], known))


def _absent_everywhere(profile: Profile, readings: Sequence[Reading]) -> list[str]:
    """Return the names in the reader's parameters that no reading has. Raise a `DataError` if the user set them."""
    found: list[str] = []
    for parameter, names in readings[0].unmatched.items():
        absent = [name for name in names if all(name in reading.unmatched.get(parameter, ()) for reading in readings)]
        if absent and profile.set_by_user("reader"):
            known = {name for reading in readings for name in reading.known.get(parameter, ())}
            what = f"{parameter}: '{absent[0]}' is in no file of scores or judgments"
            raise DataError(what, path=profile.file_of("reader"), remedy=did_you_mean(absent[0], known))
        found += absent
    return list(dict.fromkeys(found))


def _without_texts(profile: Profile, reading: Reading) -> Dropped:
    metrics = profile.computed if reading.texts is None else ()
    return Dropped(reading.name, "computed metric", len(metrics), f"no texts: {', '.join(metrics)}")


def _with_note(reading: Reading, note: Dropped) -> Reading:
    return attrs.evolve(reading, dropped=(*reading.dropped, note)) if note.count else reading
