"""Reports: tables as values."""

from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.layouts.terminal import print_table

__all__ = ["Cell", "Column", "Table", "print_table"]
