"""The folder of an evaluation: its tables, figures and ``evaluation.json``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from qeframe.evaluation.result import Evaluation
from qeframe.report.figures.evaluation_figures import KINDS, draw_figures
from qeframe.report.figures.style import available, images, styled
from qeframe.report.layouts.latex import as_latex
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.tsv import as_tsv
from qeframe.report.pages.files import NO_FIGURES, Report, write_files
from qeframe.report.tables.leaderboard import leaderboard
from qeframe.report.tables.records import comparison_records, score_records
from qeframe.tasks.task import Task

__all__ = ["write_report"]


def write_report(
    evaluation: Evaluation, tasks: Sequence[Task], out: str | os.PathLike[str], *, figures: bool = True
) -> Report:
    """Write ``evaluation.json``, the tables and, if matplotlib is installed, the figures into a folder.

    A missing folder is created. All content is made before the first file is written. If a file cannot be replaced, the
    files that were replaced before it are restored. Other files in the folder do not change.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        The tasks that were evaluated, for figures of their units; empty leaves these figures out.
    out : path
    figures : bool
        Whether to draw figures.

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
    """Return a note that names the figures of an earlier run: they do not belong to the new tables."""
    drawn = (path.name for path in folder.iterdir() if path.suffix in {".svg", ".png"})
    kinds = tuple(KINDS)
    outdated = sorted(name for name in drawn if name.startswith(kinds) and name not in files)
    return [f"the folder has figures of an earlier run: {', '.join(outdated)}"] if outdated else []
