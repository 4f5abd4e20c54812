"""The figures that a result can be asked for."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from qeframe.errors import DataError, UnknownNameError
from qeframe.evaluation.given_values.comparisons import Comparisons
from qeframe.evaluation.result import Evaluation
from qeframe.gaming.audit import Audit
from qeframe.report.figures.audit_map import audit_figure
from qeframe.report.figures.evaluation_figures import OF_TASKS
from qeframe.report.figures.significance import significance_figure, significance_matrix
from qeframe.report.figures.style import available, styled
from qeframe.report.tables.leaderboard import ranked_submissions
from qeframe.tasks.task import Task

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure"]

_SIGNIFICANCE = "significance"


def figure(value: Any, kind: str = "", task: Any = "") -> Figure:
    """Return a figure of a result: see `Drawn.plot`."""
    if not available():
        raise DataError("figures need matplotlib, which is not installed", remedy='pip install "qeframe[report]"')
    with styled():
        drawn = _draw(value, kind, task)
    if drawn is None:
        raise DataError("there is nothing to draw", remedy="the values are missing, too few, or the same everywhere")
    return drawn


@singledispatch
def _draw(value: Any, kind: str, task: Any) -> Figure | None:
    raise TypeError(f"{type(value).__name__} has no figure")


@_draw.register(Evaluation)
def _(value: Evaluation, kind: str, task: Any) -> Figure | None:
    chosen = kind or _SIGNIFICANCE
    if chosen in OF_TASKS:
        if not isinstance(task, Task):
            what = f"the figure '{chosen}' shows single units, which a result does not hold"
            raise DataError(what, remedy="give the task with its data: task=tasks[0]")
        return OF_TASKS[chosen](task, [scored.name for scored in ranked_submissions(value)])
    if chosen != _SIGNIFICANCE:
        raise UnknownNameError("figure", chosen, (_SIGNIFICANCE, *OF_TASKS))
    if not value.comparisons:
        raise DataError("nothing was compared", remedy="evaluate two submissions or more, with a test")
    name = task.name if isinstance(task, Task) else task
    known = {pair.task for pair in value.comparisons}
    if name in known:
        return significance_figure(value, name)
    if "" in known and isinstance(task, Task):
        return significance_figure(value)  # a single task is all tasks together
    if not name:
        what = "all tasks together were not compared"
        raise DataError(what, remedy=f"name one: task='{next(pair.task for pair in value.comparisons)}'")
    raise UnknownNameError("task", name, known - {""})


@_draw.register(Comparisons)
def _(value: Comparisons, kind: str, task: Any) -> Figure | None:
    _check_only(_SIGNIFICANCE, kind, task)
    if not value:
        raise DataError("nothing was compared", remedy="compare two submissions or more")
    if len({(pair.metric, pair.task) for pair in value}) > 1:
        what = "a figure shows the pairs under one metric on one task, and these are of several"
        raise DataError(what, remedy="select the comparisons of one, or plot the evaluation")
    return significance_matrix(value, value.names, 0.05 if value.alpha is None else value.alpha, value[0].metric)


@_draw.register(Audit)
def _(value: Audit, kind: str, task: Any) -> Figure | None:
    _check_only("audit", kind, task)
    return audit_figure(value)


def _check_only(only: str, kind: str, task: Any) -> None:
    if kind not in ("", only):
        raise UnknownNameError("figure", kind, [only])
    if not isinstance(task, str) or task:
        raise DataError(f"the figure '{only}' is not of a task", remedy="leave 'task' out")
