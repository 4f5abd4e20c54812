"""A task: gold and all submissions, aligned unit by unit, with the groups of the units."""

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
    """A file that was read: its path relative to the path that was given, and the SHA-256 of its bytes."""

    path: str
    sha256: str


@frozen
class Dropped:
    """What was left out of a task: how many of which things, and why."""

    task: str
    what: str
    count: int
    reason: str


@frozen
class Submission:
    """The name and the kind of a submission."""

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
        Counts of the gold, from the reader.
    versions : mapping of str to str
        The versions of the programs that computed a submission, by submission.
    unanswered : (int, str), optional
        For a task without submissions: the number of gold units, and the name of one unit.
    names : mapping of int to str
        The name of a unit in the gold, by its id, where it differs from the id.
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
        """The number of units."""
        return self._size[0]

    @property
    def unit(self) -> str:
        """The name of one unit: "sentence", "segment", ..."""
        return self._size[1]

    @property
    def _size(self) -> tuple[int, str]:
        return next(((len(batch), batch.unit) for batch in self.batches.values()), self.unanswered)


def check_task_names(tasks: Sequence[Task]) -> None:
    """Raise a `DataError` if two tasks have the same name: results, weights and units are found by the name."""
    names = [task.name for task in tasks]
    repeated = next((name for position, name in enumerate(names) if name in names[:position]), None)
    if repeated is not None:
        raise DataError(f"two tasks are named '{repeated}'", remedy="name every task differently")
