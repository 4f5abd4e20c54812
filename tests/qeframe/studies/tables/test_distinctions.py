"""The table of metrics: which separate submissions, and which attacks they rank low."""

from qeframe.report.layouts.terminal import as_text
from qeframe.studies.separation_tables import Distinction, MetricRow
from qeframe.studies.tables.distinctions import distinction_table

NAN = float("nan")


def row(metric, d, beaten, groups=2, submissions=5):
    return MetricRow(metric=metric, distinction=d, groups=groups, beaten=beaten, submissions=submissions)


F1 = row("f1_bad", Distinction(0.5, 0.25, NAN), {"all_bad": 3, "random_tags": 1})
MCC = row("mcc", Distinction(0.625, 1, 0), {"all_bad": 0, "random_tags": 1}, groups=3, submissions=4)


def test_a_row_for_each_metric():
    text = as_text(distinction_table([F1, MCC], "a title", signature="seed:0")).splitlines()
    assert text[0] == "a title"
    assert text[2].split() == ["metric", "all_bad", "random_tags", "total", "d", "d", "top", "d", "bottom", "groups"]
    assert text[4].split() == ["f1_bad", "3", "1", "4", "0.50", "0.25", "n/a", "2"]
    assert text[5].split() == ["mcc", "0*", "1", "1*", "0.62", "1.00", "0.00", "3"]
    assert text[-1] == "seed:0"


def test_the_note_has_the_range_of_submissions_with_a_score():
    assert "attacks: number of submissions beaten, of 4–5 with a score" in as_text(distinction_table([F1, MCC], "t"))
    assert "attacks: number of submissions beaten, of 4 with a score" in as_text(distinction_table([MCC], "t"))


def test_equal_counts_are_not_emphasized():
    assert "0*" not in as_text(distinction_table([MCC, MCC], "t"))


def test_without_attacks_there_is_no_column_of_them():
    text = as_text(distinction_table([row("mcc", Distinction(1, 1, 1), {})], "t"))
    assert text.splitlines()[2].split() == ["metric", "d", "d", "top", "d", "bottom", "groups"]
    assert "attacks" not in text
    assert "fewest" not in text
