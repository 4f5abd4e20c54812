"""Where the files of a task are: the gold that goes into a bundle, and the places of a submission's files beside it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.competitions import gold_folders
from qeframe.plugin.readers import Reader, SubmissionFormat, visible

SUBMISSIONS = "submissions"


@frozen
class Layout:
    """Where submissions are in the folder that a reader reads.

    Parameters
    ----------
    folders : tuple of str
        The folders of tasks. A submission has one file for each, which is put into the folder ``submissions`` in it.
    shared : str
        The one folder for the submissions to all tasks, such as ``metric-scores``. A submission has the files that are
        put into it, under their own names. Empty if there are folders of tasks.
    gold : str
        The name of the file of the gold in the folder of a task. Empty: it begins with gold.
    """

    folders: tuple[str, ...] = ()
    shared: str = ""
    gold: str = ""

    def is_gold(self, path: str) -> bool:
        """Return whether a file of a bundle, by its path, is the gold of a task with a folder of its own."""
        _, *inner = PurePosixPath(path).parts
        return len(inner) == 1 and (inner[0] == self.gold if self.gold else inner[0].startswith("gold"))

    def folders_in(self, root: Path) -> list[Path]:
        """Return the folders of tasks in the folder of a gold."""
        return gold_folders(root, gold=self.gold)


def submission_format(reader: Reader) -> SubmissionFormat:
    """Return how the reader reads a submission alone; raise a `DataError` if it cannot."""
    if reader.submission is None:
        what = f"the reader '{reader.name}' reads no file of one submission"
        raise DataError(what, remedy="choose a profile whose tasks have files of gold and files of submissions")
    return reader.submission


def find_layout(reader: Reader, gold: Path) -> Layout:
    """Return where the submissions are in the folder of a gold.

    Raises
    ------
    DataError
        If the reader cannot read one submission alone, or if no gold is in the folder.
    """
    form = submission_format(reader)
    if form.folder:
        visible(gold)
        return Layout(shared=form.folder)
    folders = gold_folders(gold, gold=form.gold)
    return Layout(folders=tuple(folder.resolve().name for folder in folders), gold=form.gold)


def reference_files(layout: Layout, gold: Path) -> dict[str, Path]:
    """Return the files of the gold by the path that they have in a bundle: all visible ones but the submissions."""
    if layout.shared:
        return _below(gold, "", layout.shared)
    folders = layout.folders_in(gold)
    return {
        name: path
        for folder in folders
        for name, path in _below(folder, f"{folder.resolve().name}/", SUBMISSIONS).items()
    }


def _below(folder: Path, prefix: str, without: str) -> dict[str, Path]:
    below: dict[str, Path] = {}
    for entry in visible(folder):
        if entry.is_dir() and entry.name != without:
            below |= _below(entry, f"{prefix}{entry.name}/", "")
        elif not entry.is_dir():
            below[prefix + entry.name] = entry
    return below


def place(layout: Layout, files: Mapping[str, Path], root: Path) -> dict[Path, str]:
    """Copy the files of a submission to their places beside a gold.

    Parameters
    ----------
    files : mapping of str to Path
        By folder of a task, or by path in the shared folder.
    root : Path
        The folder that holds the gold.

    Returns
    -------
    dict of Path to str
        The key in `files` of every file that was made.
    """
    placed = {}
    for name, source in files.items():
        target = root / layout.shared / PurePosixPath(name) if layout.shared else _in_task(root / name, source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        placed[target] = name
    return placed


def _in_task(folder: Path, source: Path) -> Path:
    """Return the place in the folder of a task. The name says nothing: authors choose the names of their files."""
    ending = source.suffix if source.suffix.isascii() and source.suffix[1:].isalnum() else ".txt"
    return folder / SUBMISSIONS / f"submission{ending[:12]}"
