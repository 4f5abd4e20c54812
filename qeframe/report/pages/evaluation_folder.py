"""The folder of an evaluation: its page, its tables, ``evaluation.json``, and figures if they are asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

from qeframe.errors import DataError, did_you_mean
from qeframe.evaluation.result import Evaluation
from qeframe.profiles.schema import Profile
from qeframe.report.figures.evaluation_figures import MOST_TASKS, draw_figures, figure_tasks
from qeframe.report.figures.style import Format, available, images, styled
from qeframe.report.folders.result_folder import ResultFolder
from qeframe.report.html.evaluation_page import evaluation_page
from qeframe.report.html.facts import FACTS, PageFacts, page_facts
from qeframe.report.layouts.latex import as_latex
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.tsv import as_tsv
from qeframe.report.pages.files import NO_FIGURES, Report
from qeframe.report.tables.comparisons import comparison_list
from qeframe.report.tables.influence import influence_tables
from qeframe.report.tables.leaderboard import leaderboard
from qeframe.report.tables.parts import part_records, parts_table
from qeframe.report.tables.records import comparison_records, score_records
from qeframe.resampling.parallel import Runner
from qeframe.tasks.task import Task

__all__ = ["PAGE", "write_report"]

PAGE = "report.html"
"""The name of the page in the folder of a result."""


def write_report(
    evaluation: Evaluation,
    tasks: Sequence[Task],
    out: str | os.PathLike[str],
    *,
    figures: Literal["none", "svg", "png"] = "none",
    figures_of: Sequence[str] = (),
    others: Mapping[str, bytes] | None = None,
    profile: Profile | None = None,
    command: str = "",
    runner: Runner | None = None,
) -> Report:
    """Write ``report.html``, ``evaluation.json``, the tables and, if asked for, figures into a folder.

    A missing folder is created. An earlier result is replaced as a whole, after all files of the new one are written. A
    folder with files that no run wrote, or that were changed since, is refused. Figures are drawn afterwards: while
    they are drawn, and if that is interrupted, the folder has everything else.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        The tasks that were evaluated, for what the page and the figures show of their units; empty leaves that out.
    out : path
    figures : {"none", "svg", "png"}
        The format of the files of figures. The page has pictures of its own in any case.
    figures_of : sequence of str
        The tasks whose figures are drawn, beside the figures over all tasks. By default all tasks, if they are at most
        eight; otherwise none.
    others : mapping of str to bytes, optional
        More files of the result, by name.
    profile : Profile, optional
        The profile, for the sources of the rules on the page.
    command : str
        The command that makes the result again, for the page.
    runner : Runner, optional
        Is told how many figures are drawn.

    Returns
    -------
    Report

    Raises
    ------
    DataError
        If the folder cannot be written, if another run writes it, if it holds files that no run wrote, or if
        `figures_of` names a task that has no figures.
    """
    known = _check_tasks(evaluation, tasks, figures_of)
    facts = page_facts(evaluation, tasks, profile=profile, command=command)
    text = evaluation.to_json()
    files = {PAGE: _page(evaluation, facts, text), **_tables(evaluation, text), FACTS: facts.to_json().encode()}
    with ExitStack() as stack:
        folder = out if isinstance(out, ResultFolder) else stack.enter_context(ResultFolder.take(out))
        folder.replace({**files, **(others or {})})
        notes = []
        if figures != "none" and not available():
            notes.append(NO_FIGURES)
        elif figures != "none":
            few = len(known) <= MOST_TASKS
            drawn = _figures(evaluation, tasks, figures, figures_of or (known if few else ()), runner or Runner())
            if not few and not figures_of:
                notes.append(f"no figures of the {len(known)} single tasks; --figures-of TASK draws those of one")
            files |= {PAGE: _page(evaluation, facts, text, sorted(drawn)), **drawn}
            folder.replace({**files, **(others or {})})
    return Report(tuple(Path(out) / name for name in files), tuple(notes))


def _check_tasks(evaluation: Evaluation, tasks: Sequence[Task], asked: Sequence[str]) -> list[str]:
    """Return the names of the tasks that have figures; raise an error if another one is asked for."""
    known = figure_tasks(evaluation, tasks)
    for name in asked:
        if name not in known:
            raise DataError(f"there is no task '{name}' to draw figures of", remedy=did_you_mean(name, known))
    return known


def _page(evaluation: Evaluation, facts: PageFacts, text: str, figures: Sequence[str] = ()) -> bytes:
    return evaluation_page(evaluation, facts, figures=figures, text=text).encode("utf-8", "backslashreplace")


def _tables(evaluation: Evaluation, text: str) -> dict[str, bytes]:
    board = leaderboard(evaluation)
    texts = {
        "leaderboard.md": as_markdown(board),
        "leaderboard.tex": as_latex(board),
        "scores.tsv": as_tsv(score_records(evaluation)),
        "comparisons.tsv": as_tsv(comparison_records(evaluation)),
        "evaluation.json": text,
    }
    if (parts := parts_table(evaluation)) is not None:
        texts |= {"parts.md": as_markdown(parts), "parts.tex": as_latex(parts)}
        texts["parts.tsv"] = as_tsv(part_records(evaluation))
    if any(pair.equivalence for pair in evaluation.comparisons):
        pairs = comparison_list(evaluation)
        texts |= {"comparisons.md": as_markdown(pairs), "comparisons.tex": as_latex(pairs)}
    if evaluation.influence is not None:
        tables = influence_tables(evaluation)
        texts["influence.md"] = "\n".join(as_markdown(table) for table in tables)
        texts["influence.tex"] = "\n".join(as_latex(table) for table in tables)
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}


def _figures(
    evaluation: Evaluation, tasks: Sequence[Task], form: Format, only: Sequence[str], runner: Runner
) -> dict[str, bytes]:
    files = {}
    count = 1 + 4 * len(only)  # at most: the significance over all tasks, and four kinds for each task
    with styled():
        for done, (stem, figure) in enumerate(draw_figures(evaluation, tasks, frozenset(only)), start=1):
            files[f"{stem}.{form}"] = images(figure, [form])[form]
            runner.on_progress(min(done, count), count)
    return files
