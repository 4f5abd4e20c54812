"""Alignment: from the `Reading` of a task to a `Task`, all submissions on the units of the gold.

Files are joined on integer ids, never on their order or on strings. A line number is no id: a side without ids is
joined by position with a side without, and with ids only where the layout's rule makes line numbers the ids. A named
policy says what happens to missing units, and turns no mismatch into a join; everything that is left out or filled is
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from qeframe.core.batch import Batch, BoolArray, IntArray, take_units
from qeframe.core.errors import DataError, counted
from qeframe.core.ragged import Ragged
from qeframe.core.task import Dropped, Input, MissingPolicy, Submission, Task
from qeframe.data.reading import Reading, UnitValues


def align(
    reading: Reading, *, missing: MissingPolicy = "error", baselines: Sequence[str] = (), choice: str = "set missing={}"
) -> Task:
    """Join the gold and the submissions of a reading on their ids.

    Parameters
    ----------
    reading : Reading
    missing : {"error", "score_as_worst", "drop_for_all"}
        What happens to a unit that a submission left out. "error" raises an error. "score_as_worst" fills in the worst
        answer: of numbers, the end of the submission's own range that is farthest from the gold of the unit.
        "drop_for_all" drops the unit from all submissions. The last two also drop answers to units that the gold lacks.
        ``dropped`` of the task counts both. In grids a unit is a segment with all its systems: one that lacks the score
        of a system is an error, or is dropped with all its systems, or gets the worst score for this system. No policy
        joins sides that do not fit: see Raises.
    baselines : sequence of str
        The names of the submissions that are baselines of the organizers.
    choice : str
        How the user writes another policy: the remedy in messages.

    Returns
    -------
    Task
        All submissions on the same units in the same order, and what was left out, counted.

    Raises
    ------
    DataError
        If an id occurs twice, if there is no submission or no unit left (unless the reading may be unanswered), or if a
        unit is missing or extra under "error". Under any policy: if one side has ids and the other lines only, or two
        such have different numbers of lines; if a submission states an id that is no line number where line numbers
        are the ids; if most of its ids are not in the gold, and most of the gold's not in it. Under "drop_for_all": if
        a submission lacks an answer to more than half of the units. The message names the file, the line and a remedy.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Scores
    >>> from qeframe.plugin.readers import Reading, UnitValues
    >>> def side(name, ids, values):
    ...     return UnitValues(name=name, ids=np.array(ids), values=np.array(values), path="made")
    >>> gold, mine = side("gold", [1, 2, 3], [0.1, 0.5, 0.9]), side("mine", [3, 2, 1], [0.8, 0.4, 0.2])
    >>> reading = Reading(name="en-de", kind=Scores, gold=gold, submissions=(mine,), best="high")
    >>> [batch] = qeframe.align(reading).batches.values()
    >>> batch.predicted.tolist()
    [0.2, 0.4, 0.8]
    """
    if not (reading.submissions or reading.may_be_unanswered):
        raise DataError("no submission was found", path=reading.gold.path, remedy="put one beside the gold")
    _check_names(reading.submissions)
    for read in (reading.gold, *reading.submissions):
        check_unique(read)
    for submission in reading.submissions:
        _check_identity(submission, reading.gold)
    dropped = list(reading.dropped)
    submissions = [_without_extra(side, reading, missing, dropped, choice) for side in reading.submissions]
    keep = np.ones(len(reading.gold.ids), dtype=np.bool_)
    for submission in submissions:
        answered = np.isin(reading.gold.ids, submission.ids)
        if missing == "error":
            _check_complete(submission, reading.gold, answered, _lenient(reading.kind, choice))
            _check_cells(submission, reading, _lenient(reading.kind, choice))
        elif missing == "drop_for_all":
            keep &= answered
            cells = _missing_cells(submission, reading)
            keep[answered] &= True if cells is None else ~cells.any(axis=1)
            _check_most(submission, reading, answered, cells)
    if not keep.all():
        count = int((~keep).sum())
        dropped.append(Dropped(reading.name, "unit", count, "not answered by every submission"))
    if not keep.any() and (len(keep) or not reading.may_be_unanswered):
        remedy = f"{choice.format('score_as_worst')} to keep units that a submission left out"
        raise DataError(f"task '{reading.name}' has no unit that can be scored", path=reading.gold.path, remedy=remedy)
    gold = reading.gold.take(np.flatnonzero(keep))
    batches = {
        Submission(scored.name, "baseline" if scored.name in baselines else scored.kind): _batch(
            reading, gold, scored, dropped
        )
        for scored in submissions
    }
    groups = {
        name: [label for label, kept in zip(labels, keep, strict=True) if kept]
        for name, labels in reading.groups.items()
    }
    return Task(
        name=reading.name,
        batches=batches,
        groups=groups,
        dropped=tuple(dropped),
        inputs=reading.inputs,
        counts=reading.counts,
        versions=reading.versions,
        unanswered=(len(gold.ids), reading.kind.unit),
        names=gold.names,
        numbered_from=gold.numbered_from,
        stated={scored.name: scored.stated for scored in submissions if scored.stated},
        remarks=reading.remarks,
        missing=missing,
        files=_files(submissions, reading.inputs),
        systems=reading.systems,
        level=reading.level,
        averaged=reading.averaged,
    )


def _files(submissions: Sequence[UnitValues], inputs: Sequence[Input]) -> dict[str, tuple[str, ...]]:
    """Return the files of each submission among the inputs, whose paths are relative to the one that was read."""
    files: dict[str, tuple[str, ...]] = {}
    for submission in submissions:
        for path in filter(None, (submission.path, *submission.more_paths)):
            whole = f"/{Path(path).as_posix()}"
            ends = [file.path for file in inputs if whole.endswith(f"/{file.path}")]
            if ends:
                files[submission.name] = (*files.get(submission.name, ()), max(ends, key=len))
    return files


def _batch(reading: Reading, gold: UnitValues, submission: UnitValues, dropped: list[Dropped]) -> Batch:
    """Put the answers of a submission into the order of the gold, with the worst answer where one is missing."""
    answered, rows = _answers_to(gold, submission)
    truth, predicted = gold.values, take_units(submission.values, rows)
    filled = f"missing in {submission.name}, scored as worst"
    if answered.all() and submission.gold is not None:
        truth = take_units(submission.gold, rows)
    elif not answered.all():
        absent = np.flatnonzero(~answered)
        worst = reading.kind.worst_answers(take_units(gold.values, absent), submission.values)
        predicted = take_units(
            _joined(predicted, worst), np.argsort(np.concatenate([np.flatnonzero(answered), absent]))
        )
        dropped.append(Dropped(reading.name, "answer", len(absent), filled))
    cells = reading.kind.missing_answers(truth, predicted)
    if cells is not None and cells.any():  # under other policies the unit was refused or dropped
        predicted = np.where(cells, reading.kind.worst_answers(truth, submission.values), predicted)
        dropped.append(Dropped(reading.name, "score", int(cells.sum()), filled))
    return reading.kind.pair(ids=gold.ids, gold=truth, predicted=predicted, best=reading.best)


def _answers_to(gold: UnitValues, submission: UnitValues) -> tuple[BoolArray, IntArray]:
    """Return which gold units are answered, and the positions of these answers in the order of the gold."""
    order = np.argsort(submission.ids, kind="stable")
    answered: BoolArray = np.isin(gold.ids, submission.ids)
    return answered, order[np.searchsorted(submission.ids[order], gold.ids[answered])]


def _missing_cells(submission: UnitValues, reading: Reading) -> BoolArray | None:
    """Return which scores are missing within the gold units that are answered; None where a unit has one score."""
    answered, rows = _answers_to(reading.gold, submission)
    has_gold = submission.gold is not None
    truth = take_units(submission.gold, rows) if has_gold else take_units(reading.gold.values, np.flatnonzero(answered))
    return reading.kind.missing_answers(truth, take_units(submission.values, rows))


def _joined(first: Any, second: Any) -> Any:
    """Concatenate two arrays, or two ragged arrays, into one of the type of the first."""
    if not isinstance(first, Ragged):
        return np.concatenate([first, second])
    offsets = np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]])
    return attrs.evolve(first, values=np.concatenate([first.values, second.values]), offsets=offsets)


def _check_names(submissions: Sequence[UnitValues]) -> None:
    seen: dict[str, UnitValues] = {}
    for submission in submissions:
        if not submission.name.strip():
            what = f"a submission has the name '{submission.name}'"
            raise DataError(what, path=submission.path, remedy="give every submission a name")
        if submission.name in seen:
            what = f"two submissions are named '{submission.name}', the other is {seen[submission.name].path}"
            raise DataError(what, path=submission.path, remedy="rename one")
        seen[submission.name] = submission


def _error(side: UnitValues, what: str, row: Any, remedy: str, setting: str = "") -> DataError:
    """Return an error in the file of a side, at the line of the unit at a position, if that is not None."""
    line = None if row is None else side.line(int(row))
    return DataError(what, path=side.path or None, line=line, remedy=remedy, setting=setting)


def _segment(side: UnitValues, row: Any) -> str:
    return f"segment {side.unit_name(side.ids[row])}"


def check_unique(read: UnitValues) -> None:
    """Raise a `DataError` at the first unit that occurs a second time."""
    _, first, counts = np.unique(read.ids, return_index=True, return_counts=True)
    if (counts > 1).any():
        repeated = np.setdiff1d(np.arange(len(read.ids)), first)[0]
        earlier = read.line(int(np.flatnonzero(read.ids == read.ids[repeated])[0]))
        seen = f", first seen on line {earlier}" if earlier else ""
        remedy = "keep one line a segment (ids are joined as integers: 1 and 01 are the same)"
        raise _error(read, f"{_segment(read, repeated)} of {read.name} occurs twice{seen}", repeated, remedy)


def _check_identity(submission: UnitValues, gold: UnitValues) -> None:
    """Raise a `DataError` if a submission cannot be joined with the gold, whatever happens to missing units."""
    first, count = gold.unit_name(gold.ids[0]) if len(gold.ids) else "", len(gold.ids)
    of_gold, called = gold.path or "the gold", "the gold" if gold.name == "gold" else gold.name
    row, remedy = None, f"give {submission.name} the ids of the gold"
    if "id" not in (submission.known_by, gold.known_by):
        if len(submission.ids) == count:
            return
        of_submission = "" if submission.path else f"{submission.name} has "
        of_file = f" ({gold.path})" if gold.path else ""
        what = f"{of_submission}{counted(len(submission.ids), 'line')}, {called} has {count}{of_file}"
        remedy = "give one line for each unit, in the order of the gold"
    elif "line" in (submission.known_by, gold.known_by):
        ours, theirs = ("ids", "lines only") if submission.known_by == "id" else ("lines only", "ids")
        what = f"{submission.name} has {ours}, but {of_gold} has {theirs}, and line numbers are no ids"
        remedy = "give ids to both or to neither"
    else:
        extra = np.flatnonzero(~np.isin(submission.ids, gold.ids))
        foreign, lacking = len(extra), count - (len(submission.ids) - len(extra))
        fits = foreign <= len(submission.ids) / 2 or lacking <= count / 2
        if not foreign or (fits and gold.known_by == "id"):
            return
        row, unit = extra[0], submission.unit_name(submission.ids[extra[0]])
        if gold.known_by == "id":
            what = f"the segment ids of {submission.name} are not those of the gold: {foreign} of {len(submission.ids)}"
            what += f" are not in it, such as {unit}; the first in {of_gold} is {first}"
        else:
            what = f"segment {unit} of {submission.name} is not in the gold{and_more(len(extra))}"
            remedy = (
                f"number the segments as the lines of {of_gold}, from {first}: other ids cannot be joined with lines"
            )
    raise _error(submission, what, row, remedy)


def _check_most(submission: UnitValues, reading: Reading, answered: BoolArray, cells: BoolArray | None) -> None:
    """Raise a `DataError` if a submission lacks an answer to more than half of the gold units."""
    lacking = int((~answered).sum())
    if cells is not None:  # a unit of which every scored cell is missing has no answer either
        _, rows = _answers_to(reading.gold, submission)
        lacking += int((cells.any(axis=1) & ~np.isfinite(submission.values[rows]).any(axis=1)).sum())
    units = len(reading.gold.ids)
    if lacking > units / 2:
        what = f"{submission.name} lacks an answer to {lacking} of {counted(units, 'segment')}, more than half"
        remedy = f"complete it, or take it out: only {units - lacking} would be left for everyone"
        raise _error(submission, what, None, remedy)


def _lenient(kind: type[Batch], choice: str) -> str:
    """Return the remedy that names the lenient policies: score_as_worst only if the kind defines worst answers."""
    can_be_worst = any("worst_answers" in vars(base) for base in kind.__mro__ if base is not Batch)
    worst = f"{choice.format('score_as_worst')} or " if can_be_worst else ""
    return f"{worst}{choice.format('drop_for_all')} to go on without it"


def _without_extra(
    submission: UnitValues, reading: Reading, missing: MissingPolicy, dropped: list[Dropped], choice: str
) -> UnitValues:
    """Leave out the answers to units that the gold lacks; under "error" raise a `DataError`."""
    in_gold = np.isin(submission.ids, reading.gold.ids)
    if in_gold.all():
        return submission
    extra = np.flatnonzero(~in_gold)
    if missing == "error":
        what = f"{_segment(submission, extra[0])} of {submission.name} is not in the gold{and_more(len(extra))}"
        raise _error(submission, what, extra[0], "remove it", _lenient(reading.kind, choice))
    dropped.append(Dropped(reading.name, "answer", len(extra), f"extra in {submission.name}, not in the gold"))
    return submission.take(np.flatnonzero(in_gold))


def _check_complete(submission: UnitValues, gold: UnitValues, answered: Any, lenient: str) -> None:
    absent = np.flatnonzero(~answered)
    if len(absent):
        there = f"{len(submission.ids)} of {counted(len(gold.ids), 'segment')} are there"
        what = f"{_segment(gold, absent[0])} is missing in {submission.name}{and_more(len(absent))}: {there}"
        raise _error(submission, what, None, "complete the file", lenient)


def _check_cells(submission: UnitValues, reading: Reading, lenient: str) -> None:
    """Raise a `DataError` for the first score that is missing within a unit, named by segment and system."""
    cells = _missing_cells(submission, reading)
    if cells is None or not cells.any():
        return
    answered, rows = _answers_to(reading.gold, submission)
    row, column = (int(place) for place in np.argwhere(cells)[0])
    unit = _segment(reading.gold, np.flatnonzero(answered)[row])
    system = f"system {reading.systems[column]}" if reading.systems else f"the system in column {column + 1}"
    what = f"{unit} of {system} is missing in {submission.name}{and_more(int(cells.sum()))}"
    raise _error(submission, what, rows[row], "complete the scores", lenient)


def check_units(given: UnitValues, expected: UnitValues) -> None:
    """Check that a submission answers the expected units, each of them and no other.

    Units with names are compared by their names, since files number them on their own. The order does not matter.

    Raises
    ------
    DataError
        For the first unit that is not expected, else for the first expected one that is missing. Of lines that are
        units by position, for their number: which one is missing is not known.
    """
    if given.known_by == expected.known_by == "line":
        _check_identity(given, expected)
    theirs, ours = _keys(given, expected)
    extra = np.flatnonzero(~_is_in(theirs, ours))
    if len(extra):
        what = f"{_segment(given, extra[0])} is not in {expected.path}{and_more(len(extra))}"
        raise _error(given, what, extra[0], "answer the segments of the input alone, numbered as the format says")
    absent = np.flatnonzero(~_is_in(ours, theirs))
    if len(absent):
        at = expected.line(int(absent[0]))
        where = f"{expected.path}:{at}" if at else expected.path
        there = f"{len(given.ids)} of {counted(len(expected.ids), 'segment')} are there"
        what = f"{_segment(expected, absent[0])} of {where} is missing{and_more(len(absent))}: {there}"
        raise _error(given, what, None, "answer every segment of the input")


def _keys(given: UnitValues, expected: UnitValues) -> tuple[Any, Any]:
    """Return what identifies the units of both sides: ids, (n,) int64, or lists of names."""
    if not (given.names or expected.names):
        return given.ids, expected.ids
    theirs, ours = ([side.unit_name(unit) for unit in side.ids.tolist()] for side in (given, expected))
    return theirs, ours


def _is_in(keys: IntArray | list[str], others: IntArray | list[str]) -> BoolArray:
    if isinstance(keys, np.ndarray):
        return np.isin(keys, others)
    values = set(others)
    return np.fromiter((key in values for key in keys), np.bool_, len(keys))


def and_more(count: int) -> str:
    """Return what follows the first of several mistakes in a message: " (and 2 more)", empty for a single one."""
    return f" (and {count - 1} more)" if count > 1 else ""
