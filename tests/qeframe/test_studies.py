"""Parts of the studies with few tests."""

import numpy as np
import pytest
from attrs import evolve, fields
from scipy.stats import wilcoxon

from qeframe import Evaluation, Result, ScoredSubmission, Signature
from qeframe.gaming.gaming_gate import Gamed
from qeframe.studies import (
    MetricStudy,
    StudiedMetric,
    Verdicts,
    count_reversals,
    distinguish_schema,
    sensitivity_record,
    winners,
)
from qeframe.studies.agreement_curves import BETWEEN_JUDGES, compare_curves
from qeframe.studies.sensitivity import same_winner
from qeframe.studies.tables.sensitivity import sensitivity_table
from tests.qeframe.studies.test_tables import NAN, correlations

# Curves of agreement with judges: means and spreads over documents, and tests between metrics.


def test_means_and_spreads_are_over_defined_documents():
    one = correlations("bleu", [[0.2, NAN, 0.4, 0.9], [NAN, NAN, NAN, 0.5]])
    assert one.mean == pytest.approx([0.5, 0.5])
    assert one.spread == pytest.approx([np.std([0.2, 0.4, 0.9], ddof=1), NAN], nan_ok=True)
    assert one.undefined.tolist() == [0.25, 0.75]


def test_nothing_is_defined_without_documents():
    none = correlations("bleu", [[NAN, NAN], [NAN, NAN]])
    assert np.isnan(none.mean).all()
    assert np.isnan(none.spread).all()
    assert none.undefined.tolist() == [1.0, 1.0]


def test_labels_state_several_references():
    assert correlations("bleu", [[0.1], [0.2]]).label == "bleu"
    assert correlations("bleu", [[0.1], [0.2]], references=4).label == "bleu, 4 references"
    assert correlations(BETWEEN_JUDGES, [[0.1], [0.2]], references=0).label == BETWEEN_JUDGES


def test_wilcoxon_on_documents_that_are_defined_for_all():
    rng = np.random.default_rng(0)
    low, high = rng.normal(0, 0.1, 30), rng.normal(0.1, 0.1, 30)
    low[3], high[7] = NAN, NAN
    judges = correlations(BETWEEN_JUDGES, [[NAN] * 30] * 2, references=0)
    curves = [correlations("low", [low] * 2), correlations("high", [high] * 2), judges]
    (pair,) = compare_curves(curves, 10)
    both = np.isfinite(low) & np.isfinite(high)
    assert (pair.a, pair.b, pair.test) == ("high", "low", "wilcoxon")
    assert pair.difference == pytest.approx((high - low)[both].mean())
    assert pair.p == pytest.approx(wilcoxon(high[both], low[both]).pvalue)
    assert pair.significant == (pair.p < 0.05)


def test_numbers_of_references_of_one_metric_are_compared():
    values = np.random.default_rng(1).normal(size=(1, 20))
    curves = [correlations("bleu", np.vstack([values, values + 0.1 * n]), references=n) for n in (1, 2, 4)]
    pairs = {(pair.a, pair.b) for pair in compare_curves(curves, 10)}
    assert pairs == {
        ("bleu, 4 references", "bleu"),
        ("bleu, 4 references", "bleu, 2 references"),
        ("bleu, 2 references", "bleu"),
    }


def test_one_metric_is_compared_with_nothing():
    one = correlations("bleu", [[0.1], [0.2]])
    assert compare_curves([one], 1) == []
    assert compare_curves([one, correlations(BETWEEN_JUDGES, [[0.1], [0.2]], references=0)], 1) == []


# The JSON of ``qeframe distinguish``; the command holds what it writes to the schema.
def test_the_schema_of_a_study_names_every_key():
    schema = distinguish_schema()
    of_command = {"format", "dropped", "left_out", "selections"}
    assert schema["properties"].keys() - of_command == {field.name for field in fields(MetricStudy)}
    for kind in (StudiedMetric, Verdicts, Gamed):
        assert schema["$defs"][kind.__name__]["properties"].keys() == {field.name for field in fields(kind)}


SIGNATURE = Signature(
    qeframe="0", versions={}, plugins={}, blocked=(),
    rules=dict.fromkeys(("name", "primary", "test", "correction", "ranking", "resample"), ""), changed={}, seed=0,
    units={}, inputs=(),
)  # fmt: skip


def evaluation(name: str, ranks: dict[str, int], **clusters: int) -> Evaluation:
    submissions = tuple(
        ScoredSubmission(
            name=submission,
            kind="attack" if submission == "thief" else "real",
            scores={"m": Result(value=float("nan") if submission == "void" else -rank)},
            rank=rank,
            cluster=clusters.get(submission),
        )
        for submission, rank in ranks.items()
    )
    return Evaluation(
        profile=name, title="", primary="m", metrics=("m",), higher_is_better={"m": True}, signature=SIGNATURE,
        submissions=submissions, comparisons=(),
    )  # fmt: skip


FIRST = evaluation("first", {"thief": 1, "a": 1, "b": 2, "c": 3, "void": 4})
SECOND = evaluation("second", {"b": 1, "a": 2, "c": 2, "void": 1, "thief": 9}, b=1, a=1, c=2)


def test_a_pair_counts_where_both_rank_it_apart():
    (reversals,) = count_reversals([FIRST, SECOND])
    assert (reversals.first, reversals.second) == ("first", "second")
    assert (reversals.reversed, reversals.pairs) == (1, 2), "a-b is reversed, b-c is not, a-c is tied"
    assert len(count_reversals([FIRST, SECOND, evolve(FIRST, profile="third")])) == 3


def test_winners_by_cluster_else_by_rank():
    assert winners(SECOND) == ["b", "a"]
    assert winners(FIRST) == ["a"]


def test_the_record_has_every_submission_under_every_profile():
    record = sensitivity_record([FIRST, SECOND])
    assert [entry["winners"] for entry in record["profiles"]] == [["a"], ["b", "a"]]
    (a,) = (entry for entry in record["submissions"] if entry["name"] == "a")
    assert {name: (one["rank"], one["winner"], one["value"]) for name, one in a["profiles"].items()} == {
        "first": (1, True, -1),
        "second": (2, True, -2),
    }


def test_the_sentence_names_rank_1_first_and_the_winners_second():
    third = evaluation("third", {"a": 1, "b": 2, "c": 3}, a=1, b=1)
    fourth = evaluation("fourth", {"b": 1, "a": 2, "c": 3}, b=1, c=1)
    assert same_winner([FIRST, evolve(FIRST, profile="again")]) == "the same submission is first under 2 of 2: a"
    assert same_winner([FIRST, third]) == (
        "the same submission is first under 2 of 2: a. The winners are the same under 1 of 2: a; under third also b"
    )
    assert same_winner([third, FIRST, fourth]) == (
        "the same submission is first under 2 of 3: a; under fourth b. "
        "The winners are the same under 1 of 3: a, b; under first without b; under fourth b, c"
    )


def test_a_team_that_lacks_a_task_is_never_first():
    apart = evolve(SECOND.submissions[0], absent=("t",), cluster=None)
    partial = evolve(SECOND, profile="partial", submissions=(apart, *SECOND.submissions[1:3]))
    assert same_winner([FIRST, partial]).startswith("the same submission is first under 1 of 2: a; under partial none")
    table = sensitivity_table([FIRST, partial], "t")
    cells = {row[0].text: [(cell.text, cell.strong) for cell in row[1:]] for row in table.rows}
    assert cells["b"] == [("2 -2.000", False), ("(1) -1.000", False)]
    assert cells["thief ‡"][0] == ("(1) -1.000", False)
    assert any(note.startswith("(rank): ") for note in table.notes)


def test_many_columns_have_one_line_on_the_order_of_pairs():
    columns = [FIRST, SECOND, evolve(FIRST, profile="third"), evolve(SECOND, profile="fourth")]
    (line,) = [note for note in sensitivity_table(columns, "t").notes if "differently" in note]
    assert line == (
        "pairs of submissions that two columns order differently: from 0 of 3 (first and third) to 1 of 2 "
        "(first and second)"
    )
    assert len([note for note in sensitivity_table(columns[:3], "t").notes if "differently" in note]) == 3
