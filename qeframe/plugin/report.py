"""Reports: tables as values."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.short_repr import Brief
    from qeframe.report.layouts.markdown import as_markdown
    from qeframe.report.layouts.number_format import UNDEFINED, decimals_for, format_interval, format_number, format_p
    from qeframe.report.layouts.table import Cell, Column, Table
    from qeframe.report.layouts.terminal import print_table
    from qeframe.report.result_files.files import write_files

__all__ = [
    "UNDEFINED",
    "Brief",
    "Cell",
    "Column",
    "Table",
    "as_markdown",
    "decimals_for",
    "format_interval",
    "format_number",
    "format_p",
    "print_table",
    "write_files",
]

__getattr__, __dir__ = lazy_names(__name__)
