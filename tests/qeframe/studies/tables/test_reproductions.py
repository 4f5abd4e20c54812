"""Tables of published and computed values."""

import math

from qeframe.extensions.published.published_table import PublishedTable
from qeframe.studies.reproduction import ReproducedTable, ReproducedValue
from qeframe.studies.tables.reproductions import all_reproduced_values, reproduced_values, reproduction_summary


def value(published, computed, verdict="equal", reason=""):
    return ReproducedValue(row="A", column="r", published=published, computed=computed, verdict=verdict, reason=reason)


def table(*values):
    made = PublishedTable(
        name="made", summary="values", source="paper", data="d", paths=["."], profile="p", settings=["a=b"],
        columns=[{"title": "r"}], rows={},
    )  # fmt: skip
    return ReproducedTable(table=made, values=values)


def cells(made):
    return [[cell.text for cell in row] for row in made.rows]


def test_digits_and_differences():
    values = [value(".550", 0.5499), value("0.86", 0.861), value("-.04", -0.0401), value("11,021", 11022.0)]
    rows = cells(reproduced_values(table(*values, value("1", math.nan), value("3", 3.0))))
    assert [row[2:5] for row in rows] == [
        [".550", ".549900", "-0.000100"],
        ["0.86", "0.86100", "+0.00100"],
        ["-.04", "-.04010", "-0.00010"],
        ["11,021", "11,022", "+1"],
        ["1", "n/a", "n/a"],
        ["3", "3", "0"],
    ]


def test_reasons_are_notes():
    known = value(".5", 0.6, "known difference", "a misprint")
    made = reproduced_values(table(known, value(".5", 0.7, "differs"), known))
    assert [row[5].text for row in made.rows] == ["known difference (1)", "differs", "known difference (1)"]
    assert [row[5].strong for row in made.rows] == [False, True, False]
    assert made.notes == ("(1) a misprint", "published in: paper; data: d", "computed by: p --set 'a=b'")


def test_the_summary_counts():
    made = reproduction_summary(
        [table(value(".5", 0.5), value(".5", 0.6, "differs"), value(".5", 0.6, "not computed"))]
    )
    assert cells(made) == [["made", "paper", "3", "1", "0", "2", "0"]]
    assert made.rows[0][5].strong


def test_one_table_of_all_values():
    made = all_reproduced_values([table(value(".5", 0.5)), table(value(".5", 0.6, "known difference", "why"))])
    assert cells(made)[1] == ["made", "A", "r", ".5", ".6000", "+0.1000", "known difference", "why"]
