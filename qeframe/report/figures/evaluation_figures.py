"""All figures of an evaluation, by the names of their files."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from qeframe.core.evaluation.result import Evaluation
from qeframe.core.tasks.task import Task
from qeframe.report.figures.predictions import correlations_figure, distributions_figure, scatter_figure
from qeframe.report.figures.significance import significance_figure
from qeframe.report.tables.leaderboard import ranked_submissions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TASKS = 8
"""Of more tasks, single ones have figures only if they are named."""

OF_TASKS = {"correlations": correlations_figure, "distributions": distributions_figure, "scatter": scatter_figure}
"""By the beginning of the name of its file, each figure of the data of one task."""
KINDS = ("significance", *OF_TASKS)
"""The beginnings of the names of the files of figures."""


def draw_figures(
    evaluation: Evaluation, tasks: Sequence[Task], only: Collection[str] | None = None
) -> "Iterator[tuple[str, Figure]]":
    """Yield all figures of an evaluation, each with the stem of its file name; call it within `styled`.

    The stem of a figure of one of several tasks ends with a hyphen and the name of the task.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
    only : collection of str, optional
        The names of the tasks whose figures are drawn, beside those over all tasks; by default all.
    """
    for stem, draw in figure_makers(evaluation, tasks, only):
        if (figure := draw()) is not None:
            yield stem, figure


def figure_makers(
    evaluation: Evaluation, tasks: Sequence[Task], only: Collection[str] | None = None
) -> "Iterator[tuple[str, Callable[[], Figure | None]]]":
    """Yield what draws each figure of `draw_figures`; it returns None where there is nothing to draw."""
    compared = _compared(evaluation)
    for stem, name in zip(file_stems("significance", compared), compared, strict=True):
        if only is None or not name or name in only:
            yield stem, partial(significance_figure, evaluation, name)
    tasks = list({task.name: task for task in reversed(tasks)}.values())[::-1]  # one reading of a pair is enough
    order = [scored.name for scored in ranked_submissions(evaluation)]
    for kind, draw in OF_TASKS.items():
        for stem, task in zip(file_stems(kind, [task.name for task in tasks]), tasks, strict=True):
            if only is None or task.name in only:
                yield stem, partial(draw, task, order)


def figure_tasks(evaluation: Evaluation, tasks: Sequence[Task]) -> list[str]:
    """Return the names of the tasks that have figures of their own."""
    return list(dict.fromkeys([*filter(None, _compared(evaluation)), *(task.name for task in tasks)]))


def _compared(evaluation: Evaluation) -> list[str]:
    return list(dict.fromkeys(c.task for c in evaluation.comparisons if c.metric == evaluation.primary))


def file_stems(kind: str, tasks: Sequence[str]) -> list[str]:
    """Return a different file name without ending for every task, of letters, digits, hyphens and dots."""
    if len(tasks) == 1:
        return [kind]
    stems: list[str] = []
    for task in tasks:
        stem = f"{kind}-{safe}" if (safe := re.sub(r"[^\w.-]+", "_", task)) else kind
        while stem.casefold() in {known.casefold() for known in stems}:
            stem += "_"
        stems.append(stem)
    return stems
