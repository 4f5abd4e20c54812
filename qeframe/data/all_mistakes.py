"""All submissions in one pass: what cannot be read is noted and set aside, and the reader reads the others.

It works for every reader that finds its files by `visible` or `find_tasks`. A file is of a submission if it lies below
a folder whose name ends in ``submissions``, or below the one that `SubmissionFormat.folder` names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TypeVar

from attrs import frozen

from qeframe.core.errors import DataError, SubmissionsError, counted
from qeframe.core.tasks.task import PAIR
from qeframe.data.folders import set_aside

T = TypeVar("T")
_NUMBERED = re.compile(r"(?:Team )?(.+?)(?: - \d+ submissions?)?")
"""The folder of a submission as published in 2022: "TEAM - N submission"."""


@frozen(kw_only=True)
class SubmittedFile:
    """Where a submission lies: its file, or the folder that holds nothing but its files."""

    submission: str
    path: Path


@frozen(kw_only=True)
class Mistake:
    """The first mistake in one file of a submission.

    Parameters
    ----------
    submission : str
    place : Path
        What is set aside: the file, or the folder of the submission.
    error : DataError
        It says in which file and line, what is wrong, and the remedy.
    """

    submission: str
    place: Path
    error: DataError

    @property
    def message(self) -> str:
        """The line of the error."""
        return str(self.error)

    @property
    def short(self) -> str:
        """What is wrong and in which line, without the file and the remedy."""
        error = self.error
        return error.what if error.line is None else f"line {error.line}: {error.what}"


def submitted_file(path: Path, root: Path, folder: str = "") -> SubmittedFile | None:
    """Return the submission that a file or folder belongs to; None if it is of the gold, or of all submissions.

    Parameters
    ----------
    root : Path
        The path that was given.
    folder : str
        As in `SubmissionFormat`.
    """
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return None
    if not any(_holds_submissions(part, folder) for part in parts[:-1]):
        return None
    below = _holds_submissions(path.parent.name, folder)
    if path.is_dir():
        inside = list(os.scandir(path))
        alone = below or (inside and not any(each.is_dir() for each in inside) and not PAIR.fullmatch(path.name))
        return SubmittedFile(submission=_team(path.name), path=path) if alone else None
    if below or PAIR.fullmatch(path.parent.name) or any(each.is_dir() for each in list(os.scandir(path.parent))):
        return SubmittedFile(submission=_without_levels(path), path=path)
    return SubmittedFile(submission=_team(path.parent.name), path=path.parent)


def _holds_submissions(name: str, folder: str) -> bool:
    return name.endswith("submissions") or (folder != "" and (name == folder or name.endswith(f"-{folder}")))


def _without_levels(path: Path) -> str:
    return path.stem.removesuffix(".seg").removesuffix(".sys").removesuffix(".domain")


def files_beside(path: Path) -> list[Path]:
    """Return a file with those beside it that have scores of the same submission at other levels."""
    name, ending = _without_levels(path), path.suffix
    names = (
        {f"{name}{level}{ending}" for level in ("", ".seg", ".sys", ".domain")} if name != path.stem else {path.name}
    )
    return [path, *(path.with_name(each) for each in sorted(names - {path.name}) if path.with_name(each).is_file())]


def _team(name: str) -> str:
    found = _NUMBERED.fullmatch(" ".join(name.split()))
    return found[1] if found else name


def submitted_files(root: Path, folder: str = "") -> list[SubmittedFile]:
    """Return where the submissions below a folder lie, in the order of their paths, read or not."""
    found: dict[Path, SubmittedFile] = {}
    for above, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and (place := submitted_file(Path(above, name), root, folder)):
                found[place.path] = place
    return list(found.values())


def in_one_pass(
    read: Callable[[], T], root: Path, folder: str, aside: Collection[Path] = ()
) -> tuple[T | None, list[Mistake]]:
    """Read until nothing of a submission is wrong: what has a mistake is noted, set aside, and all is read again.

    Parameters
    ----------
    read : callable
        Reads and checks everything; raises a `DataError` at the first mistake.
    root : Path
        The path that was given.
    folder : str
        As in `SubmissionFormat`.
    aside : collection of Path
        What is not read at all.

    Returns
    -------
    what `read` returns of the submissions without a mistake
        None if that fails for want of those that were set aside.
    list of Mistake
        In the order in which they were found: one for each file.

    Raises
    ------
    DataError
        For a mistake that is in no submission, if none was found before.
    """
    mistakes: list[Mistake] = []
    hidden = set(aside)
    while True:
        try:
            with set_aside(hidden):
                return read(), mistakes
        except DataError as error:
            where = submitted_file(Path(error.path), root, folder) if error.path is not None else None
            if where is None or where.path in hidden:
                if not mistakes:
                    raise
                return None, mistakes
            hidden.update(files_beside(where.path))
            mistakes.append(Mistake(submission=where.submission, place=where.path, error=error))


def all_at_once(mistakes: Collection[Mistake]) -> SubmissionsError:
    """Return the error that lists the mistakes of several files."""
    what = f"{counted(len(mistakes), 'file')} of submissions cannot be used; repair them, or go on without them"
    return SubmissionsError(f"{what}: --skip-invalid, or --exclude NAME", list(mistakes))
