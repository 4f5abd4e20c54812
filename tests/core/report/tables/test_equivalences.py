"""Equivalence in tables of comparisons and in records."""

from qeframe.evaluation.supplements.equivalence import PairEquivalence
from qeframe.report import comparison_list
from qeframe.report.tables.records import comparison_records


def texts(table, title):
    position = [column.title for column in table.columns].index(title)
    return [row[position].text for row in table.rows]


def test_equivalence_in_tables_and_records(evaluation_of, scored, pair):
    verdict = PairEquivalence(delta=0.2, low=0.05, high=0.15, p=0.01, p_adjusted=0.02, verdict="equivalent")
    pairs = [pair("a", "b", 0.2, equivalence=verdict), pair("a", "c", 0.01)]
    made = evaluation_of([scored(name, 1, {"pearson": 0.5, "mae": 1.0}) for name in "abc"], pairs)
    table = comparison_list(made)
    assert texts(table, "verdict") == ["equivalent", ""]
    assert texts(table, "interval") == ["0.050 to 0.150", ""]
    assert texts(table, "equivalence p") == ["0.0200", ""]
    assert any(note.startswith("equivalent: the difference is smaller than 0.2") for note in table.notes)
    records = comparison_records(made)
    assert [column.title for column in records.columns][-2:] == ["equivalence_p_adjusted", "verdict"]
    assert [cell.text for cell in records.rows[0]][-6:] == ["0.2", "0.05", "0.15", "0.01", "0.02", "equivalent"]
    assert [cell.text for cell in records.rows[1]][-6:] == [""] * 6
    plain = evaluation_of([], [pair("a", "c", 0.01)])
    assert "verdict" not in [
        column.title for column in (*comparison_list(plain).columns, *comparison_records(plain).columns)
    ]
