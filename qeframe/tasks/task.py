"""A task: gold, all submissions and groups, as read from disk and aligned by id.

Readers yield a `Reading`: every side with the ids and lines of its own file. `align` joins the sides on integer ids,
never on order or on strings, and treats missing units by a named policy; what it leaves out is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import attrs
from attrs import field, frozen

from qeframe.batches.base import Batch
from qeframe.errors import DataError

__all__ = ["Dropped", "Input", "Submission", "SubmissionKind", "Task", "check_task_names"]

SubmissionKind = Literal["real", "baseline", "attack"]


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


def check_task_names(tasks: Sequence[Task]) -> None:
    """Raise a `DataError` if two tasks have one name: results, weights and units are told apart by it."""
    names = [task.name for task in tasks]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise DataError(f"two tasks are named '{twice}'", remedy="name every task differently")
