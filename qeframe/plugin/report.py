"""Reports: tables as values, on the terminal and as a page."""

from qeframe.report.html.tables_page import tables_page
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.layouts.terminal import print_table

__all__ = ["Cell", "Column", "Table", "print_table", "tables_page"]
