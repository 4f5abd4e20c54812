"""`Reader`: a format of shared-task files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from qeframe.batches.base import Batch, Best, read_only_mapping
from qeframe.components.component import Component
from qeframe.errors import DataError
from qeframe.resampling.returned import describe

if TYPE_CHECKING:
    from qeframe.tasks.reading import Reading
    from qeframe.tasks.submitted import Submitted


__all__ = ["Reader", "SubmissionFormat"]


@frozen(kw_only=True)
class SubmissionFormat:
    """How one file of a submission is read without the gold: what ``qeframe validate`` checks.

    Parameters
    ----------
    read : callable
        From the path of the file to a `Submitted` for each of its parts. It uses the functions of `Reader.read`, so
        that both refuse the same files.
    parts : {"language pair", "system"}
        What the parts of a file are.
    first : int, optional
        The number of the unit on the first line of the task's source text. None: units are not lines of a text.
    read_input : callable, optional
        From the path of the public input of the task to a `Submitted` for each part, if the input has a format of its
        own. It also reads another submission. By default the input is a source text or another submission.
    check : callable, optional
        From the expected `Submitted` and the given one; raises a `DataError` if they do not belong together: if a
        sentence has another number of tags, say. It leaves units that only one of them has to the caller. It is not
        called for a source text.
    folder : str
        The folder in PATH that holds the submissions to all tasks, such as ``metric-scores``. Empty: every task has a
        folder with its gold and a folder ``submissions``, with one file for each submission.
    as_gold : callable, optional
        From the paths of a file of gold and of a file of answers to the same units, to the content of a gold with these
        answers: the bundle of a competition can then have a pseudo-gold. It is not needed where a task has a folder of
        its own and its gold has one number, or the tags of a sentence, on a line.
    """

    read: Callable[[Path], Sequence[Submitted]]
    parts: Literal["language pair", "system"] = "language pair"
    first: int | None = None
    read_input: Callable[[Path], Sequence[Submitted]] | None = None
    check: Callable[[Submitted, Submitted], None] | None = None
    folder: str = ""
    as_gold: Callable[[Path, Path], bytes] | None = None


@frozen(kw_only=True)
class Reader(Component):
    """A format of shared-task files.

    Parameters
    ----------
    kind : type
        The kind of batch in the tasks that it reads.
    read : callable
        From a path and the better end of the gold scale ("low" or "high") to one `Reading` for each task.
    example : mapping of str to str or bytes
        A small task, for the laws: the content of each file by its relative path. A single file is read itself, several
        as a folder. Empty: the laws try no files.
    submission : SubmissionFormat, optional
        How one file of a submission is read without the gold. None: it cannot be read alone.
    """

    kind: type[Batch]
    read: Callable[[Path, Best], Sequence[Reading]]
    example: Mapping[str, str | bytes] = field(factory=dict, converter=read_only_mapping)
    submission: SubmissionFormat | None = None

    def __attrs_post_init__(self) -> None:
        if not (isinstance(self.kind, type) and issubclass(self.kind, Batch)):
            raise DataError(f"reader '{self.name}': kind is {describe(self.kind)}, not a class of batches")
        if not callable(self.read):
            raise DataError(f"reader '{self.name}': read is {describe(self.read)}, not a function of a path")
        if not (self.submission is None or isinstance(self.submission, SubmissionFormat)):
            raise DataError(f"reader '{self.name}': submission is {describe(self.submission)}, not a SubmissionFormat")
