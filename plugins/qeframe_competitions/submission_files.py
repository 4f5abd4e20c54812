"""The files that a participant handed in, as a platform unpacked them: from a stranger, so that nothing is followed.

Only regular files are read. A link could lead to the gold beside the submission; it is refused, wherever it leads.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import is_pair

MEBIBYTE = 1 << 20
_MOST_FILES, _MOST_LEVELS = 2000, 8
_OF_PLATFORMS = frozenset({"__MACOSX", "metadata", "metadata.yaml", "metadata.yml"})
"""Names that archives of macOS and platforms add to what an author handed in."""
_NO_ANSWER = re.compile(r"(readme|licen[cs]e)(\..*)?|.*\.(md|rst|pdf)", re.IGNORECASE)
"""Names of files for people, which no format of answers has."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+@=,-]{0,199}")


@frozen
class HandedIn:
    """The files of a submission."""

    files: Mapping[str, Path]  # by their path below the folder in which all of them are; sorted
    left_out: tuple[str, ...] = ()  # not read: hidden ones, those that a platform adds, and texts such as README


def read_handed_in(root: Path, *, known: Sequence[str], largest: int) -> HandedIn:
    """Find the files of a submission; no file is opened.

    Folders around all files are passed over, but those with `known` names: an archive may hold one folder with the
    files in it. The folder that the platform unpacked the submission into may be a link itself. There is a file, no
    link, nothing else than files and folders, and all files together have at most `largest` MiB; paths in messages are
    those in the submission.
    """
    files: dict[str, Path] = {}
    left_out: list[str] = []
    size = 0
    pending = [("", root, 0)]
    while pending:
        prefix, folder, level = pending.pop()
        for entry in _entries(folder, prefix):
            name = prefix + entry.name
            if entry.is_symlink():
                raise DataError("this is a link", path=name, remedy="hand in the file itself")
            for_people = _NO_ANSWER.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            if entry.name.startswith(".") or entry.name in _OF_PLATFORMS or (for_people and entry.name not in known):
                left_out.append(name)
            elif entry.is_dir(follow_symlinks=False):
                if level == _MOST_LEVELS:
                    raise DataError(f"more than {_MOST_LEVELS} folders in each other", path=name, remedy="flatten them")
                pending.append((f"{name}/", Path(entry.path), level + 1))
            elif not entry.is_file(follow_symlinks=False):
                raise DataError("this is neither a file nor a folder", path=name, remedy="hand in regular files")
            else:
                size += entry.stat(follow_symlinks=False).st_size
                files[name] = Path(entry.path)
                _check_size(name, size, len(files), largest)
    if not files:
        raise DataError("the submission has no file", remedy="hand in a zip archive with your files")
    inner = _inner_folder(list(files), known)
    return HandedIn({name.removeprefix(inner): files[name] for name in sorted(files)}, tuple(sorted(left_out)))


def _entries(folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        what = f"the folder cannot be read: {reason}"
        raise DataError(what, path=prefix or None, remedy="hand it in again") from None


def _check_size(name: str, size: int, files: int, largest: int) -> None:
    if size > largest * MEBIBYTE:
        raise DataError(f"the submission is too large: the bound is {largest} MiB", path=name, remedy="hand in less")
    if files > _MOST_FILES:
        what = f"the submission has more than {_MOST_FILES} files"
        raise DataError(what, remedy="hand in the files of the task alone")


def _inner_folder(names: Sequence[str], known: Sequence[str]) -> str:
    """Return the folders, with a slash at the end, in which all files are, without those that belong to the task."""
    inner = ""
    while True:
        tops = {name.removeprefix(inner).partition("/")[0::2] for name in names}
        folders = {top for top, below in tops}
        (top,) = folders if len(folders) == 1 else ("",)
        if not top or top in known or any(not below for _, below in tops):
            return inner
        inner += f"{top}/"


def file_of_each(handed_in: HandedIn, folders: Sequence[str]) -> dict[str, str]:
    """Return the file for each task: ``TASK.*`` or the only file in a folder TASK; any file if it is the only task."""
    names = list(handed_in.files)
    if len(folders) == 1 and len(names) == 1:
        return {folders[0]: names[0]}
    of_task = {folder: [name for name in names if _is_of(name, folder)] for folder in folders}
    missing = [folder for folder, files in of_task.items() if not files]
    if missing and len(folders) == 1:
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        what = f"{counted(len(names), 'file')} may be the answer: {shown}"
        raise DataError(what, remedy=f"hand in one, or name it {missing[0]}.txt")
    if missing:
        raise missing_tasks(missing, len(folders), f"add a file {missing[0]}.txt to the archive")
    several = next((files for files in of_task.values() if len(files) > 1), None)
    if several:
        raise DataError(f"a task has one file, {several[1]} is for the same", path=several[0], remedy="hand in one")
    return {folder: files[0] for folder, files in of_task.items()}


def missing_tasks(missing: Sequence[str], number: int, remedy: str) -> DataError:
    """Return the error of a submission that lacks tasks; `number` is how many there are."""
    noun = "language pair" if all(map(is_pair, missing)) else "task"
    more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
    shares = f"the submission has {number - len(missing)} of {counted(number, noun)}, and all are scored together"
    return DataError(f"{noun} '{missing[0]}' is missing{more}: {shares}", remedy=remedy)


def _is_of(name: str, folder: str) -> bool:
    top, slash, _ = name.partition("/")
    return top == folder or (not slash and top.startswith(f"{folder}."))


def files_of_all(handed_in: HandedIn) -> dict[str, str]:
    """Return the files for a folder that all tasks share: each keeps its path, of plain characters."""
    for name in handed_in.files:
        if not all(map(_PLAIN_NAME.fullmatch, name.split("/"))):
            remedy = "use letters, digits and . _ + - @ = , alone, and begin with a letter, a digit or _"
            raise DataError("the name of a file or a folder cannot be used", path=name, remedy=remedy)
    return {name: name for name in handed_in.files}
