"""A task: gold, all submissions and groups, as read from disk and aligned by id.

Readers yield a `Reading`: every side with the ids and lines of its own file. `align` joins the sides on integer ids,
never on order or on strings, and treats missing units by a named policy; what it leaves out is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import attrs
import numpy as np

from qeframe.batches.base import Batch, take_units
from qeframe.batches.ragged import Ragged
from qeframe.errors import DataError, counted
from qeframe.tasks.reading import Reading, Side
from qeframe.tasks.task import Dropped, Submission, Task

__all__ = ["MissingPolicy", "align"]
MissingPolicy = Literal["error", "score_as_worst", "drop_for_all"]


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
