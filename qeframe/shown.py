"""How a result shows itself: in a notebook, on a terminal, as a data frame, as a figure.

Results are defined below the package that makes tables and figures of them. `Shown` is their base class: it holds the
questions that a notebook or a user asks. `Views` are the answers. `qeframe/__init__`, the one module that may import
all packages, names them in `qeframe.face`; they are imported when the first question is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from qeframe.face import VIEWS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Drawn", "Shown", "View", "Views"]


class Views(Protocol):
    """What shows results."""

    def line(self, value: Any) -> str:
        """Return what a value is, in one line."""

    def view(self, value: Any, *, whole: bool) -> View:
        """Return a value as HTML and as text: its most important rows, or all."""

    def frame(self, value: Any, library: str | None) -> Any:
        """Return a value as a data frame."""

    def figure(self, value: Any, kind: str, task: Any) -> Figure:
        """Return a figure of a value."""


def _views() -> Views:
    return VIEWS[0]()


class View:
    """A result to look at: a notebook shows `html`, `print` shows `text`.

    Parameters
    ----------
    html : str
        A fragment of a page. All names in it are escaped.
    text : str
    """

    __slots__ = ("html", "text")

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


class Shown:
    """A result that notebooks, terminals and data frames can show.

    In a notebook it is a short table. `print` gives the same as text, `repr` one line.
    """

    __slots__ = ()

    def whole(self) -> View:
        """Return a view of all rows, columns and notes."""
        return _views().view(self, whole=True)

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
        return _views().frame(self, library)

    def __repr__(self) -> str:
        return _views().line(self)

    def __str__(self) -> str:
        return _views().view(self, whole=False).text

    def _repr_html_(self) -> str:
        return _views().view(self, whole=False).html


class Drawn(Shown):
    """A result that has figures. They need matplotlib: ``pip install "qeframe[report]"``."""

    __slots__ = ()

    def plot(self, kind: str = "", *, task: Any = "") -> Figure:
        """Return a figure; a notebook shows it.

        Parameters
        ----------
        kind : str
            Of an `Evaluation`: "significance" (default), "correlations", "distributions", "scatter". Other results have
            one kind of figure.
        task : str or Task
            For "significance" of an `Evaluation`: the name of a task, by default all tasks together. For its other
            kinds: a `Task` with its data, which the result does not hold.

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
        return _views().figure(self, kind, task)
