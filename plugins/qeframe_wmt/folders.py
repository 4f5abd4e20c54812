"""The common layout of a task's folder: a gold file, and a folder of submissions.

``PATH/gold.*`` and ``PATH/submissions/*`` are one task, named by the folder. A PATH that holds neither may hold folders
of that layout, one a task. Hidden files are ignored, and so is anything else beside these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, Input, Side, TextFile, parse_numbers, split_columns

__all__ = ["TaskFolder", "check_pairs", "find_tasks", "gold_by_line", "input_of", "visible"]

_PAIR = re.compile("[A-Za-z]{2,3}-[A-Za-z]{2,3}")
_LAYOUT = "a task is a folder with one file gold.* and a folder submissions, PATH is one or holds some"


@frozen
class TaskFolder:
    """The files of one task.

    Parameters
    ----------
    name : str
        The folder's name.
    submissions : tuple of Path
        In the order of their names; at least one.
    """

    name: str
    path: Path
    gold: Path
    submissions: tuple[Path, ...]


def find_tasks(root: Path) -> list[TaskFolder]:
    """Return the tasks in a folder: itself, or the folders in it, in the order of their names.

    Raises
    ------
    DataError
        If there is no such folder, if it holds no task, or if a task lacks its gold or its submissions.
    """
    if root.exists() and not root.is_dir():
        raise DataError("this is a file, a folder is expected", path=root, remedy=_LAYOUT)
    if _is_task(root):
        return [_task(root)]
    found = [_task(folder) for folder in visible(root) if folder.is_dir() and _is_task(folder)]
    if not found:
        raise DataError("neither a gold file nor folders of tasks are here", path=root, remedy=_LAYOUT)
    return found


def visible(folder: Path) -> list[Path]:
    """Return what is in a folder, in the order of names, without hidden entries."""
    try:
        return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except FileNotFoundError:
        raise DataError("there is no such folder", path=folder, remedy="check the path") from None
    except PermissionError:
        raise DataError("no permission to read the folder", path=folder, remedy="make it readable for you") from None


def _gold_files(folder: Path) -> list[Path]:
    return [entry for entry in visible(folder) if entry.name.startswith("gold") and not entry.is_dir()]


def _is_task(folder: Path) -> bool:
    return bool(_gold_files(folder)) or (folder / "submissions").is_dir()


def _task(folder: Path) -> TaskFolder:
    gold = _gold_files(folder)
    if not gold:
        raise DataError("there are submissions, but no file gold.*", path=folder, remedy=_LAYOUT)
    if len(gold) > 1:
        names = ", ".join(file.name for file in gold)
        raise DataError(f"{len(gold)} gold files: {names}", path=folder, remedy="keep one, rename the others")
    if not (folder / "submissions").is_dir():
        raise DataError("there is a gold file, but no folder submissions", path=folder, remedy=_LAYOUT)
    return TaskFolder(folder.resolve().name, folder, gold[0], _submissions(folder / "submissions"))


def _submissions(folder: Path) -> tuple[Path, ...]:
    files = visible(folder)
    for file in files:
        if file.is_dir():
            raise DataError("a folder among the submissions", path=file, remedy="move its files up, or it elsewhere")
    if not files:
        raise DataError("no submission is here", path=folder, remedy="put one file a submission into it")
    return tuple(files)


def check_pairs(files: Sequence[TextFile], pairs: Sequence[str], task: TaskFolder, *, line: int) -> None:
    """Refuse files of different language pairs, and of another one than that which the folder is named after.

    Parameters
    ----------
    pairs : sequence of str
        The language pair of every file, which it states on the given line.

    Raises
    ------
    DataError
        For the first file of another language pair than the name of the folder, or than most of them have.
    """
    named = _PAIR.fullmatch(task.name) is not None
    usual, _ = Counter(pairs).most_common(1)[0]
    for file, pair in zip(files, pairs, strict=True):
        if named and pair.strip().lower() != task.name.lower():
            remedy = "move the file to the folder of its language pair, or rename the folder"
            raise file.error(f"LP '{pair}' in a folder named {task.name}", line=line, remedy=remedy)
        if pair != usual:
            what = f"LP '{pair}', but '{usual}' in {files[pairs.index(usual)].path}"
            raise file.error(what, line=line, remedy="a task has one language pair, move the file to its own")


def gold_by_line(file: TextFile, *, first: int) -> Side:
    """Return gold of one number a line, the first of which is segment `first`."""
    (texts,) = split_columns(file, ("NUMBER",))
    values = parse_numbers(texts, file)
    lines = np.arange(1, len(values) + 1)
    return Side(name="gold", ids=lines + (first - 1), values=values, path=str(file.path), lines=lines)


def input_of(file: TextFile, root: Path) -> Input:
    """Return the record of a file that was read, its path relative to the place that was asked for."""
    inside = file.path != root and file.path.is_relative_to(root)
    return Input(file.path.relative_to(root).as_posix() if inside else file.path.name, file.sha256)
