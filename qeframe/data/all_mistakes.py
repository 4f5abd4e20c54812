"""All submissions in one pass: what cannot be read is noted and set aside, and the reader reads the others.

It works for every reader that finds its files by `visible` or `find_tasks`. A file is of a submission if it lies below
a folder whose name ends in ``submissions``, or below the one that `SubmissionFormat.folder` names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import frozen

from qeframe.core.errors import DataError, SubmissionsError, counted
from qeframe.core.task import PAIR
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
    """A mistake in a file of a submission.

    `place`: what is set aside: the file, or the folder of the submission. `error`: it says in which file and line, what
    is wrong, and the remedy.
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

    It is None too where the system does not say what is a folder, as without permission.

    `root`: the path that was given. `folder`: as in `SubmissionFormat`.
    """
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return None
    if not any(_holds_submissions(part, folder) for part in parts[:-1]):
        return None
    try:
        return _submitted(path, below=_holds_submissions(path.parent.name, folder))
    except OSError:
        return None


def _submitted(path: Path, *, below: bool) -> SubmittedFile | None:
    """Return the submission of a path among submissions; `below`: right below the folder of all of them."""
    if path.is_dir():
        inside = list(os.scandir(path))
        is_submission = below or (
            inside and not any(entry.is_dir() for entry in inside) and not PAIR.fullmatch(path.name)
        )
        return SubmittedFile(submission=_team(path.name), path=path) if is_submission else None
    if below or PAIR.fullmatch(path.parent.name) or any(entry.is_dir() for entry in list(os.scandir(path.parent))):
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
    return [
        path,
        *(path.with_name(twin) for twin in sorted(names - {path.name}) if os.path.isfile(path.with_name(twin))),
    ]


def _team(name: str) -> str:
    match = _NUMBERED.fullmatch(" ".join(name.split()))
    return match[1] if match else name


def submitted_files(root: Path, folder: str = "") -> list[SubmittedFile]:
    """Return where the submissions below a folder lie, in the order of their paths, read or not."""
    by_path: dict[Path, SubmittedFile] = {}
    for above, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and (place := submitted_file(Path(above, name), root, folder)):
                by_path[place.path] = place
    return list(by_path.values())


def in_one_pass(
    read: Callable[[], T], root: Path, folder: str, aside: Collection[Path] = ()
) -> tuple[T | None, list[Mistake], frozenset[Path]]:
    """Read until nothing of a submission is wrong: what has a mistake is noted, set aside, and all is read again.

    `read`: reads and checks everything; raises a `DataError` at the first mistake.
    `root`: the path that was given.
    `folder`: as in `SubmissionFormat`.
    `aside`: what is not read at all.

    Returns what was read, None if that fails for want of those that were set aside; the first mistake of each file, by
    submission; and what was set aside: that of these submissions, and the folders of tasks without any other.

    Raises DataError for a mistake that is in no submission, if none was found before.
    """
    mistakes, hidden = list[Mistake](), set(aside)
    value: T | None = None
    while True:
        try:
            with set_aside(hidden):
                value = read()
            break
        except DataError as error:
            where = submitted_file(Path(error.path), root, folder) if error.path is not None else None
            if emptied := _emptied(error, root, hidden):
                hidden.add(emptied)
                continue
            if where is None or where.path in hidden:
                if not mistakes:
                    raise
                break
            mistakes.append(Mistake(submission=where.submission, place=where.path, error=error))
            hidden.update(files_beside(where.path))
    return value, sorted(mistakes, key=_order), frozenset(hidden)


def _order(mistake: Mistake) -> tuple[str, Path, int]:
    return mistake.submission, mistake.place, mistake.error.line or 0


def _emptied(error: DataError, root: Path, hidden: Collection[Path]) -> Path | None:
    """Return the folder of a task that has no submission left, if an error is about that; it is not read any more."""
    if error.path is None or not os.path.isdir(folder := Path(error.path)):
        return None
    above = folder.parent if folder.name.endswith("submissions") else folder
    emptied = any(path.is_relative_to(folder) for path in hidden) and above not in hidden
    return above if emptied and above != root and above.is_relative_to(root) else None


def all_at_once(mistakes: Collection[Mistake], *, none_left: bool = False) -> DataError:
    """Return the error that lists the mistakes of files of submissions; that of a single one is one line.

    `none_left`: whether there is no submission without mistakes, so that none can be left out.
    """
    if len(mistakes) == 1:
        (error,) = (mistake.error for mistake in mistakes)
        without = "" if none_left else "leave it out: --skip-invalid, or --exclude NAME"
        setting = ", or ".join(filter(None, (error.setting, without)))
        return DataError(error.what, path=error.path, line=error.line, remedy=error.remedy, setting=setting)
    what = f"{counted(len(mistakes), 'file')} of submissions cannot be used; repair them"
    without = (
        ", no other submission is here" if none_left else ", or go on without them: --skip-invalid, or --exclude NAME"
    )
    return SubmissionsError(what + without, list(mistakes))


_MOST_KINDS = 20
"""The mistakes of a table that are listed, of each sort the first line."""


def refuse_all(place: Path, errors: Iterable[DataError]) -> None:
    """Raise an error for all mistakes in the lines of a table, if there are any; those of the same words are one.

    `place`: the path of the table.
    """
    ordered = sorted(errors, key=lambda error: (str(error.path), error.line or 0))
    of_words: dict[tuple[str, str], list[DataError]] = {}
    for error in ordered:
        of_words.setdefault((str(error.path), error.what), []).append(error)
    listed = [_with_count(first, len(more)) for first, *more in list(of_words.values())[:_MOST_KINDS]]
    more = f", of which the first {len(listed)} sorts" if len(listed) < len(of_words) else ""
    if len(listed) > 1:
        raise _of_several(place, listed, f"{counted(len(ordered), 'mistake')}{more}")
    for error in listed:
        raise error


def _with_count(error: DataError, more: int) -> DataError:
    """Return an error that says how many more lines are like its own."""
    like = f" (and {counted(more, 'more line')} like it)" if more else ""
    return DataError(
        f"{error.what}{like}", path=error.path, line=error.line, remedy=error.remedy, setting=error.setting
    )


@frozen
class _Listed:
    """A mistake in a list, with its file and line in the place of a submission."""

    submission: str
    message: str


def _of_several(place: Path, errors: Sequence[DataError], count: str) -> SubmissionsError:
    located = [str(error) if error.path is not None else f"{place}: {error}" for error in errors]
    return SubmissionsError(f"{place}: {count}", [_Listed(*text.split(": ", 1)) for text in located])
