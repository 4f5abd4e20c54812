"""The common layout of a task's folder: a gold file, and a folder of submissions.

``PATH/gold.*`` and ``PATH/submissions/*`` are one task, named by the folder. A PATH without these may be a folder of
such folders, one a task. Hidden files and all other files are ignored. A pipe, a device, a socket or a link to nothing
in a folder is an error, since a reader would wait for it or miss it. So is a link to a file in another folder, such as
one from submissions to the gold, and to another folder; a whole task may be a link, and so may the path that the user
names.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

import numpy as np
from attrs import frozen

from qeframe.core.errors import DataError
from qeframe.core.reading import TextFile, UnitValues
from qeframe.data.file_bytes import status_of, unreadable
from qeframe.data.text_lines import parse_numbers, split_columns

_LAYOUT = "a task is a folder with one file gold.* and a folder submissions, PATH is one or holds some"


_SET_ASIDE: ContextVar[frozenset[Path]] = ContextVar("set aside", default=frozenset())


@contextmanager
def set_aside(paths: Collection[Path]) -> Iterator[None]:
    """Let every reader pass over some files and folders: `visible` does not list them."""
    token = _SET_ASIDE.set(frozenset(path.absolute() for path in paths))
    try:
        yield
    finally:
        _SET_ASIDE.reset(token)


_ADDED: ContextVar[Mapping[Path, tuple[Path, ...]]] = ContextVar("added", default=MappingProxyType({}))


@contextmanager
def added(files: Mapping[Path, Sequence[Path]]) -> Iterator[None]:
    """Let every reader see more files in some folders: `visible` lists them after the folder's own."""
    token = _ADDED.set({folder.absolute(): tuple(of_folder) for folder, of_folder in files.items()})
    try:
        yield
    finally:
        _ADDED.reset(token)


def is_added(file: Path) -> bool:
    """Return whether a file was entered by the user beside those of the folder, so that no list has its name."""
    return any(file in of_folder for of_folder in _ADDED.get().values())


@frozen
class TaskFolder:
    """The files of one task.

    Parameters
    ----------
    name : str
        The name of the folder.
    path : Path
        The folder.
    gold : Path
    submissions : tuple of Path
        In the order of their names; at least one.
    """

    name: str
    path: Path
    gold: Path
    submissions: tuple[Path, ...]


def find_tasks(root: Path, *, gold: str = "") -> list[TaskFolder]:
    """Return the tasks in a folder: the folder itself, or the task folders in it, in the order of their names.

    Parameters
    ----------
    gold : str
        The name of the file of the gold, such as expected.tsv. Empty: the one whose name begins with gold.

    Raises
    ------
    DataError
        If there is no such folder, if it holds no task, if a task lacks its gold or its submissions, or if a task has
        another one in its folder.
    """
    if os.path.lexists(root) and not stat.S_ISDIR(status_of(root).st_mode):
        remedy = f"{_LAYOUT}; a table of your own is read by 'qeframe run qe PATH' or 'qeframe run metrics PATH'"
        raise DataError("this is a file, a folder is expected", path=root, remedy=remedy)
    if gold and Path(gold).name != gold:
        raise DataError(f"gold = '{gold}' must be the name of a file", remedy="name the file beside submissions")
    return [_task(folder, gold) for folder in _folders_of_tasks(root, gold)]


def gold_folders(root: Path, *, gold: str = "") -> list[Path]:
    """Return the folders of tasks, with submissions or without: the folder itself, or those in it.

    Parameters
    ----------
    gold : str
        The name of the file of the gold. Empty: the one whose name begins with gold.

    Raises
    ------
    DataError
        If there is no such folder, or if no folder of a task has one file gold.*.
    """
    folders = _folders_of_tasks(root, gold)
    for folder in folders:
        _gold_file(folder, gold)
    return folders


def _folders_of_tasks(root: Path, gold: str) -> list[Path]:
    folders = [root] if _is_task(root, gold) else [f for f in visible(root) if f.is_dir() and _is_task(f, gold)]
    if not folders:
        raise DataError("neither a gold file nor folders of tasks are here", path=root, remedy=_layout(gold))
    return folders


def visible(folder: Path) -> list[Path]:
    """Return the entries of a folder in the order of their names, without hidden ones and those that are set aside.

    Raises
    ------
    DataError
        If there is no such folder or no permission to read it, if an entry is neither a file nor a folder, or if it is
        a link out of the folder. The folder of a task may be such a link.
    """
    try:
        with os.scandir(folder) as entries:
            aside = {path.name for path in _SET_ASIDE.get() if path.parent == folder.absolute()}
            seen = [entry for entry in entries if entry.name[0] != "." and entry.name not in aside]
            by_name = sorted((entry.name, _is_file_or_folder(entry)) for entry in seen)
            links = sorted(entry.name for entry in seen if entry.is_symlink())
    except FileNotFoundError:
        if folder.absolute() in _ADDED.get():
            return list(_ADDED.get()[folder.absolute()])
        raise DataError("there is no such folder", path=folder, remedy="check the path") from None
    except PermissionError:
        raise DataError("no permission to read the folder", path=folder, remedy="make it readable for you") from None
    except NotADirectoryError:
        raise DataError("this is a file, a folder is expected", path=folder, remedy="check the path") from None
    except OSError as error:
        raise unreadable(folder, error) from error
    for name, is_usable in by_name:
        if not is_usable:
            status_of(folder / name)
    for name in links:
        _check_link(folder / name)
    return [*(folder / name for name, _ in by_name), *_ADDED.get().get(folder.absolute(), ())]


def _check_link(link: Path) -> None:
    """Refuse a link to something else than a file beside it or the folder of a whole task."""
    target = link.resolve()
    if _is_task(target) and link.name != "submissions" if target.is_dir() else target.parent == link.parent.resolve():
        return
    remedy = "put what it leads to in its place ('cp -rL FOLDER COPY' follows all links of a folder), or remove it"
    raise DataError(f"a link that leads out of its folder, to {target}", path=link, remedy=remedy)


def _is_file_or_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file() or entry.is_dir()
    except OSError:  # a link that leads back to itself
        return False


def has_file(path: Path) -> bool:
    """Return whether something has this name; reading it refuses what is no file, such as a link to nothing.

    Raises DataError if the system does not say.
    """
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        raise unreadable(path, error) from error
    return True


def has_folder(path: Path) -> bool:
    """Return whether a folder has this name; raise a `DataError` if something else has it."""
    if not has_file(path):
        return path.absolute() in _ADDED.get()
    if not stat.S_ISDIR(status_of(path).st_mode):
        raise DataError("this is a file, a folder is expected", path=path, remedy="rename it, or remove it")
    return True


def _layout(gold: str) -> str:
    return _LAYOUT.replace("gold.*", gold) if gold else _LAYOUT


def _gold_files(folder: Path, gold: str) -> list[Path]:
    files = [entry for entry in visible(folder) if not entry.is_dir()]
    return [file for file in files if (file.name == gold if gold else file.name.startswith("gold"))]


def _is_task(folder: Path, gold: str = "") -> bool:
    return bool(_gold_files(folder, gold)) or (folder / "submissions").is_dir()


def _task(folder: Path, gold: str) -> TaskFolder:
    for below in visible(folder):
        if below.is_dir() and below.name != "submissions" and _is_task(below, gold):
            remedy = "move it beside the other task: PATH is a task, or holds tasks"
            raise DataError("a task in the folder of another task", path=below, remedy=remedy)
    file = _gold_file(folder, gold)
    if not (folder / "submissions").is_dir():
        raise DataError("there is a gold file, but no folder submissions", path=folder, remedy=_layout(gold))
    return TaskFolder(folder.resolve().name, folder, file, _submissions(folder / "submissions"))


def _gold_file(folder: Path, gold: str = "") -> Path:
    files = _gold_files(folder, gold)
    if not files:
        what = f"there are submissions, but no file {gold or 'gold.*'}"
        raise DataError(what, path=folder, remedy=_layout(gold))
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        raise DataError(f"{len(files)} gold files: {names}", path=folder, remedy="keep one, rename the others")
    return files[0]


def _submissions(folder: Path) -> tuple[Path, ...]:
    files = visible(folder)
    for file in files:
        if file.is_dir():
            remedy = "move its files up, or move the folder elsewhere"
            raise DataError("a folder among the submissions", path=file, remedy=remedy)
    if not files:
        raise DataError("no submission is here", path=folder, remedy="put one file for each submission into it")
    return tuple(files)


def gold_by_line(file: TextFile, *, first: int) -> UnitValues:
    """Return a gold of one number a line, whose line numbers are the ids of the submissions by the layout's rule.

    Parameters
    ----------
    first : int
        The id of the segment on the first line.

    Raises
    ------
    DataError
        For a line that is not one finite number.
    """
    (texts,) = split_columns(file, ("NUMBER",))
    values = parse_numbers(texts, file)
    lines = np.arange(1, len(values) + 1)
    ids = lines + (first - 1)
    return UnitValues(name="gold", ids=ids, values=values, path=str(file.path), lines=lines, known_by="line_number")
