"""The table of comparisons."""

from qeframe.report import (
    Cell,
    as_text,
    comparison_list,
    pair_table,
)


def column(table, title):
    position = [c.title for c in table.columns].index(title)
    return [row[position] for row in table.rows]


def texts(table, title):
    return [cell.text for cell in column(table, title)]


def test_comparisons_say_once_what_all_share(evaluation):
    table = comparison_list(evaluation)
    assert [c.title for c in table.columns] == ["better", "worse", "difference", "p", "adjusted p"]
    assert table.notes[0] == "metric: pearson, test: williams, sided: one"
    assert table.strong_means == "significant at alpha = 0.05, correction holm"
    assert column(table, "adjusted p") == [Cell("0.0004", strong=True), Cell("0.5000")]
    assert texts(table, "difference") == ["0.125", "n/a"]


def test_comparisons_of_several_metrics_and_tasks_get_columns(evaluation_of, pair):
    pairs = [pair("a", "b", 0.5), pair("a", "b", 0.5, metric="mae", task="en-de", difference=-12.0)]
    table = comparison_list(evaluation_of([], pairs))
    assert texts(table, "metric") == ["pearson", "mae"]
    assert texts(table, "task") == ["", "en-de"]
    assert texts(table, "difference") == ["0.125", "-12.00"]
    assert table.strong_means == ""
    assert table.notes[0] == "none is significant at alpha = 0.05, correction holm"
    assert not any("none is" in note for note in pair_table(pairs, "t").notes)


def test_no_comparison_makes_an_empty_table(evaluation_of):
    table = comparison_list(evaluation_of([]))
    assert table.rows == ()
    assert not any("none is" in note for note in table.notes)
    assert table.strong_means == ""
    assert "better  worse  difference  p  adjusted p\n" in as_text(table)


def test_pairs_without_an_evaluation_make_the_same_rows(evaluation):
    table = pair_table(evaluation.comparisons, "x", notes=["n"])
    assert table.rows == comparison_list(evaluation).rows
    assert (table.title, table.notes[-1], table.strong_means) == ("x", "n", "significant")
