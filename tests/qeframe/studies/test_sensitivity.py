"""Reversals between profiles, against a count by hand; winners; the record."""

from attrs import evolve

from qeframe.core.evaluation.result import Evaluation, Result, ScoredSubmission, Signature
from qeframe.studies import count_reversals, sensitivity_record, winners

SIGNATURE = Signature(
    qeframe="0",
    versions={},
    plugins={},
    blocked=(),
    rules=dict.fromkeys(("name", "primary", "test", "correction", "ranking", "resample"), ""),
    changed={},
    seed=0,
    units={},
    inputs=(),
)


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
        profile=name,
        title="",
        primary="m",
        metrics=("m",),
        higher_is_better={"m": True},
        signature=SIGNATURE,
        submissions=submissions,
        comparisons=(),
    )


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
