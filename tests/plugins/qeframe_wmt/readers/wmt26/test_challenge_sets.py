"""Answers to challenge sets, which have no gold: counted by a run, and written for the authors of the sets."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.outcome import outcome_of
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines

SET = "challenge_###_en_###_de_DE_###_{}_###_d1_###_{}"


def scored(key, score=1.0):
    return {"item_id": key, "task2_pred": {"A": score}}


OFFICIAL = [scored(ID.format(number), 50 + number) for number in range(3)]
CHALLENGE = [scored(SET.format("acme", 0)), scored(SET.format("acme", 1), 0.1 + 0.2), scored(SET.format("mslc b", 0))]


@pytest.fixture
def export(capsys, tree, esa):
    def run(*options, format="wmt26_scores", **submissions):
        files = {f"t/submissions/{name}.jsonl": as_lines(*lines) for name, lines in submissions.items()}
        tree({"t/gold.jsonl": as_lines(*(esa(number, A=[(80 + number,)]) for number in range(3))), **files})
        return partial(outcome_of, capsys)("export", "wmt26_task2", "t", "--out", "out", "--format", format, *options)

    return run


def written():
    return {str(file.relative_to("out")): file.read_text("utf-8") for file in Path("out").rglob("*.jsonl")}


def test_the_lines_of_each_set_are_written_as_they_were_handed_in(export):
    outcome = export(one=[*OFFICIAL, *CHALLENGE], sets=[scored(SET.format("acme", 7))], last=OFFICIAL)
    assert outcome.status == 0, outcome.err
    assert written() == {
        "acme/one.jsonl": as_lines(*CHALLENGE[:2]),
        "acme/sets.jsonl": as_lines(scored(SET.format("acme", 7))),
        "mslc b/one.jsonl": as_lines(CHALLENGE[2]),
    }
    assert outcome.err.splitlines() == [
        "qeframe: all: 3 items: of challenge sets, left to their authors, in one",
        "qeframe: all: 1 item: of challenge sets, left to their authors, in sets",
        "qeframe: all: 1 submission: sets: no item with gold",
        "qeframe: 1 language pair: scored here: items of challenge sets alone are written",
        "qeframe: 3 files written to out",
    ]


def test_a_submission_that_is_excluded_is_not_returned(export):
    assert export("--exclude", "one", one=[*OFFICIAL, *CHALLENGE], two=[*OFFICIAL, CHALLENGE[0]]).status == 0
    assert list(written()) == ["acme/two.jsonl"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (scored(SET.format("a/b", 0)), "one.jsonl:4: a challenge set is called 'a/b', which is no folder; rename the"),
        (scored(SET.format("..", 0)), "one.jsonl:4: a challenge set is called '..', which is no folder"),
        (scored(ID.format(5)), "no submission has an item of a challenge set; their ids begin with challenge"),
    ],
)
def test_what_cannot_be_written(export, line, message):
    outcome = export(one=[*OFFICIAL, line])
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err.splitlines()[-1]
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("profile", "layout", "answer"),
    [
        ("wmt26_task1", "wmt26_spans", {"errors": [], "omission": None, "instruction_fault": None}),
        ("wmt26_task3", "wmt26_error_free", 1),
    ],
)
def test_spans_and_decisions_are_returned_too(capsys, tree, esa, profile, layout, answer):
    key = f"task{profile[-1]}_pred"
    lines = [{"item_id": each["item_id"], key: {"A": answer}} for each in [*OFFICIAL, CHALLENGE[0]]]
    gold = as_lines(*(esa(number, A=[(80 + 5 * number,)]) for number in range(3)))
    tree({"t/gold.jsonl": gold, "t/submissions/one.jsonl": as_lines(*lines)})
    assert outcome_of(capsys, "export", profile, "t", "--out", "out", "--format", layout).status == 0
    assert written() == {"acme/one.jsonl": json.dumps(lines[-1]) + "\n"}
