"""Reports: how a class of results shows itself."""

from qeframe.core.components.result_view import ResultView, View

__all__ = [
    "ResultView",
    "View",
]
