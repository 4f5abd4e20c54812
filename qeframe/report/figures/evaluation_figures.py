"""All figures of an evaluation, by the names of their files."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from qeframe.core.result import Evaluation
from qeframe.core.task import Task
from qeframe.report.figures.correlations import correlations_figure
from qeframe.report.figures.significance import significance_figure
from qeframe.report.tables.leaderboard import ranked_submissions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TASKS = 8
"""Of more tasks, single ones have no figures."""


def figure_makers(evaluation: Evaluation, tasks: Sequence[Task]) -> "Iterator[tuple[str, Callable[[], Figure | None]]]":
    """Yield what draws each figure of an evaluation, with the stem of its file name; call it within `styled`.

    The stem of a figure of one of several tasks ends with a hyphen and the name of the task. What draws a figure
    returns None where there is nothing to draw.
    """
    few = len(figure_tasks(evaluation, tasks)) <= MOST_TASKS
    compared = _compared(evaluation)
    for stem, name in zip(file_stems("significance", compared), compared, strict=True):
        if few or not name:
            yield stem, partial(significance_figure, evaluation, name)
    tasks = list({task.name: task for task in reversed(tasks)}.values())[::-1]  # one reading of a pair is enough
    order = [scored.name for scored in ranked_submissions(evaluation)]
    for stem, task in zip(file_stems("correlations", [task.name for task in tasks]), tasks, strict=True):
        if few:
            yield stem, partial(correlations_figure, task, order)


def figure_tasks(evaluation: Evaluation, tasks: Sequence[Task]) -> list[str]:
    """Return the names of the tasks that can have figures of their own."""
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
