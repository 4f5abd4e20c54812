"""Files in a folder: all of them are written, or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from qeframe.errors import DataError

__all__ = ["NO_FIGURES", "Report", "write_files"]

NO_FIGURES = 'figures skipped: matplotlib is not installed; pip install "qeframe[report]"'


@frozen
class Report:
    """The files that were written.

    Parameters
    ----------
    paths : tuple of Path
        The files, the most important first.
    notes : tuple of str
        Lines that say what was left out, and the remedy.
    """

    paths: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by name, into a folder: all of them, or none.

    Raises
    ------
    DataError
        If the folder cannot be written to.
    """
    try:
        _replace_all(folder, files)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"cannot write the report: {reason}", path=folder, remedy="choose another folder") from error


def _replace_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files into a folder, or leave the folder unchanged."""
    made = _make(folder)
    staging: Path | None = None
    try:
        staging = Path(tempfile.mkdtemp(prefix=".qeframe-", dir=folder))
        for name, content in files.items():
            (staging / name).write_bytes(content)
        _swap_in(folder, staging, list(files))
    except BaseException:
        for path in [folder, *made] if made else []:
            shutil.rmtree(path, ignore_errors=True)
        raise
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


def _make(folder: Path) -> list[Path]:
    """Create a folder and its parents; return those that did not exist, the innermost first."""
    absent = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return absent


def _swap_in(folder: Path, staging: Path, names: Sequence[str]) -> None:
    """Move the staged files over files of the same names; if a move fails, undo the others."""
    former = staging / "former"
    former.mkdir()
    for name in names:
        if (folder / name).is_file():
            shutil.copy2(folder / name, former / name)
    moved: list[str] = []
    try:
        for name in names:
            os.replace(staging / name, folder / name)
            moved.append(name)
    except BaseException:
        for name in moved:
            if (former / name).exists():
                os.replace(former / name, folder / name)
            else:
                (folder / name).unlink()
        raise
