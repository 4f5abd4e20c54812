"""Reversals between profiles, against a count by hand; winners; the record."""

from attrs import evolve

from qeframe.core.evaluation.result import Evaluation, Result, ScoredSubmission, Signature
from qeframe.studies import count_reversals, sensitivity_record, winners
from qeframe.studies.sensitivity import same_winner
from qeframe.studies.tables.sensitivity import sensitivity_table

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
