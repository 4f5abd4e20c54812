"""A task: gold, all submissions and groups, as read from disk and aligned by id.

Readers yield a `Reading`: every side with the ids and lines of its own file. `align` joins the sides on integer ids,
never on order or on strings, and treats missing units by a named policy; what it leaves out is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.assessments import Assessments
from qeframe.batch import Batch, Best, IntArray, take_units
from qeframe.errors import DataError, counted
from qeframe.ragged import Ragged

if TYPE_CHECKING:
    from qeframe.text_files import TextFiles

__all__ = [
    "Dropped",
    "Input",
    "MissingPolicy",
    "Reading",
    "Side",
    "Submission",
    "SubmissionKind",
    "Task",
    "align",
    "check_task_names",
]

SubmissionKind = Literal["real", "baseline", "attack"]
MissingPolicy = Literal["error", "score_as_worst", "drop_for_all"]


@frozen
class Input:
    """A file that was read: its path below the place that was asked for, and the SHA-256 of its bytes."""

    path: str
    sha256: str


@frozen
class Dropped:
    """Something that was left out: how many of what, and why."""

    task: str
    what: str
    count: int
    reason: str


@frozen(kw_only=True, eq=False)
class Side:
    """The gold, or one submission, as its file has it.

    Parameters
    ----------
    name : str
        "gold", or the name of the submission.
    ids : (n,) int64
        The identity of every unit.
    values : (n,) array or Ragged
        One entry a unit.
    path : str
        Where it was read.
    lines : (n,) int64, optional
        The line of every unit in that file, from 1.
    names : mapping of int to str
        What the file calls a unit, by its id, where that is not the id itself.
    """

    name: str
    ids: IntArray
    values: Any
    path: str = ""
    lines: IntArray | None = None
    names: Mapping[int, str] = field(factory=dict)

    def line(self, position: int) -> int | None:
        """Return the line of a unit, if known."""
        return None if self.lines is None else int(self.lines[position])

    def called(self, unit: int) -> str:
        """Return what a unit is called in the file."""
        return self.names.get(int(unit), str(unit))

    def take(self, units: IntArray) -> Side:
        """Return the given units."""
        lines = None if self.lines is None else self.lines[units]
        return attrs.evolve(self, ids=self.ids[units], values=take_units(self.values, units), lines=lines)


@frozen(kw_only=True, eq=False)
class Reading:
    """One task as its files have it, not yet aligned.

    Parameters
    ----------
    name : str
        The task's name: a language pair, or the name of the folder.
    groups : mapping of str to sequence of str
        For each grouping ("document", "domain"), the label of every gold unit.
    counts : mapping of str to int
        What is worth telling of the gold: systems, segments, decided and tied pairs.
    texts : TextFiles, optional
        Where the texts are that the units are about.
    versions : mapping of str to str
        Of programs that answered, by submission.
    assessments : tuple of Assessments
        What judges said of single translations, one for each scale; of the systems that the texts are of.
    may_be_unanswered : bool
        Without any submission it is still a task, kept for its counts; otherwise that is an error.
    """

    name: str
    kind: type[Batch]
    gold: Side
    submissions: tuple[Side, ...]
    groups: Mapping[str, Sequence[str]] = field(factory=dict)
    best: Best = "low"
    dropped: tuple[Dropped, ...] = ()
    inputs: tuple[Input, ...] = ()
    counts: Mapping[str, int] = field(factory=dict)
    texts: TextFiles | None = None
    assessments: tuple[Assessments, ...] = ()
    versions: Mapping[str, str] = field(factory=dict)
    may_be_unanswered: bool = False


@frozen
class Submission:
    """A submission's name and kind."""

    name: str
    kind: SubmissionKind = "real"


@frozen(kw_only=True, eq=False)
class Task:
    """Gold and submissions, aligned.

    Parameters
    ----------
    batches : mapping of Submission to Batch
        All on the same units, in the same order.
    groups : mapping of str to sequence of str
        For each grouping, the label of every unit.
    counts : mapping of str to int
        What the reader counted in the gold.
    versions : mapping of str to str
        Of programs that answered, by submission.
    unanswered : (int, str), optional
        Of a task without submissions: how many units of what the gold has.
    names : mapping of int to str
        What the gold calls a unit, by its id, where that is not the id itself.
    """

    name: str
    batches: Mapping[Submission, Batch]
    groups: Mapping[str, Sequence[str]] = field(factory=dict)
    dropped: tuple[Dropped, ...] = ()
    inputs: tuple[Input, ...] = ()
    counts: Mapping[str, int] = field(factory=dict)
    versions: Mapping[str, str] = field(factory=dict)
    unanswered: tuple[int, str] = (0, Batch.unit)
    names: Mapping[int, str] = field(factory=dict)

    def only(self, chosen: Callable[[Submission], bool]) -> Task:
        """Return the task with the chosen submissions only."""
        return attrs.evolve(self, batches={s: batch for s, batch in self.batches.items() if chosen(s)})

    @property
    def units(self) -> int:
        """How many units there are."""
        return self._size[0]

    @property
    def unit(self) -> str:
        """What a unit is."""
        return self._size[1]

    @property
    def _size(self) -> tuple[int, str]:
        return next(((len(batch), batch.unit) for batch in self.batches.values()), self.unanswered)


def align(reading: Reading, *, missing: MissingPolicy = "error", baselines: Sequence[str] = ()) -> Task:
    """Join the sides of a reading on their ids.

    Parameters
    ----------
    missing : {"error", "score_as_worst", "drop_for_all"}
        What happens to a unit that a submission left out: an error; the end of the submission's own range farthest
        from the unit's gold; or the unit is dropped for everybody. Under the last two an answer to a unit that the gold
        does not have is dropped as well. All is counted in ``dropped``.
    baselines : sequence of str
        The names of submissions that are the organisers' own.

    Raises
    ------
    DataError
        If an id occurs twice, if there is no submission (unless the reading may be unanswered) or no unit left, or,
        under "error", if a unit is missing or extra: with file, line and remedy.
    """
    if not (reading.submissions or reading.may_be_unanswered):
        raise DataError("no submission was found", path=reading.gold.path, remedy="put one beside the gold")
    _check_names(reading.submissions)
    for side in (reading.gold, *reading.submissions):
        _check_unique(side)
    dropped = list(reading.dropped)
    sides = [_without_extra(side, reading, missing, dropped) for side in reading.submissions]
    keep = np.ones(len(reading.gold.ids), dtype=np.bool_)
    for side in sides:
        answered = np.isin(reading.gold.ids, side.ids)
        if missing == "error":
            _check_complete(side, reading.gold, answered, reading.kind)
        elif missing == "drop_for_all":
            keep &= answered
    if not keep.all():
        count = int((~keep).sum())
        dropped.append(Dropped(reading.name, "unit", count, "not answered by every submission"))
    if not keep.any() and (len(keep) or not reading.may_be_unanswered):
        remedy = "missing=score_as_worst keeps units that a submission left out"
        raise DataError(f"task '{reading.name}' has no unit that can be scored", path=reading.gold.path, remedy=remedy)
    gold = reading.gold.take(np.flatnonzero(keep))
    batches = {
        Submission(side.name, "baseline" if side.name in baselines else "real"): _batch(reading, gold, side, dropped)
        for side in sides
    }
    labels = {
        name: [label for label, kept in zip(of, keep, strict=True) if kept] for name, of in reading.groups.items()
    }
    return Task(
        name=reading.name,
        batches=batches,
        groups=labels,
        dropped=tuple(dropped),
        inputs=reading.inputs,
        counts=reading.counts,
        versions=reading.versions,
        unanswered=(len(gold.ids), reading.kind.unit),
        names=gold.names,
    )


def check_task_names(tasks: Sequence[Task]) -> None:
    """Raise a `DataError` if two tasks have one name: results, weights and units are told apart by it."""
    names = [task.name for task in tasks]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise DataError(f"two tasks are named '{twice}'", remedy="name every task differently")


def _batch(reading: Reading, gold: Side, side: Side, dropped: list[Dropped]) -> Batch:
    """Put one submission's answers into the order of the gold, the worst ones where an answer is missing."""
    order = np.argsort(side.ids, kind="stable")
    place = np.searchsorted(side.ids[order], gold.ids)
    found = np.isin(gold.ids, side.ids)
    if found.all():
        predicted = take_units(side.values, order[place])
    else:
        absent = np.flatnonzero(~found)
        worst = reading.kind.worst_answers(take_units(gold.values, absent), side.values)
        both = _joined(take_units(side.values, order[place[found]]), worst)
        predicted = take_units(both, np.argsort(np.concatenate([np.flatnonzero(found), absent])))
        dropped.append(Dropped(reading.name, "answer", len(absent), f"missing in {side.name}, scored as worst"))
    return reading.kind.pair(ids=gold.ids, gold=gold.values, predicted=predicted, best=reading.best)


def _joined(first: Any, second: Any) -> Any:
    """Return the units of both, arrays or ragged arrays, as one of the type of the first."""
    if not isinstance(first, Ragged):
        return np.concatenate([first, second])
    offsets = np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]])
    return attrs.evolve(first, values=np.concatenate([first.values, second.values]), offsets=offsets)


def _check_names(sides: Sequence[Side]) -> None:
    seen: dict[str, Side] = {}
    for side in sides:
        if side.name in seen:
            raise DataError(
                f"two submissions are named '{side.name}', the other is {seen[side.name].path}",
                path=side.path,
                remedy="rename one",
            )
        seen[side.name] = side


def _check_unique(side: Side) -> None:
    _, first, counts = np.unique(side.ids, return_index=True, return_counts=True)
    if (counts > 1).any():
        repeated = np.setdiff1d(np.arange(len(side.ids)), first)[0]
        unit = int(side.ids[repeated])
        earlier = side.line(int(np.flatnonzero(side.ids == unit)[0]))
        seen = f", first seen on line {earlier}" if earlier else ""
        raise DataError(
            f"segment {side.called(unit)} of {side.name} occurs twice{seen}",
            path=side.path or None,
            line=side.line(int(repeated)),
            remedy="keep one line a segment (ids are joined as integers: 1 and 01 are the same)",
        )


def _lenient(kind: type[Batch]) -> str:
    """Return the policies under which a file may lack units: not the worst answers where there are none."""
    can_be_worst = any("worst_answers" in vars(each) for each in kind.__mro__ if each is not Batch)
    return f"let 'missing' be {'score_as_worst or ' if can_be_worst else ''}drop_for_all to go on without it"


def _without_extra(side: Side, reading: Reading, missing: MissingPolicy, dropped: list[Dropped]) -> Side:
    known = np.isin(side.ids, reading.gold.ids)
    if known.all():
        return side
    extra = np.flatnonzero(~known)
    if missing == "error":
        raise DataError(
            f"segment {side.called(side.ids[extra[0]])} of {side.name} is not in the gold{_more(len(extra))}",
            path=side.path or None,
            line=side.line(int(extra[0])),
            remedy=f"remove it, or {_lenient(reading.kind)}",
        )
    dropped.append(Dropped(reading.name, "answer", len(extra), f"extra in {side.name}, not in the gold"))
    return side.take(np.flatnonzero(known))


def _check_complete(side: Side, gold: Side, answered: Any, kind: type[Batch]) -> None:
    absent = gold.ids[~answered]
    if len(absent):
        raise DataError(
            f"segment {gold.called(absent[0])} is missing in {side.name}{_more(len(absent))}: "
            f"{len(side.ids)} of {counted(len(gold.ids), 'segment')} are there",
            path=side.path or None,
            remedy=f"complete the file, or {_lenient(kind)}",
        )


def _more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""
