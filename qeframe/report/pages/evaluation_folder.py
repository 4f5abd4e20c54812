"""The folder of an evaluation: its tables, figures and ``evaluation.json``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from qeframe.evaluation.result import Evaluation
from qeframe.report.figures.evaluation_figures import draw_figures
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
    evaluation: Evaluation,
    tasks: Sequence[Task],
    out: str | os.PathLike[str],
    *,
    figures: bool = True,
    others: Mapping[str, bytes] | None = None,
) -> Report:
    """Write ``evaluation.json``, the tables and, if matplotlib is installed, the figures into a folder.

    A missing folder is created. An earlier result is replaced as a whole, after all files of the new one are written. A
    folder with files that no run wrote, or that were changed since, is refused.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        The tasks that were evaluated, for figures of their units; empty leaves these figures out.
    out : path
    figures : bool
        Whether to draw figures.
    others : mapping of str to bytes, optional
        More files of the result, by name.

    Raises
    ------
    DataError
        If the folder cannot be written, if another run writes it, or if it holds files that no run wrote.
    """
    files = _tables(evaluation)
    drawable = figures and available()
    if drawable:
        files |= _figures(evaluation, tasks)
    write_files(out, {**files, **(others or {})})
    notes = (NO_FIGURES,) if figures and not drawable else ()
    return Report(tuple(Path(out) / name for name in files), notes)


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
