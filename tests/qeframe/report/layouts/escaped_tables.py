"""Tables with names that a layout has to escape."""

from qeframe.report import Cell, Column, Table

NASTY = [
    "a|b",
    "w_m_t",
    "R&D",
    "50%",
    "back\\slash",
    "[bold]x[/bold]",
    "*star*",
    "`code`",
    "$x$",
    "<b>",
    "{x}",
    "#1",
    "~^",
]


def table_of(*names):
    rows = tuple((Cell(name), Cell("0.500", strong=i == 0)) for i, name in enumerate(names))
    columns = (Column("submission", "left", key=True), Column("r"))
    return Table(title="T_1", columns=columns, rows=rows, notes=("x|y:1",), strong_means="best")
