"""The files that a participant handed in, as a platform unpacked them: from a stranger, so that nothing is followed.

Only regular files are read. A link could lead to the gold beside the submission; it is refused, wherever it leads.
"""

import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import and_more, is_pair

_MOST_FILES, _MOST_LEVELS = 2000, 8
_NOT_READ = re.compile(r"\..*|__MACOSX|metadata|metadata\.ya?ml", re.DOTALL)
"""Hidden names, and those that archives of macOS and platforms add to what an author handed in."""
_FOR_PEOPLE = re.compile(r"(readme|licen[cs]e)(\..*)?|.*\.(md|rst|pdf)", re.IGNORECASE | re.DOTALL)
"""Names of files for people, which no format of answers has."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+@=,-]{0,199}")


@frozen
class HandedIn:
    """The files of a submission by their path below the folder in which all of them are."""

    files: dict[str, Path]
    not_read: tuple[str, ...] = ()  # names: hidden ones, those that a platform adds, and texts such as README


def read_handed_in(root: Path, *, known: Collection[str], largest: int) -> HandedIn:
    """Find the files of a submission; no file is opened.

    Folders around all files are passed over, but those with `known` names. There is no link and nothing else than files
    and folders. All of them, also those that are not read, are at most 2,000 and have at most `largest` MiB. Paths in
    messages are those in the submission.
    """
    files, not_read, count, size = dict[str, Path](), list[str](), 0, 0
    pending = [("", root, True)]
    while pending:
        prefix, folder, read = pending.pop()
        for entry in _entries(folder, prefix):
            name, is_folder = prefix + entry.name, entry.is_dir(follow_symlinks=False)
            if entry.is_symlink():
                raise DataError("this is a link", path=name, remedy="hand in the file itself")
            if not (is_folder or entry.is_file(follow_symlinks=False)):
                raise DataError("this is neither a file nor a folder", path=name, remedy="hand in regular files")
            count, size = count + 1, size + (0 if is_folder else entry.stat(follow_symlinks=False).st_size)
            if count > _MOST_FILES:
                what = f"the submission has more than {_MOST_FILES} files and folders"
                raise DataError(what, remedy="hand in the files of the task alone")
            if size > largest << 20:
                what = f"the submission is too large: the bound is {largest} MiB"
                raise DataError(what, path=name, remedy="hand in less")
            for_people = not is_folder and entry.name not in known and _FOR_PEOPLE.fullmatch(entry.name)
            is_read = read and not (for_people or _NOT_READ.fullmatch(entry.name))
            if read and not is_read:
                not_read.append(name)
            if is_folder:
                if prefix.count("/") == _MOST_LEVELS:
                    raise DataError(f"more than {_MOST_LEVELS} folders in each other", path=name, remedy="flatten them")
                pending.append((f"{name}/", Path(entry.path), is_read))
            elif is_read:
                files[name] = Path(entry.path)
    if not files:
        raise DataError("the submission has no file", remedy="hand in a zip archive with your files")
    inner = _inner_folder(list(files), known)
    return HandedIn({name.removeprefix(inner): files[name] for name in sorted(files)}, tuple(sorted(not_read)))


def _entries(folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        what = f"the folder cannot be read: {error.strerror or type(error).__name__}"
        raise DataError(what, path=prefix or None, remedy="hand it in again") from None


def _inner_folder(names: Sequence[str], known: Collection[str]) -> str:
    """Return the folders, with a slash at the end, in which all files are, without those that belong to the task."""
    inner = ""
    while True:
        tops = {name.removeprefix(inner).partition("/")[0::2] for name in names}
        folders = {top for top, below in tops}
        (top,) = folders if len(folders) == 1 else ("",)
        if not top or top in known or any(not below for _, below in tops):
            return inner
        inner += f"{top}/"


def file_of_each(names: Sequence[str], folders: Sequence[str]) -> dict[str, str]:
    """Return the file for each task: ``TASK.*`` or the only file in a folder TASK; any file if it is the only task."""
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


def _is_of(name: str, folder: str) -> bool:
    top, slash, _ = name.partition("/")
    return top == folder or (not slash and top.startswith(f"{folder}."))


def files_in_shared(names: Sequence[str], folders: Sequence[str]) -> dict[str, str]:
    """Return the files for a folder that all tasks share: each keeps its path, of plain characters."""
    for name in names:
        if not all(map(_PLAIN_NAME.fullmatch, name.split("/"))):
            remedy = "use letters, digits and . _ + - @ = , alone, and begin with a letter, a digit or _"
            raise DataError("the name of a file or a folder cannot be used", path=name, remedy=remedy)
    missing = [folder for folder in folders if not any(name.rpartition("/")[0] == folder for name in names)]
    if missing:
        raise missing_tasks(missing, len(folders), "hand in its answers too")
    return {name: name for name in names}


def missing_tasks(missing: Sequence[str], number: int, remedy: str) -> DataError:
    """Return the error of a submission that lacks tasks; `number` is how many there are."""
    noun = "language pair" if all(map(is_pair, missing)) else "task"
    shares = f"the submission has {number - len(missing)} of {counted(number, noun)}, and all are scored together"
    return DataError(f"{noun} '{missing[0]}' is missing{and_more(len(missing))}: {shares}", remedy=remedy)
