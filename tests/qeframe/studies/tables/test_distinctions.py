"""The tables of metrics: which tell submissions apart, and which attacks they rank low."""

from qeframe.gaming.gaming_gate import Gamed
from qeframe.report.layouts.terminal import as_text
from qeframe.studies import MetricStudy, StudiedMetric, Verdicts
from qeframe.studies.separation_tables import Distinction, MetricRow
from qeframe.studies.tables.distinctions import distinction_table, metric_table

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


FULL = StudiedMetric(
    metric="mae",
    verdicts=Verdicts(separated=2, undecided=1, pairs=10, test="t", correction="c", draws=160_000),
    reliability=0.8,
    gamed=Gamed(
        index=0.25, low=0.1, high=0.3, attacks=("all", "constant_mean", "constant_median", "random"), blind=True,
        rank=3, submissions=5,
    ),
)  # fmt: skip
LACKING = StudiedMetric(metric="none", verdicts=Verdicts(reason="there is no test"))
COSMETIC = StudiedMetric(
    metric="r",
    verdicts=Verdicts(separated=0, pairs=10, test="t", correction="c", draws=40_000),
    reliability=0.5,
    gamed=Gamed(index=0.1, low=0.05, high=0.2, attacks=("round_scores",), submissions=5),
)
NOT_GAMED = StudiedMetric(metric="s", verdicts=Verdicts(), gamed=Gamed(index=0.0, low=0.0, high=0.04, submissions=5))


def table_of(*rows):
    sizes = {"unit": "segment", "units": 60, "submissions": 5, "tasks": 1}
    return metric_table(MetricStudy(profile="p", title="A task", **sizes, splits=20, alpha=0.05, seed=0, metrics=rows))


def cells_of(table):
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (cell.text for cell in row), strict=True)) for row in table.rows]


def test_the_table_says_what_was_found_and_what_is_lacking():
    table = table_of(FULL, LACKING, COSMETIC, NOT_GAMED)
    full, lacking, cosmetic, not_gamed = cells_of(table)
    assert table.title == "A task (5 submissions, 60 segments): which metric tells submissions apart"
    assert full["pairs told apart"] == "2 of 10 (1 not determined)"
    assert full["agreement of halves"] == "0.80"
    assert full["gaming index"] == "0.25 (0.10 to 0.30)"
    assert full["best attacks"] == "all, constant_mean, constant_median and 1 more"
    assert full["rank of worthless answers"] == "3 of 6"
    assert {text for title, text in lacking.items() if title != "metric"} == {"n/a"}
    assert cosmetic["rank of worthless answers"] == "the best stays first"
    assert (not_gamed["best attacks"], not_gamed["rank of worthless answers"]) == ("none", "–")
    assert "none: there is no test" in table.notes
    assert "r: no pair is told apart, so that halves may agree by chance" in table.notes
    assert any("in 160,000 draws, p stays too near to alpha = 0.05" in note for note in table.notes)
    assert table.notes[-1] == "profile:p|splits:20|seed:0"


def test_columns_and_notes_that_say_nothing_are_left_out():
    table = table_of(StudiedMetric(metric="m", verdicts=Verdicts(separated=1, pairs=1, test="t", correction="c")))
    assert [column.title for column in table.columns] == ["metric", "pairs told apart", "agreement of halves"]
    assert not [note for note in table.notes if "not determined" in note or "gaming" in note or "chance" in note]
    assert "test of m: t with c" in table.notes
