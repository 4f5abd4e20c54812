"""What the user enters: files in the format of the task, and values for its units, by name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.entered.answers import Answering
from qeframe.api.entered.files import EnteredFiles
from qeframe.api.entered.tables import by_pair, plain_values, table_in, text_at
from qeframe.api.frames.labeled import Labeled, is_frame, labeled
from qeframe.core.batch import Batch, IntArray
from qeframe.core.errors import DataError, counted
from qeframe.core.reader import Reader, SubmissionFormat
from qeframe.core.reading import TextFile
from qeframe.core.registry import Registry
from qeframe.core.task import PAIR, Dropped, Input, Submission, Task
from qeframe.data.columns import FrameColumns
from qeframe.data.file_bytes import status_of
from qeframe.data.folders import has_file, visible
from qeframe.data.numbers import real_numbers
from qeframe.data.text_lines import input_of

_WITHOUT_READER = (
    "give evaluate the path of the data, so that its reader reads the file too; or enter a table with a first line "
    "'segment, score' (and system), a data frame, or the answers in the order of the units"
)


@frozen(kw_only=True, eq=False)
class GivenValues:
    """Values that the user enters under one name.

    `by_task`: by language pair or name of a task; under "" those of the only one. Where parts read folders of their
      own, the name of the folder precedes: "word/en-de".
    `inputs`: the files that were read, or a digest of the values, for the signature.
    `by_system`: the same values where the keys of a mapping are systems.
    """

    by_task: Mapping[str, Labeled]
    inputs: tuple[Input, ...] = ()
    by_system: Labeled | None = None

    def of_task(self, task: Task) -> Labeled | None:
        """Return the values for a task; those of its language pair, for a task that is named after one."""
        names = (task.name, _pair_of(task.name), "")
        levels = task.selection.split(", ") if task.selection else []
        for key in (*(f"{level}/{name}".rstrip("/") for level in levels for name in names), *names):
            if key in self.by_task:
                return self.by_task[key]
        return self.by_system if self.is_by_system(task) else None

    def is_by_system(self, task: Task) -> bool:
        """Return whether the keys of a mapping are systems of a task."""
        return self.by_system is not None and bool(set(task.systems) & set(self.by_task))


@frozen(kw_only=True, eq=False)
class Entering:
    """The submissions that the user enters: see `evaluate`.

    `files`: those that the reader reads.
    """

    names: tuple[str, ...]
    files: EnteredFiles
    values: Mapping[str, GivenValues]
    registry: Registry

    @classmethod
    def of(cls, given: Mapping[str, Any], registry: Registry, readers: Sequence[Reader] = ()) -> Entering:
        """Return what is entered among the tasks of readers; without readers, among tasks that were read before.

        Raises DataError if a value is none that can be entered.
        """
        files, values = dict[str, dict[str, Path]](), dict[str, GivenValues]()
        by_level: dict[str, list[Reader]] = {}
        for reader in readers:
            by_level.setdefault(reader.folder, []).append(reader)
        for name, value in given.items():
            if not isinstance(value, (str, PathLike)):
                values[name] = _given_values(name, value)
                continue
            sides = [
                _values_at(name, _existing(Path(value)), level, of_level, registry)
                for level, of_level in (by_level or {"": []}).items()
            ]
            in_tables = [side_in_table for side_in_table in sides if side_in_table is not None]
            if in_tables:
                by_task = {key: side for side_in_table in in_tables for key, side in side_in_table.by_task.items()}
                values[name] = GivenValues(by_task=by_task, inputs=tuple(i for side in in_tables for i in side.inputs))
            if len(in_tables) == len(sides):
                continue
            if not readers:
                raise DataError(f"'{name}' is a file, and tasks were read before", path=value, remedy=_WITHOUT_READER)
            read_as_files = (
                level for level, side_in_table in zip(by_level, sides, strict=True) if side_in_table is None
            )
            files[name] = {level: Path(value) / level for level in read_as_files}
        return cls(names=tuple(given), files=EnteredFiles(files), values=values, registry=registry)

    @contextmanager
    def in_folders(self, readers: Sequence[Reader], root: Path) -> Iterator[None]:
        """Let readers find the entered files beside those of participants."""
        forms: dict[str, SubmissionFormat | None] = {}
        for reader in readers:
            forms[reader.folder] = forms.get(reader.folder) or reader.submission
        with self.files.in_folders(forms, root):
            yield

    def _with_values(self, task: Task, ids: IntArray) -> Task:
        if not task.batches:
            return task
        batches, notes, inputs = dict(task.batches), list[Dropped](), dict.fromkeys(task.inputs)
        answering = Answering(task=task, ids=ids, registry=self.registry)
        files = dict(task.files)
        for name, given in self.values.items():
            side = given.of_task(task)
            if side is None:
                continue
            batch, own_notes = answering.batch(side, fill=task.missing == "score_as_worst")
            batches[Submission(name, "entered")] = batch
            notes += own_notes
            inputs |= dict.fromkeys(given.inputs)
            files[name] = tuple(file.path for file in given.inputs)
        return attrs.evolve(task, batches=batches, dropped=(*task.dropped, *notes), inputs=tuple(inputs), files=files)

    def in_tasks(self, tasks: Sequence[Task], order: Sequence[IntArray] = ()) -> list[Task]:
        """Return tasks with the submissions that are entered by values, and notes on what was given for other tasks.

        A submission that is entered in some tasks takes no part in the others, as a ranked one may.

        `tasks`: those of files are in them. `order` (n,): for each task, its units in the order in which answers
        without labels are given; by default its own. Raises DataError if a name is taken, a submission answers no task,
        or values without the name of a task are given where there are several.
        """
        answered = [task for task in tasks if task.batches]
        names = list(dict.fromkeys(task.name for task in answered))
        if self.names and not answered:
            what = f"no task has a submission beside '{self.names[0]}'"
            raise DataError(what, remedy="give submissions that it can be compared with")
        for task in answered:
            self._check_names(task)
        for name, given in self.values.items():
            if "" in given.by_task and len({_pair_of(task) for task in names}) > 1:
                what = f"'{name}' does not say to which of {counted(len(names), 'task')} it belongs: {', '.join(names)}"
                raise DataError(
                    what, remedy="give a column pair, a mapping from tasks, or a folder with a file for each"
                )
        ids = order or [next((batch.ids for batch in task.batches.values()), np.empty(0, np.int64)) for task in tasks]
        entered = [self._with_values(task, of_task) for task, of_task in zip(tasks, ids, strict=True)]
        notes = self._unused(entered, names)
        return [attrs.evolve(entered[0], dropped=(*entered[0].dropped, *notes)), *entered[1:]] if notes else entered

    def _unused(self, tasks: Sequence[Task], names: Sequence[str]) -> list[Dropped]:
        """Return notes on values for tasks that are not there; refuse a submission that is entered in no task."""
        notes = []
        for name in self.names if names else ():
            own = [task for task in tasks if Submission(name, "entered") in task.batches]
            given = self.values.get(name)
            by_task = {} if given is None or (own and given.is_by_system(own[0])) else given.by_task
            known = {
                *names,
                *map(_pair_of, names),
                "",
                *(level for task in own for level in task.selection.split(", ")),
            }
            others = [key for key in by_task if not known.issuperset(key.split("/"))]
            if not own:
                has = f"has answers to {', '.join(others)}" if others else "answers no task"
                remedy = "name the tasks in a column pair, by keys, or by the names of files"
                raise DataError(f"'{name}' {has}, the tasks are {', '.join(names)}", remedy=remedy)
            if others:
                reason = f"of {name}, which no task has: {', '.join(others)}"
                notes.append(Dropped(own[0].name, "language pair", len(others), reason))
        return notes

    def _check_names(self, task: Task) -> None:
        taken = {submission.name for submission in task.batches if submission.kind != "entered"}
        for name in self.names:
            if name in taken:
                remedy = "enter it under another name"
                raise DataError(f"a submission of task '{task.name}' has the name '{name}'", remedy=remedy)


def _existing(path: Path) -> Path:
    if not has_file(path):
        raise DataError("there is no such file or folder", path=path, remedy="check the path of what is entered")
    status_of(path)
    return path


def _pair_of(task: str) -> str:
    """Return the language pair with which the name of a task begins; the name of another task."""
    match = PAIR.match(task)
    return match[0] if match else task


def _given_values(name: str, value: Any) -> GivenValues:
    """Return values that are no path: a frame, an array, or either by task."""
    called, by_system = f"'{name}'", None
    if is_frame(value):
        by_task = by_pair(called, FrameColumns.of(value))
    elif isinstance(value, Mapping) and value:
        flat = {f"{key}/{name}": answers for key, of_key in value.items() for name, answers in _items(of_key)}
        by_task = {key.rstrip("/"): _labeled(called, answers) for key, answers in flat.items()}
        by_system = _by_system(called, by_task)
    else:
        by_task = {"": _labeled(called, value)}
    digest = hashlib.sha256()
    for key, side in by_task.items():
        values = side.values.tobytes() if isinstance(side.values, np.ndarray) else repr(side.values).encode()
        digest.update(repr((key, side.rows, side.columns)).encode() + values)
    inputs = (Input(f"{name} (values)", digest.hexdigest()),)
    return GivenValues(by_task=by_task, inputs=inputs, by_system=by_system)


def _items(value: Any) -> list[tuple[str, Any]]:
    """Return the entries of a mapping; another value as that of no name."""
    return [(str(key), values) for key, values in value.items()] if isinstance(value, Mapping) else [("", value)]


def _by_system(name: str, columns: Mapping[str, Labeled]) -> Labeled | None:
    """Return columns of numbers of one length as a grid of the systems that name them; None if they are others."""
    try:
        cells = [real_numbers(column.values) for column in columns.values()]
    except (TypeError, ValueError, OverflowError):
        return None
    if any(column.ndim != 1 or len(column) != len(cells[0]) for column in cells):
        return None
    return Labeled(name, np.stack(cells, axis=1), columns=tuple(columns))


def _labeled(name: str, value: Any) -> Labeled:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        what = f"{name} is a value of type {type(value).__name__}"
        remedy = "give a file, a folder with a file TASK.* for each task, a data frame, or the answers to all units"
        raise DataError(what, remedy=remedy)
    return labeled(name, value)


def _values_at(name: str, path: Path, level: str, readers: Sequence[Reader], registry: Registry) -> GivenValues | None:
    """Return the values of tables or plain files; None if the readers read the path as a submission of the task.

    `level` is the folder of the submission in which the files for these readers are.
    """
    place = path / level
    if not has_file(place):
        what = f"'{name}' has no folder '{level}', which parts of the profile read"
        raise DataError(what, path=path, remedy="give a folder with the folders that PATH has")
    files = {file.name.partition(".")[0]: file for file in visible(place)} if place.is_dir() else {"": place}
    by_task, inputs = dict[str, Labeled](), list[Input]()
    for task, file in files.items():
        values_and_text = None if file.is_dir() else _values_in(name, file, readers, registry)
        if values_and_text is None:
            return None
        values, text = values_and_text
        inputs.append(input_of(text, path))
        by_task |= {task: values[""]} if set(values) == {""} else values
    keyed = {f"{level}/{task}".strip("/"): side for task, side in by_task.items()}
    return GivenValues(by_task=keyed, inputs=tuple(inputs)) if by_task else None


def _values_in(
    name: str, path: Path, readers: Sequence[Reader], registry: Registry
) -> tuple[dict[str, Labeled], TextFile] | None:
    """Return the values of a table, or of a plain file that is not in the format of the task, by language pair."""
    try:
        text = text_at(path)
    except DataError:  # no text: the reader says so
        return None
    if all(_has_numbers(candidate.kind, registry) for candidate in readers):
        columns = table_in(text)
        if columns is not None:
            return by_pair(f"'{name}'", columns), text
    for reader in readers:
        kind = registry.find_kind(reader.kind)
        if kind is None or kind.plain_format is None or (reader.submission and _is_readable(reader, path)):
            return None
        try:
            return {"": plain_values(f"'{name}'", text, reader.kind)}, text
        except DataError:
            return None
    return None


def _has_numbers(batch: type[Batch], registry: Registry) -> bool:
    """Return whether answers are numbers: one for each unit, or for each of several systems."""
    kind = registry.find_kind(batch)
    plain = None if kind is None else kind.plain_format
    return batch.crossed or batch.compares or (plain is not None and plain.one_number)


def _is_readable(reader: Reader, path: Path) -> bool:
    try:
        return reader.submission is not None and bool(reader.submission.read(path))
    except DataError:
        return False
