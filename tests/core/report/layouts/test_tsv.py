"""Tables as tab-separated values."""

from qeframe.report import Cell, Column, Table, as_tsv


def table_of(*names):
    rows = tuple((Cell(name), Cell("0.500", strong=i == 0)) for i, name in enumerate(names))
    columns = (Column("submission", "left", key=True), Column("r"))
    return Table(title="T_1", columns=columns, rows=rows, notes=("x|y:1",), strong_means="best")


def test_tsv_keeps_one_row_a_line():
    lines = as_tsv(table_of("a\tb\nc\r\\")).split("\n")
    assert lines == ["submission\tr", "a\\tb\\nc\\r\\\\\t0.500", ""]
