"""The files of a result: all of them are written, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from qeframe.errors import DataError
from qeframe.report.folders.result_folder import ResultFolder

__all__ = ["NO_FIGURES", "Report", "write_file", "write_files"]

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


def write_files(out: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """Make files, by name, the whole content of a folder: all of them, or none.

    An earlier result in the folder is replaced as a whole, in one step where the system can.

    Parameters
    ----------
    out : path or ResultFolder
        A `ResultFolder` was taken before; any other folder is taken now.
    files : mapping of str to bytes

    Raises
    ------
    DataError
        If the folder cannot be written, if another run writes it, or if it holds files that no run wrote.
    """
    if isinstance(out, ResultFolder):
        out.replace(files)
        return
    with ResultFolder.take(out) as folder:
        folder.replace(files)


def write_file(path: Path, content: bytes) -> None:
    """Write one file completely, or leave what is there; create missing folders.

    A link is followed. A device or a pipe, such as ``/dev/null``, is written to and stays what it is.

    Raises
    ------
    DataError
        If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_bytes(content)
            return
        place = Path(os.path.realpath(path))
        part = place.with_name(f".{place.name}.qeframe-{os.getpid()}")
        try:
            part.write_bytes(content)
            os.replace(part, place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"cannot be written: {reason}", path=path, remedy="name another file") from error
