"""Reports: tables as values."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.short_repr import Brief
    from qeframe.report.layouts.number_format import decimals_for, format_number
    from qeframe.report.layouts.table import Cell, Column, Table
    from qeframe.report.layouts.terminal import print_table

__all__ = ["Brief", "Cell", "Column", "Table", "decimals_for", "format_number", "print_table"]

__getattr__, __dir__ = lazy_names(__name__)
