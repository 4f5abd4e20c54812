"""`Writer`: a format in which tasks are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from attrs import field, frozen

from qeframe.core.batches.base import Batch, read_only_mapping
from qeframe.core.components.checks.work import at_work
from qeframe.core.components.component import Component
from qeframe.core.errors import DataError
from qeframe.core.resampling.return_checks import WrongReturnError, describe
from qeframe.core.tasks.reading import Reading
from qeframe.core.tasks.task import Dropped
from qeframe.extensions.published.data_source import is_inside


@frozen(kw_only=True)
class Written:
    """What a writer makes of tasks.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of each file by its path inside the folder, with slashes.
    dropped : tuple of Dropped
        What of the tasks is in no file, or not as it was read, with counts and reasons.
    """

    files: Mapping[str, bytes] = field(converter=read_only_mapping, repr=False)
    dropped: tuple[Dropped, ...] = ()


@frozen(kw_only=True, repr=False)
class Writer(Component):
    """A format in which tasks are written, such as the layout of a published data set.

    Parameters
    ----------
    kinds : tuple of type
        The kinds of batch that it can write.
    write : callable
        From the readings of all tasks, each of one of `kinds`, to `Written`. Submissions that were computed from texts
        are in the readings. It raises a `DataError` for a task that the format cannot hold.
    """

    kinds: tuple[type[Batch], ...]
    write: Callable[[Sequence[Reading]], Written]

    def __attrs_post_init__(self) -> None:
        are_kinds = isinstance(self.kinds, tuple) and all(
            isinstance(k, type) and issubclass(k, Batch) for k in self.kinds
        )
        if not (are_kinds and self.kinds):
            raise DataError(f"writer '{self.name}': kinds is {describe(self.kinds)}, not a tuple of classes of batches")
        if not callable(self.write):
            raise DataError(f"writer '{self.name}': write is {describe(self.write)}, not a function of readings")


def write(writer: Writer, readings: Sequence[Reading]) -> Written:
    """Return the files of tasks.

    Raises DataError if a task is of a kind that the format cannot hold. Raises PluginError if the writer fails, or
    returns anything but files inside the folder.
    """
    for reading in readings:
        if not issubclass(reading.kind, writer.kinds):
            kinds = " and ".join(kind.__name__ for kind in writer.kinds)
            what = f"task '{reading.name}' cannot be written as {writer.name}: it is of {reading.kind.__name__}"
            raise DataError(what, remedy=f"the format holds {kinds}")
    with at_work(writer, "write"):
        files: Any = writer.write(readings)
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
