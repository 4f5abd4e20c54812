"""What shows results of one class: in a notebook, on a terminal, as a data frame, as a figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class View:
    """A result to look at: a notebook shows `html`, `print` shows `text`.

    Parameters
    ----------
    html : str
        A fragment of a page. All names in it are escaped.
    text : str

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> evaluation.whole().html.startswith("<")
    True
    """

    __slots__ = ("html", "text")

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


@frozen(kw_only=True)
class ResultView:
    """How results of one class, and of its subclasses without a view of their own, show themselves.

    Parameters
    ----------
    of : type
        A subclass of `qeframe.Shown`, or of `qeframe.Drawn` if there are figures.
    line : callable
        From a result to what it is, in one line.
    view : callable
        From a result, and from whether all of it is asked for or the most important rows, to a `View`.
    frame : callable, optional
        From a result and the name of a library (None: the first that is installed) to a data frame.
    figure : callable, optional
        From a result, the kind of figure ("" for the usual one) and a task to a figure of matplotlib.
    """

    of: type
    line: Callable[[Any], str]
    view: Callable[[Any, bool], View]
    frame: Callable[[Any, str | None], Any] | None = None
    figure: Callable[[Any, str, Any], Figure] | None = None
