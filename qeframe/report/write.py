"""The folder of an evaluation: tables, figures and ``evaluation.json``, written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from qeframe.errors import DataError
from qeframe.evaluation.result import Evaluation
from qeframe.report.figures.canvas import available, images, styled
from qeframe.report.figures.gallery import KINDS, draw_figures
from qeframe.report.layouts.latex import as_latex
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.tsv import as_tsv
from qeframe.report.tables.leaderboard import leaderboard
from qeframe.report.tables.records import comparison_records, score_records
from qeframe.tasks.task import Task

__all__ = ["NO_FIGURES", "Report", "write_files", "write_report"]

NO_FIGURES = 'figures skipped: matplotlib is not installed; pip install "qeframe[report]"'


@frozen
class Report:
    """What was written.

    Parameters
    ----------
    paths : tuple of Path
        The files, in the order in which a reader opens them.
    notes : tuple of str
        What was left out and the remedy, one line each.
    """

    paths: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def write_report(
    evaluation: Evaluation, tasks: Sequence[Task], out: str | os.PathLike[str], *, figures: bool = True
) -> Report:
    """Write ``evaluation.json``, the tables and, if matplotlib is installed, the figures into a folder.

    The folder is made where it is missing. Everything is drawn before the first file is touched; each file is then
    replaced as a whole, and put back if a later one cannot be. Other files in the folder stay as they are.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        Those that were evaluated, for figures of their units; empty for none of these figures.
    out : path
    figures : bool
        Whether figures are wanted.

    Raises
    ------
    DataError
        If the folder cannot be written to.
    """
    files = _tables(evaluation)
    drawable = figures and available()
    if drawable:
        files |= _figures(evaluation, tasks)
    folder = Path(out)
    write_files(folder, files)
    notes = [*([NO_FIGURES] if figures and not drawable else []), *_outdated(folder, files)]
    return Report(tuple(folder / name for name in files), tuple(notes))


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put files, by name, into a folder: all of them, or none.

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


def _tables(evaluation: Evaluation) -> dict[str, bytes]:
    board = leaderboard(evaluation)
    texts = {
        "leaderboard.md": as_markdown(board),
        "leaderboard.tex": as_latex(board),
        "scores.tsv": as_tsv(score_records(evaluation)),
        "comparisons.tsv": as_tsv(comparison_records(evaluation)),
        "evaluation.json": evaluation.to_json(),
    }
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}


def _figures(evaluation: Evaluation, tasks: Sequence[Task]) -> dict[str, bytes]:
    with styled():
        return {
            f"{stem}.{form}": content
            for stem, figure in draw_figures(evaluation, tasks)
            for form, content in images(figure).items()
        }


def _outdated(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Say which figures in the folder are not of this run: beside new tables they would mislead."""
    drawn = (path.name for path in folder.iterdir() if path.suffix in {".svg", ".png"})
    kinds = tuple(KINDS)
    old = sorted(name for name in drawn if name.startswith(kinds) and name not in files)
    return [f"figures of an earlier run were left in the folder: {', '.join(old)}"] if old else []


def _replace_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put all files into a folder, or leave it as it was."""
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
    """Make a folder and those above it; return the ones that were not there, the innermost first."""
    absent = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return absent


def _swap_in(folder: Path, staging: Path, names: Sequence[str]) -> None:
    """Move the staged files over those of the same names; if one move fails, undo the others."""
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
