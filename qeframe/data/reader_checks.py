"""What a reader returns: sides that have one id, one value and one line for each unit; and files that it writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

import attrs
import numpy as np

from qeframe.core.batch import Batch, Best
from qeframe.core.component import WrongReturnError, at_work, describe
from qeframe.core.errors import DataError
from qeframe.core.reader import Reader
from qeframe.core.task import Dropped
from qeframe.data.file_bytes import unreadable
from qeframe.data.published.data_source import is_inside
from qeframe.data.reading import Reading, Submitted, UnitValues, Written


def read(reader: Reader, path: Path, best: Best) -> list[Reading]:
    """Read the tasks at a path, or in the reader's folder there."""
    place = path / reader.folder
    if reader.folder and not os.path.lexists(place):
        what = f"there is no folder '{reader.folder}', which parts of the profile read"
        raise DataError(what, path=path, remedy="add it, or change 'folder' of these parts")
    with at_work(reader, "read"), _foreseen():
        readings: Any = reader.read(place, best)
        if not isinstance(readings, Sequence) or isinstance(readings, str):
            raise WrongReturnError("read", describe(readings), "a list with a Reading for each task")
        for reading in readings:
            _check_reading(reading)
    return [_in_folder(reading, reader.folder, path) for reading in readings] if reader.folder else list(readings)


@contextmanager
def _foreseen() -> Iterator[None]:
    """Make the errors of the system at a file or a folder, such as a missing permission, those of the input."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise
        raise unreadable(Path(os.fsdecode(error.filename)), error) from error


def _in_folder(reading: Reading, folder: str, path: Path) -> Reading:
    """Return what was read in a folder of a path, with files relative to it; a task of the folder's name has its own.

    A language pair whose levels are folders is such a task: ``en-de/word/gold.tags``.
    """
    name = path.resolve().name if reading.name == PurePath(folder).name else reading.name
    inputs = tuple(attrs.evolve(file, path=f"{PurePath(folder).as_posix()}/{file.path}") for file in reading.inputs)
    dropped = tuple(
        attrs.evolve(entry, task=name) if entry.task == reading.name else entry for entry in reading.dropped
    )
    return attrs.evolve(reading, name=name, inputs=inputs, dropped=dropped)


def read_submission(reader: Reader, path: Path, read: Callable[[Path], Sequence[Submitted]]) -> list[Submitted]:
    """Read the parts of a file by a function of the reader's `SubmissionFormat`."""
    with at_work(reader, "submission"), _foreseen():
        submission: Any = read(path)
        if not isinstance(submission, Sequence) or isinstance(submission, str) or not submission:
            raise WrongReturnError("submission", describe(submission), "a list with a Submitted for each part")
        for part in submission:
            if not isinstance(part, Submitted):
                raise WrongReturnError("submission", f"a list with {describe(part)}", "a Submitted for each part")
            _check_side(part.answers, f"'{part.part}'", "submission")
        return list(submission)


def _check_reading(reading: Any) -> None:
    if not isinstance(reading, Reading):
        raise WrongReturnError("read", f"a list with {describe(reading)}", "a Reading for each task")
    where = f"'{reading.name}'"
    if not isinstance(reading.name, str):
        raise WrongReturnError("read", f"the name {describe(reading.name)}", "a name that is text")
    if not (isinstance(reading.kind, type) and issubclass(reading.kind, Batch)):
        raise WrongReturnError("read", f"the kind {describe(reading.kind)} of {where}", "a class of batches")
    for side in (reading.gold, *reading.submissions):
        _check_side(side, where)
    for name, labels in reading.groups.items():
        if len(labels) != len(reading.gold.ids) or not all(isinstance(label, str) for label in labels):
            given = f"{len(labels)} labels of the grouping '{name}' of {where}"
            raise WrongReturnError("read", given, f"{len(reading.gold.ids)}, text for each unit of the gold")


def _check_side(side: Any, task: str, given_by: str = "read") -> None:
    if not isinstance(side, UnitValues):
        raise WrongReturnError(given_by, f"{describe(side)} as a side of {task}", "UnitValues")
    if not isinstance(side.name, str):
        raise WrongReturnError(given_by, f"a side of {task} with the name {describe(side.name)}", "a name that is text")
    ids: Any = side.ids
    who = f"'{side.name}' of {task}"
    if not (isinstance(ids, np.ndarray) and ids.ndim == 1 and ids.dtype.kind in "iu"):
        raise WrongReturnError(given_by, f"ids of {who} that are {describe(ids)}", "whole numbers of shape (n,)")
    if not hasattr(side.values, "__len__") or len(side.values) != len(ids):
        raise WrongReturnError(
            "read", f"values of {who} that are {describe(side.values)}", f"{len(ids)}, one for each id"
        )
    if side.lines is not None and len(side.lines) != len(ids):
        raise WrongReturnError(given_by, f"{len(side.lines)} lines of {who}", f"{len(ids)}, one for each id")


def write(reader: Reader, readings: Sequence[Reading]) -> Written:
    """Return the files of tasks in the layout of a reader.

    Raises DataError if the layout is read only, or a task is of a kind that it cannot hold. Raises PluginError if
    the reader fails, or returns anything but files inside the folder.
    """
    if reader.write is None:
        raise DataError(f"the reader '{reader.name}' reads only: it cannot write files")
    kinds = reader.writes or (reader.kind,)
    for reading in readings:
        if not issubclass(reading.kind, kinds):
            what = f"task '{reading.name}' cannot be written as {reader.name}: it is of {reading.kind.__name__}"
            raise DataError(what, remedy=f"the format holds {' and '.join(kind.__name__ for kind in kinds)}")
    with at_work(reader, "write"):
        files: Any = reader.write(readings)
        if not isinstance(files, Written):
            raise WrongReturnError("write", describe(files), "Written")
        _check_files(files.files)
        if not all(isinstance(note, Dropped) for note in files.dropped):
            raise WrongReturnError("write", "something else among dropped", "values of Dropped")
        return files


def _check_files(files: Mapping[Any, Any]) -> None:
    if not files:
        raise WrongReturnError("write", "no file", "one or more")
    for path, content in files.items():
        if not (isinstance(path, str) and is_inside(path) and str(PurePosixPath(path)) == path):
            raise WrongReturnError("write", f"the path {path!r}", "paths inside the folder")
        if not isinstance(content, bytes):
            raise WrongReturnError("write", f"{describe(content)} as the content of {path}", "bytes")
        above = next((str(parent) for parent in PurePosixPath(path).parents if str(parent) in files), None)
        if above is not None:
            raise WrongReturnError("write", f"{above} as a file and as the folder of {path}", "one of them")
