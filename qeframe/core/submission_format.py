"""`SubmissionFormat`: how one file of a submission is read without the gold, and what its lines hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import field, frozen

from qeframe.core.batch import read_only_mapping
from qeframe.core.display import Brief
from qeframe.core.reading import Submitted


@frozen(kw_only=True, repr=False)
class LineFormat(Brief):
    """The lines of a file of a submission, for those who write one: in words, and as an example without real answers.

    Parameters
    ----------
    columns : mapping of str to str
        What each column of a line holds, by its name, in order: a sentence without its subject. A single column may
        have any number of cells. The first of several may be absent, where all others are there.
    answers : mapping of str to (tuple of str)
        By column that is an answer, cells that are right for any unit, at least two that differ: an example has them
        line after line. Columns of one line have cells of one position.
    author : tuple of str
        The columns that name the submission.
    header : tuple of (str, str)
        An example of each line before the others, and what it holds.
    separator : str
        What is between columns.
    missing : str
        How a unit without an answer is written. Empty: it has no line, and there is no sign for it.
    """

    columns: Mapping[str, str] = field(converter=read_only_mapping)
    answers: Mapping[str, tuple[str, ...]] = field(converter=read_only_mapping)
    author: tuple[str, ...] = ()
    header: tuple[tuple[str, str], ...] = ()
    separator: str = "\t"
    missing: str = ""


@frozen(kw_only=True, repr=False)
class SubmissionFormat(Brief):
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
    naming : tuple of str
        Files beside the gold that name submissions, such as ``thresholds.jsonl``. They stay out of the bundle of a
        competition: a platform scores each submission alone.
    gold : str
        The name of the file of the gold in the folder of a task. Empty: it begins with gold.
    known_as : callable, optional
        From the name of a file without its ending to the name under which the submission may be evaluated. By default
        they are the same.
    enter : callable, optional
        From the name of a submission that the user enters, its file or folder, and PATH to the files as the reader
        finds them in PATH, each with the file of the user that it is made of, and its content. By default they lie
        beside the submissions that are there.
    lines : LineFormat, optional
        The lines of the file, for pages that tell participants how to write one. None: they are not described.
    """

    read: Callable[[Path], Sequence[Submitted]]
    parts: Literal["language pair", "system"] = "language pair"
    first: int | None = None
    read_input: Callable[[Path], Sequence[Submitted]] | None = None
    check: Callable[[Submitted, Submitted], None] | None = None
    folder: str = ""
    naming: tuple[str, ...] = ()
    gold: str = ""
    known_as: Callable[[str], str] | None = None
    enter: Callable[[str, Path, Path], Mapping[Path, tuple[Path, bytes]]] | None = None
    lines: LineFormat | None = None
