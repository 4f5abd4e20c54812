"""A task: gold and all submissions, aligned unit by unit, with the groups of the units."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import attrs
from attrs import field, frozen

from qeframe.core.batch import Batch, read_only_mapping
from qeframe.core.display import Brief
from qeframe.core.errors import DataError, counted

PAIR = re.compile("[A-Za-z]{2,3}-[A-Za-z]{2,3}")
"""The form of a language pair."""

MissingPolicy = Literal["error", "score_as_worst", "drop_for_all"]
SubmissionKind = Literal["real", "baseline", "unofficial", "human", "attack", "entered"]
"""Real: of a participant. Baseline: of the organizers. Unofficial: in no official list. Human: a second set of human
scores, in place of a metric's. Attack: see `Attack`. Entered: the user's own: the ranks of others do not change."""

UNRANKED: frozenset[SubmissionKind] = frozenset({"human", "attack", "entered"})
"""The kinds that are shown and not ranked: each has the rank that it would take alone."""


@frozen(repr=False)
class Input(Brief):
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


@frozen(kw_only=True)
class LeftOut:
    """A submission that was left out of an evaluation, or some files of it.

    `files`: the files and folders that were not read, relative to the path that was given. Empty: the submission is a
      part of a file that was read.
    `reason`: what the organizer states, or the first mistake in the file.
    `by`: the organizer named the submission; or the rule that leaves out what cannot be read did it.
    """

    submission: str
    files: tuple[str, ...] = ()
    reason: str
    by: Literal["exclude", "skip_invalid"]

    @property
    def in_words(self) -> str:
        """What was left out, why and by whom, as a note."""
        option = "--exclude" if self.by == "exclude" else "--skip-invalid"
        files = f" ({', '.join(self.files)})" if self.files else ""
        return f"left out by {option}: {self.submission}{files}: {self.reason or 'no reason given'}"


@frozen
class Submission:
    """The name and the kind of a submission.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> [submission.name for submission in tasks[0].batches]
    ['good', 'poor']
    """

    name: str
    kind: SubmissionKind = "real"

    @property
    def is_ranked(self) -> bool:
        """Whether it takes part in the ranking."""
        return self.kind not in UNRANKED


def _labels(groups: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    return read_only_mapping({name: tuple(labels) for name, labels in groups.items()})


@frozen(kw_only=True, eq=False, repr=False)
class Task:
    """Gold and submissions, aligned. Its mappings are read-only, and the labels of its groups are tuples.

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
    numbered_from : int
        What is added to the ids of units without names: 1 where an id is the position of a line, from 0.
    stated : mapping of str to (mapping of str to float)
        What each submission states about itself, by its name: its size in bytes, for example.
    selection : str
        The parameters with which the reader chose what is in the task, for one of several readings of the same data.
    remarks : tuple of str
        What the reader says of how files were read.
    missing : str
        The rule by which `align` treated missing units; empty for tasks made by hand.
    files : mapping of str to (tuple of str)
        By submission, the paths of its files among the inputs, where they are known.
    systems, level, averaged
        As in `Reading`: they say what the cells of grids and judgments are scores of.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> [task] = tasks
    >>> task.units, task.contents(3)
    (4, {'gold': '4', 'good': '5', 'poor': '3'})
    """

    name: str
    batches: Mapping[Submission, Batch] = field(converter=read_only_mapping)
    groups: Mapping[str, Sequence[str]] = field(factory=dict, converter=_labels)
    dropped: tuple[Dropped, ...] = ()
    inputs: tuple[Input, ...] = ()
    counts: Mapping[str, int] = field(factory=dict, converter=read_only_mapping)
    versions: Mapping[str, str] = field(factory=dict, converter=read_only_mapping)
    unanswered: tuple[int, str] = (0, Batch.unit)
    names: Mapping[int, str] = field(factory=dict, converter=read_only_mapping)
    numbered_from: int = 0
    stated: Mapping[str, Mapping[str, float]] = field(factory=dict, converter=read_only_mapping)
    selection: str = ""
    remarks: tuple[str, ...] = ()
    missing: str = ""
    files: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=read_only_mapping)
    systems: tuple[str, ...] = ()
    level: Literal["seg", "sys"] = "seg"
    averaged: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Task {self.name}: {counted(len(self.batches), 'submission')} on {counted(self.units, self.unit)}>"

    def only(self, chosen: Callable[[Submission], bool]) -> Task:
        """Return the task with the chosen submissions only."""
        return attrs.evolve(self, batches={s: batch for s, batch in self.batches.items() if chosen(s)})

    def unit_name(self, unit: int) -> str:
        """Return what the gold calls a unit, by its id: its name or number in the file, else its line, from 1."""
        return self.names.get(int(unit), str(int(unit) + self.numbered_from))

    def contents(self, position: int) -> dict[str, str]:
        """Return what a unit holds, by side: the gold, and the answer of every submission under its name.

        It is empty for kinds of batch whose units cannot be shown in a line: see `Batch.contents`.
        """
        return {
            submission.name if side == "predicted" else side: text
            for submission, batch in self.batches.items()
            for side, text in batch.contents(position).items()
        }

    @property
    def units(self) -> int:
        """The number of units."""
        return self._size[0]

    @property
    def unit(self) -> str:
        """The name of one unit: "sentence", "segment", ..."""
        return self._size[1]

    @property
    def has_gold(self) -> bool:
        """Whether any unit has a gold; true of a task without submissions."""
        return all(batch.has_gold for batch in self.batches.values())

    @property
    def _size(self) -> tuple[int, str]:
        return next(((len(batch), batch.unit) for batch in self.batches.values()), self.unanswered)


def check_task_names(tasks: Sequence[Task]) -> None:
    """Raise a `DataError` if two tasks of a selection have one name: results and weights are found by the name."""
    seen: set[tuple[str, str]] = set()
    for task in tasks:
        if (task.selection, task.name) in seen:
            raise DataError(f"two tasks are named '{task.name}'", remedy="name every task differently")
        seen.add((task.selection, task.name))


def is_pair(name: str) -> bool:
    """Return whether a name has the form of a language pair: ``cs-en``, ``en-sr_Cyrl_RS``."""
    return PAIR.fullmatch(name.partition("_")[0]) is not None
