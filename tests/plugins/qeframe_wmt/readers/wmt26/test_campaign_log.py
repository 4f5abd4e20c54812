"""The log of contrastive annotation: resets, attention checks, tutorials, skipped items."""

from pathlib import Path

import pytest

from qeframe_wmt.readers.wmt26.scores import wmt26_systems
from qeframe_wmt.readers.wmt26.single_translations import wmt26_spans
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines


def screen(user="ann", number=0, score=80, item=None, item_i=0, **change):
    answer = {"A": {"score": score, "error_spans": [], "textfield": None}}
    shown = {"item_id": ID.format(number) if item is None else item, "src": "x", "tgt": {"A": "0123"}}
    return {"annotation": [answer], "item": [shown], "user_id": user, "item_i": item_i, **change}


def ratings(tree, *lines, **parameters):
    tree({"log.jsonl": as_lines(*lines)})
    (task,) = wmt26_systems(**parameters).read(Path("log.jsonl"), "high")
    return task, {(each.what, each.reason): each.count for each in task.dropped}


def test_what_an_annotator_did_before_a_reset_is_left_out(tree):
    lines = [screen(score=10), screen("ben", score=40), screen(annotation="__RESET__"), screen(score=60)]
    task, counted = ratings(tree, *lines)
    assert task.submissions[0].values.tolist() == [50.0]
    assert counted == {("screen", "before a reset"): 1}


def test_checks_and_tutorials_are_left_out(tree):
    lines = [screen(), screen(item="attention_check_1"), screen(item="en_#_tutorial_#_2"), screen(item_i="random_3")]
    lines += [screen(item_i="welcome_0"), screen(number=1, annotation=[None]), screen(number=2, score=None)]
    task, counted = ratings(tree, *lines)
    assert task.submissions[0].values.tolist() == [80.0]
    assert counted == {
        ("item", "an attention check or a tutorial"): 2,
        ("screen", "an attention check or a tutorial"): 2,
        ("item", "skipped by the annotator"): 1,
        ("annotation", "without a score"): 1,
    }


def test_a_log_that_was_joined_with_itself(tree, refusal):
    lines = as_lines(screen(), screen("ben", score=40))
    tree({"log.jsonl": lines * 2})
    assert refusal(wmt26_systems(gold="cesa"), "log.jsonl").startswith(
        "log.jsonl:3: the same screen again, as on line 1"
    )
    again = as_lines(screen(), screen(annotation="__RESET__"), screen())
    tree({"log.jsonl": again})
    assert len(wmt26_systems(gold="cesa").read(Path("log.jsonl"), "high")) == 1


def test_the_position_after_the_text_is_a_mark_on_missing(tree):
    marked = screen()
    marked["annotation"][0]["A"]["error_spans"] = [{"start_i": 4, "end_i": 4, "category": None, "severity": "major"}]
    answer = {"item_id": ID.format(0), "task1_pred": {"A": {"errors": [], "omission": None, "instruction_fault": None}}}
    tree({"t/gold.jsonl": as_lines(marked), "t/submissions/one.jsonl": as_lines(answer)})
    (task,) = wmt26_spans(gold="cesa").read(Path("t"), "low")
    assert task.gold.values.omission.tolist() == [1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (screen(annotation=[]), "0 annotations of 1 items"),
        (screen(score=101), "is 101; a score is from 0 to 100"),
        (screen(item="a_###_b"), "has 2 fields"),
        (screen(user=""), "'user_id' is '', which is no name"),
        (screen(annotation=[[]]), "'annotation[0]' is no object"),
        ({"doc_id": "x"}, "set gold=esa in the reader"),
    ],
)
def test_broken_lines(tree, refusal, line, message):
    tree({"log.jsonl": as_lines(screen(), line)})
    found = refusal(wmt26_systems(), "log.jsonl")
    assert message in found
    assert found.startswith("log.jsonl:2: ")
