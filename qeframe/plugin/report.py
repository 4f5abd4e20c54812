"""Reports: how a class of results shows itself."""

from qeframe.components.result_view import ResultView, View

__all__ = [
    "ResultView",
    "View",
]
