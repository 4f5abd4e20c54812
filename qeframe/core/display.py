"""How a result shows itself: in a notebook, on a terminal, as a data frame, as a figure.

Results are defined below the package that makes tables and figures of them. `Shown` is their base class: it holds the
questions that a notebook or a user asks. The answers are a `ResultView`, which a plugin brings by the hook
``qeframe_views``. They are imported when the first question is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, overload

from qeframe.core.components.component import Origin
from qeframe.core.components.loading.loader import call_hook, load, wrong_value
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.loading.unique_names import add_once
from qeframe.core.components.result_view import ResultView, View
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.short_repr import in_a_line

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.figure import Figure


def find_view(shown: type) -> ResultView | None:
    """Return the view of a class of results, or of its nearest ancestor with one; None if no plugin brings one."""
    views = _views(load())
    return next((views[ancestor] for ancestor in shown.__mro__ if ancestor in views), None)


@cache
def _views(registry: Registry) -> Mapping[type, ResultView]:
    views: dict[str, tuple[ResultView, Origin]] = {}
    for plugin in registry.plugins:
        for view in call_hook("qeframe_views", plugin, list):
            if not isinstance(view, ResultView):
                raise wrong_value(plugin.origin, "qeframe_views", ResultView, view)
            add_once(views, view.of.__name__, (view, plugin.origin), "view of")
    return {view.of: view for view, _ in views.values()}


def _view_of(value: object) -> ResultView:
    view = find_view(type(value))
    if view is None:
        raise DataError(f"no plugin brings a view of {type(value).__name__}", remedy="see the hook qeframe_views")
    return view


class Shown:
    """A result that notebooks, terminals and data frames can show.

    In a notebook it is a short table. `print` gives the same as text, `repr` one line.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> evaluation
    <Evaluation by qe_sentence: 2 submissions, first good (pearson 0.983)>
    >>> len(evaluation.to_frame("pandas"))
    8
    """

    __slots__ = ()

    def whole(self) -> View:
        """Return a view of all rows, columns and notes."""
        return _view_of(self).view(self, True)

    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["pyarrow"]) -> pyarrow.Table: ...
    @overload
    def to_frame(self, library: str | None = None) -> pandas.DataFrame | polars.DataFrame | pyarrow.Table: ...
    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame: see "Results as data frames" in the reference for the columns.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the first of these that is installed.

        Returns
        -------
        data frame
            Undefined numbers are missing.

        Raises
        ------
        DataError
            If there is no such library, or it is not installed.
        """
        frame = _view_of(self).frame
        if frame is None:
            raise DataError(f"a {type(self).__name__} has no data frame", remedy="see the hook qeframe_views")
        return frame(self, library)

    def __repr__(self) -> str:
        try:
            return _view_of(self).line(self)
        except QeframeError:  # no plugin shows it, or none can be loaded
            return in_a_line(self)

    def __str__(self) -> str:
        return _view_of(self).view(self, False).text

    def _repr_html_(self) -> str:
        return _view_of(self).view(self, False).html


class Drawn(Shown):
    """A result that has figures. They need matplotlib: ``pip install "qeframe[report]"``.

    Examples
    --------
    >>> import qeframe
    >>> issubclass(qeframe.Evaluation, qeframe.Drawn), issubclass(qeframe.Audit, qeframe.Drawn)
    (True, True)
    """

    __slots__ = ()

    def plot(self, kind: str = "", *, task: Any = "") -> Figure:
        """Return a figure; a notebook shows it.

        Parameters
        ----------
        kind : str
            Of an `Evaluation`: "significance" (default) or "correlations". Other results have one kind of figure.
        task : str or Task
            For "significance" of an `Evaluation`: the name of a task, by default all tasks together. For
            "correlations": a `Task` with its data, which the result does not hold.

        Returns
        -------
        matplotlib.figure.Figure
            It has the method `savefig`.

        Raises
        ------
        DataError
            If matplotlib is not installed, or there is nothing to draw.
        UnknownNameError
            If there is no such kind or task.
        """
        figure = _view_of(self).figure
        if figure is None:
            raise DataError(f"a {type(self).__name__} has no figure", remedy="see the hook qeframe_views")
        return figure(self, kind, task)
