"""Task 1: gold spans from annotation, and predicted ones."""

from pathlib import Path

import pytest

from qeframe_wmt.readers.wmt26.single_translations import wmt26_spans
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines

MARKED = {"errors": [{"start": 2, "end": 5, "severity": "major", "category": "accuracy"}], "omission": "minor"}
ANSWER = {**MARKED, "instruction_fault": None}


def answers(number=0, **systems):
    return {"item_id": ID.format(number), "task1_pred": systems or {"A": ANSWER}}


def read(tree, gold, *predictions, **parameters):
    tree({"t/gold.jsonl": as_lines(*gold), "t/submissions/one.jsonl": as_lines(*predictions)})
    return wmt26_spans(**parameters).read(Path("t"), "low")


def test_ends_of_the_gold_are_inclusive_and_those_of_submissions_exclusive(tree, esa):
    (task,) = read(tree, [esa(A=[(80, (2, 4, "major"))])], answers())
    assert task.name == "eng_Latn-deu_Latn"
    assert task.gold.values.values.tolist() == [[2, 5, 1]]
    assert task.submissions[0].values.values[:, :3].tolist() == [[2, 5, 1]]
    assert task.submissions[0].values.categories == ("accuracy",)
    assert (task.gold.values.omission.tolist(), task.submissions[0].values.omission.tolist()) == ([-1], [0])
    (task,) = read(tree, [esa(A=[(80, (2, 4, "major"))])], answers(), ends="exclusive")
    assert task.gold.values.values.tolist() == [[2, 4, 1]]


TWICE = [(80, (0, 0, "minor"), ("missing", "missing", "major")), (70, (0, 0, "minor"), (3, 4, None), (5, 6, "neutral"))]


@pytest.mark.parametrize(
    ("annotators", "spans", "omissions"),
    [
        ("union", [[[0, 1, 0]]], [1]),
        ("all", [[[0, 1, 0], [0, 1, 0]]], [1]),
        ("first", [[[0, 1, 0]]], [1]),
        ("each", [[[0, 1, 0]]] * 2, [1, -1]),
    ],
)
def test_several_annotations(tree, esa, annotators, spans, omissions):
    (task,) = read(tree, [esa(A=TWICE)], answers(), annotators=annotators)
    assert [row.tolist() for row in task.gold.values] == spans
    assert task.gold.values.omission.tolist() == omissions
    assert len(task.submissions[0].ids) == len(spans)


def test_what_is_left_out_is_counted(tree, esa):
    gold = [esa(A=TWICE, B=[(90,)], refA=[(100,)]), esa("en-de_#_news_#_x_#_1", A=[(1,)])]
    (task,) = read(tree, gold, answers(A=ANSWER, B=ANSWER, C=ANSWER), references=("refA",), missing_marks="drop")
    counted = {(each.task, each.what, each.reason): each.count for each in task.dropped}
    assert counted == {
        ("eng_Latn-deu_Latn", "answer", "no gold, in one"): 1,
        ("eng_Latn-deu_Latn", "span", "[missing] in the gold"): 1,
        ("eng_Latn-deu_Latn", "span", "neutral in the gold"): 1,
        ("eng_Latn-deu_Latn", "span", "without severity in the gold"): 1,
        ("eng_Latn-deu_Latn", "translation", "refA: a reference"): 1,
        ("en-de", "language pair", "no submission has an item of it"): 1,
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"errors": [{"start": 2, "end": 11, "severity": "minor"}]}, "t/submissions/one.jsonl:1: a span from 2 to 11"),
        ({"errors": [{"start": 5, "end": 2, "severity": "minor"}]}, "is a span from 5 to 2"),
        ({"errors": [{"start": 2, "end": 3, "severity": "critical"}]}, "unknown severity 'critical'"),
        ({"errors": [{"start": "2", "end": 3, "severity": "minor"}]}, "'task1_pred.A.errors[0].start' is a text"),
        ({"errors": [{"start": True, "end": 3, "severity": "minor"}]}, "start' is true or false; give a whole number"),
        ({"omission": "grave"}, "unknown severity 'grave' in 'task1_pred.A.omission'"),
        ({"errors": None}, "'task1_pred.A.errors' is null"),
        ({"note": 1}, "unknown key 'task1_pred.A.note'"),
    ],
)
def test_wrong_predictions(tree, esa, refusal, change, message):
    tree(
        {"t/gold.jsonl": as_lines(esa(A=[(80,)])), "t/submissions/one.jsonl": as_lines(answers(A={**ANSWER, **change}))}
    )
    assert message in refusal(wmt26_spans(), "t")


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ((2, 10, "minor"), "t/gold.jsonl:1: 'scores.A[0].errors[0]' marks 2 to 10, the end inclusive; the text has 10"),
        ((2, 3, "grave"), "unknown severity 'grave'"),
        (("missing", 3, "minor"), "marks 'missing' to '3'"),
    ],
)
def test_wrong_gold(tree, esa, refusal, mark, message):
    tree({"t/gold.jsonl": as_lines(esa(A=[(80, mark)])), "t/submissions/one.jsonl": as_lines(answers())})
    assert message in refusal(wmt26_spans(), "t")


def test_a_gold_span_may_be_cut(tree, esa):
    (task,) = read(tree, [esa(A=[(80, (8, 12, "minor"))])], answers(), beyond="clip")
    assert task.gold.values.values.tolist() == [[8, 10, 0]]
    assert [each.reason for each in task.dropped] == ["cut at the end of the text in the gold"]


def test_the_input_is_held_against_gold_and_predictions(tree, esa, refusal):
    item = {"item_id": ID.format(0), "src": "x", "ref": None, "hyps": {"A": "0123456789", "B": "b"}}
    files = {"t/gold.jsonl": as_lines(esa(A=[(80,)])), "t/submissions/one.jsonl": as_lines(answers())}
    tree({**files, "t/input.jsonl": as_lines(item)})
    assert "no prediction for the translation by 'B'" in refusal(wmt26_spans(), "t")
    tree({"t/input.jsonl": as_lines({**item, "hyps": {"A": "other"}})})
    assert "another text of A" in refusal(wmt26_spans(), "t")
    tree({"t/input.jsonl": as_lines({**item, "item_id": ID.format(1)})})
    assert "has no translation by 'A'" in refusal(wmt26_spans(), "t")


def test_the_other_format_of_gold_is_named(tree, esa, refusal):
    tree({"t/gold.jsonl": as_lines(esa(A=[(80,)])), "t/submissions/one.jsonl": as_lines(answers())})
    assert "set gold=esa in the reader" in refusal(wmt26_spans(gold="cesa"), "t")
