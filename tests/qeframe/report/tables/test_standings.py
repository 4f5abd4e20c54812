"""What decides the place of each submission."""

import attrs
import pytest

from qeframe.core.result import Result
from qeframe.report.tables.standings import standings, what_costs_most
from qeframe.report.tables.written_names import written_name


def test_a_row_says_who_beats_it_and_whom_it_beats(pair):
    pairs = [pair("a", "b", 0.0004), pair("a", "c", 0.02), pair("b", "c", 0.5)]
    table = standings({"a": 0.9, "never compared": 0.8, "b": 0.7, "c": 0.7}, pairs, {}, of="all tasks")
    assert [column.title for column in table.columns][2:4] == ["significantly better than it", "beaten by it"]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["1 of 3", "a", "none", "2: b, c", "0"],
        ["2 of 3", "b", "1: a", "none", "1"],
        ["2 of 3", "c", "1: a", "none", "1"],
    ]
    assert standings({"a": 0.9, "b": 0.7}, pairs[:1], {"b": "x"}, of="x").rows[1][-1].text == "x"


@pytest.mark.parametrize(
    ("shares", "where"), [({}, "x: 0.500, the best has 0.900"), ({"x": 0.1, "y": 0.9}, "y: 0.600, the best has 0.700")]
)
def test_the_task_with_the_largest_weighted_distance_costs_most(evaluation_of, scored, shares, where):
    def over(x, y):
        return Result(value=(x + y) / 2, tasks={"x": Result(value=x), "y": Result(value=y)})

    rows = [scored("a", 1, {"pearson": 0.8}), scored("b", 2, {"pearson": 0.55})]
    rows = [
        attrs.evolve(row, scores={"pearson": over(*xy)}) for row, xy in zip(rows, [(0.9, 0.7), (0.5, 0.6)], strict=True)
    ]
    evaluation = attrs.evolve(evaluation_of(rows), tasks={"x": {}, "y": {}}, shares=shares)
    assert what_costs_most(evaluation) == {"b": where}
    ranked = [attrs.evolve(row, scores={"pearson": attrs.evolve(row.scores["pearson"], value=1.5)}) for row in rows]
    assert what_costs_most(attrs.evolve(evaluation, submissions=tuple(ranked))) == {}


def test_in_a_single_task_a_unit_costs_most(evaluation_of, scored):
    worst = Result(
        value=0.5, details={"worst_units": [{"id": 3, "name": "doc:3", "gain": 0.0123}, {"id": 1, "gain": 0.01}]}
    )
    row = attrs.evolve(scored("a", 1, {"pearson": 0.5}), scores={"pearson": worst})
    assert what_costs_most(evaluation_of([row])) == {"a": "doc:3: without it the score is 0.0123 better"}
    assert what_costs_most(evaluation_of([scored("a", 1, {"pearson": 0.5})])) == {}


@pytest.mark.parametrize(
    ("metric", "written"),
    [
        ("pearson", "Pearson's r"), ("kendall_tau_b", "Kendall's tau-b"), ("f1_bad", "F1-BAD"), ("mcc", "MCC"),
        ("delta_avg", "DeltaAvg"), ("phrase_f1_mult", "phrase F1-mult"), ("f_beta(beta=2)", "F-beta (beta=2)"),
        ("errors_per_word", "errors per word"), ("per", "PER"), ("of_someone", "of someone"),
    ],
)  # fmt: skip
def test_metrics_have_the_names_that_papers_write(metric, written):
    assert written_name(metric) == written
