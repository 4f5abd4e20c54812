"""Names in a profile that match nothing in what was read: a mistake where the user set them, else a count."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import attrs

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.profiles.absent_names import refuse_absent
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.reading import Reading
from qeframe.core.tasks.task import Dropped, Task


def with_names_in_readings(
    profile: Profile, readings: Sequence[Reading], path: str | PathLike[str] | None = None
) -> list[Reading]:
    """Return readings that count the computed metrics without texts, and the reader's names that no reading has.

    `path`: what was read, for messages. Raises DataError if the user set these names: if no reading has texts, or a
    name in the reader's parameters is in none of them.
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
    refuse_absent(profile, "baselines", absent, names, "the name of no submission")
    reason = f"listed by the profile but of no submission: {', '.join(absent)}"
    last = tasks[-1]
    note = Dropped("", "baseline name", len(absent), reason)
    return [*tasks[:-1], attrs.evolve(last, dropped=(*last.dropped, note))]


def _absent_everywhere(profile: Profile, readings: Sequence[Reading]) -> list[str]:
    """Return the names in the reader's parameters that no reading has. Raise a `DataError` if the user set them."""
    found: list[str] = []
    for parameter, names in readings[0].unmatched.items():
        absent = [name for name in names if all(name in reading.unmatched.get(parameter, ()) for reading in readings)]
        if absent and profile.set_by_user("reader"):
            present = {name for reading in readings for name in reading.known.get(parameter, ())}
            what = f"{parameter}: '{absent[0]}' is in no file of scores or judgments"
            raise DataError(what, path=profile.file_of("reader"), remedy=did_you_mean(absent[0], present))
        found += absent
    return list(dict.fromkeys(found))


def _without_texts(profile: Profile, reading: Reading) -> Dropped:
    metrics = profile.computed if reading.texts is None else ()
    return Dropped(reading.name, "computed metric", len(metrics), f"no texts: {', '.join(metrics)}")


def _with_note(reading: Reading, note: Dropped) -> Reading:
    return attrs.evolve(reading, dropped=(*reading.dropped, note)) if note.count else reading
