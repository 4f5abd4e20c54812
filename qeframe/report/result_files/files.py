"""The files of a result, all of which are written or none, and the JSON Schemas of those that programs read."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from glob import escape
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from qeframe.core.component import error_in_words
from qeframe.core.errors import DataError, OutputError, QeframeError
from qeframe.report.folders.result_folder import ResultFolder
from qeframe.report.layouts.latex import as_latex, latex_notes
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.table import Table

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


@define
class Made:
    """The files of a result that are made one by one: what fails costs that file, not the others.

    `files`: by name. `failed`: by the name of what could not be made, why.
    """

    files: dict[str, bytes]
    failed: dict[str, Exception] = field(factory=dict)

    def add(self, name: str, make: Callable[[], str | bytes | None]) -> None:
        """Make a file; None makes none."""
        try:
            content = make()
        except Exception as error:
            self.failed[name] = error
            return
        if content is not None:
            self.files[name] = encoded(content)

    def check(self, out: str | os.PathLike[str], remedy: str) -> None:
        """Raise an `OutputError` that names what could not be made, if there is something."""
        if not self.failed:
            return
        error = next(iter(self.failed.values()))
        why = str(error) if isinstance(error, QeframeError) else error_in_words(error)
        what = f"{', '.join(self.failed)} could not be made: {why}; {out} has the other files; {remedy}"
        raise OutputError(what) from error


def encoded(content: str | bytes) -> bytes:
    """Return the content of a file: a text as UTF-8, with an escape for what that lacks."""
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content


def files_of_tables(stem: str, tables: Sequence[Table]) -> dict[str, str | bytes]:
    """Return the files of tables by name: Markdown, LaTeX, and the notes of those of LaTeX."""
    layouts = {".md": as_markdown, ".tex": as_latex, "_notes.tex": latex_notes}
    texts = {ending: "\n".join(filter(None, map(layout, tables))) for ending, layout in layouts.items()}
    return {f"{stem}{ending}": text for ending, text in texts.items() if text}


def write_files(out: str | os.PathLike[str], files: Mapping[str, str | bytes]) -> None:
    """Make files, by name, the whole content of a folder: all of them, or none.

    An earlier result in the folder is replaced as a whole.

    Parameters
    ----------
    out : path or ResultFolder
        A `ResultFolder` was taken before; any other folder is taken now.
    files : mapping of str to str or bytes

    Raises
    ------
    DataError
        If the folder cannot be written, if another run writes it, or if it holds files that no run wrote.
    """
    with nullcontext(out) if isinstance(out, ResultFolder) else ResultFolder.take(out) as folder:
        folder.replace({name: encoded(content) for name, content in files.items()})


def write_file(path: Path, content: str | bytes) -> None:
    """Write one file completely, or leave what is there; create missing folders.

    A link is followed. A device or a pipe, such as ``/dev/null``, is written to and stays what it is.

    Raises
    ------
    DataError
        If the file cannot be written.
    """
    content = encoded(content)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_bytes(content)
            return
        place = Path(os.path.realpath(path))
        _remove_old(place.parent, f".{escape(place.name)}.qeframe-[0-9]*")
        part = place.with_name(f".{place.name}.qeframe-{os.getpid()}")
        try:
            part.write_bytes(content)
            os.replace(part, place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"cannot be written: {reason}", path=path, remedy="name another file") from error


def _remove_old(folder: Path, pattern: str) -> None:
    """Remove half-written files that match a pattern and are older than an hour: of processes that were killed."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - 3600:
                path.unlink()


SCHEMA_FILE = "evaluation.schema.json"
"""The name of the schema in this package and on the pages of the documentation."""


def evaluation_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every ``evaluation.json`` of this version keeps.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, SCHEMA_FILE)


def schema_in(package: str, file: str) -> dict[str, Any]:
    """Return the JSON Schema that is a file of a package."""
    from importlib.resources import files

    schema: dict[str, Any] = json.loads((files(package) / file).read_text(encoding="utf-8"))
    return schema
