"""Reports: tables as values, and how a class of results shows itself."""

from qeframe.core.components.result_view import ResultView, View
from qeframe.report.layouts.numbers import decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Table

__all__ = [
    "Cell",
    "Column",
    "ResultView",
    "Table",
    "View",
    "decimals_for",
    "format_number",
]
