"""Campaigns, and submissions that are read alone."""

import json
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.core.loader import load
from qeframe.core.reader import Reader
from qeframe.data.validate import validate_submission
from qeframe_wmt.readers.wmt26.scores import wmt26_systems
from qeframe_wmt.readers.wmt26.single_translations import wmt26_spans
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines
from tests.plugins.qeframe_wmt.readings import refused

CAMPAIGN = "eng_Latn---deu_Latn v3"


def screen(user="ann", number=0, score=80, item=None, item_i=0, **change):
    answer = {"A": {"score": score, "error_spans": []}}
    shown = {"item_id": f"news_###_d1_###_{number}" if item is None else item, "src": "x", "tgt": {"A": "0123"}}
    return {"annotation": [answer], "item": [shown], "user_id": user, "item_i": item_i, **change}


def campaigns(*screens, **others):
    return json.dumps({CAMPAIGN: screens, **others}, indent=1)


def ratings(tree, *screens, **parameters):
    tree({"annotations.json": campaigns(*screens)})
    (task,) = wmt26_systems(**parameters).read(Path("annotations.json"), "high")
    return task, {(each.what, each.reason): each.count for each in task.dropped}


def test_what_an_annotator_did_before_a_reset_is_left_out(tree):
    reset = {"user_id": "ann", "annotation": "__RESET__"}
    task, counted = ratings(tree, screen(score=10), screen("ben", score=40), reset, screen(score=60))
    assert task.submissions[0].values.tolist() == [50.0]
    assert counted == {("screen", "before a reset: ann (1)"): 1}
    assert task.counts == {"segments": 1, "systems": 1, "lines": 4, "screens": 2, "scored_screens": 2}


def test_checks_and_tutorials_are_left_out(tree):
    lines = [screen(), screen(item="attention_check_1"), screen(item="en_#_tutorial_#_2")]
    lines += [screen("ben", item="attention_check_2"), screen(number=1, annotation=[None])]
    lines += [screen(number=2, score=None)]
    task, counted = ratings(tree, *lines)
    assert task.submissions[0].values.tolist() == [80.0]
    assert counted == {
        ("screen", "an attention check: ann (1), ben (1)"): 2,
        ("screen", "a tutorial: ann (1)"): 1,
        ("item", "skipped by the annotator: ann (1)"): 1,
        ("annotation", "without a score: ann (1)"): 1,
    }


def test_a_large_file_without_line_ends_is_read_in_pieces(tree):
    text = "😀" * 100_000
    screens = [screen(number=number) for number in range(20)]
    for each in screens:
        each["item"][0]["tgt"] = {"A": text}
    tree({"annotations.json": json.dumps({CAMPAIGN: screens, "eng---sme v3": []}, ensure_ascii=False)})
    (task,) = wmt26_systems().read(Path("annotations.json"), "high")
    assert len(task.gold.ids) == 20


def test_a_system_that_was_not_displayed(tree):
    unseen = screen(annotation=[{"A": {"score": 80, "error_spans": []}, "B": {"score": 11, "error_spans": []}}])
    task, counted = ratings(tree, unseen)
    assert [each.name for each in task.submissions] == ["A", "B"]
    assert task.remarks[0].startswith("1 scores are of systems that were not displayed")
    task, counted = ratings(tree, unseen, displayed_only="yes")
    assert [each.name for each in task.submissions] == ["A"]
    assert counted == {("annotation", "of a system that was not displayed: ann (1)"): 1}


def test_marks_on_the_tokens_after_the_text(tree):
    marked = screen()
    marked["annotation"][0]["A"]["error_spans"] = [
        {"start_i": 4, "end_i": 4, "category": None, "severity": "major"},
        {"start_i": 5, "end_i": 5, "category": None, "severity": "minor"},
    ]
    answer = {"item_id": ID.format(0), "task1_pred": {"A": {"errors": [], "omission": None, "instruction_fault": None}}}
    tree({"t/annotations.json": campaigns(marked), "t/submissions/one.jsonl": as_lines(answer)})
    (task,) = wmt26_spans().read(Path("t"), "low")
    assert (task.gold.values.omission.tolist(), task.gold.values.instruction_fault.tolist()) == ([1], [0])
    (task,) = wmt26_spans(missing_marks="drop", fault_marks="drop").read(Path("t"), "low")
    assert (task.gold.values.omission.tolist(), task.gold.values.instruction_fault.tolist()) == ([-1], [-1])


SPAN = {"errors": [{"start": 2, "end": 5, "severity": "major"}], "omission": "minor", "instruction_fault": None}
NONE = {"errors": [], "omission": None, "instruction_fault": None}
ANSWERS = {
    "wmt26_spans": ("task1_pred", {"A": SPAN, "B": NONE}),
    "wmt26_scores": ("task2_pred", {"A": 90, "B": 40.5}),
    "wmt26_error_free": ("task3_pred", {"A": 1, "B": 0}),
}
ICELANDIC = ID.replace("deu_Latn", "isl_Latn").format(0)


def item(key, **hyps):
    return {"item_id": key, "src": "x", "ref": None, "hyps": hyps or {"A": "0123456", "B": "abc"}}


INPUT = as_lines(item(ID.format(0)), item(ID.format(1)), item(ICELANDIC))


def predictions(reader, *keys, **changed):
    name, answers = ANSWERS[reader]
    return as_lines(*({"item_id": key, name: {**answers, **changed}} for key in keys))


def whole(reader, **changed):
    return predictions(reader, ID.format(1), ID.format(0), ICELANDIC, **changed)


@pytest.fixture
def read(tree):
    def alone(reader, text, like=None):
        tree({"a.jsonl": text} | ({} if like is None else {"in.jsonl": like}))
        found = load().get(Reader, reader)
        return validate_submission(found, Path("a.jsonl"), None if like is None else Path("in.jsonl"))

    return alone


@pytest.mark.parametrize("reader", ANSWERS)
def test_predictions_for_an_input(read, reader):
    german, icelandic = read(reader, whole(reader), INPUT)
    assert (german.part, icelandic.part) == ("eng_Latn-deu_Latn", "eng_Latn-isl_Latn")
    assert len(german.answers.values) == 4
    assert german.answers.lines.tolist() == [1, 1, 2, 2]
    assert german.answers.unit_name(1) == f"{ID.format(1)} by B"
    assert read(reader, whole(reader), whole(reader))


def test_values(read):
    assert read("wmt26_scores", whole("wmt26_scores"))[1].answers.values.tolist() == [90, 40.5]
    assert read("wmt26_error_free", whole("wmt26_error_free"))[1].answers.values.tolist() == [1, 0]
    spans = read("wmt26_spans", whole("wmt26_spans"))[1].answers.values
    assert spans.values[:, :3].tolist() == [[2, 5, 1]]
    assert spans.omission.tolist() == [0, -1]


def test_scores_are_derived_from_spans(read):
    first, _ = read("wmt26_scores", whole("wmt26_spans"), INPUT)
    assert first.answers.name == "a (from spans)"
    assert first.answers.values.tolist() == [94, 100, 94, 100]


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        ("wmt26_scores", predictions("wmt26_scores", ID.format(1), ICELANDIC), f"segment {ID.format(0)} by A of in"),
        ("wmt26_scores", predictions("wmt26_scores", ID.format(0), ID.format(1)), "'eng_Latn-isl_Latn' of in.jsonl is"),
        ("wmt26_scores", whole("wmt26_scores", C=5), "has no translation by 'C' in in.jsonl:2"),
        ("wmt26_scores", whole("wmt26_scores").replace(', "B": 40.5', ""), "no prediction for the translation by 'B'"),
        ("wmt26_scores", whole("wmt26_scores", A=101), "'task2_pred.A' is 101; a score is from 0 to 100"),
        ("wmt26_spans", whole("wmt26_spans", B=SPAN), "a span from 2 to 5 for B"),
        ("wmt26_error_free", whole("wmt26_error_free", A=2), "'task3_pred.A' is 2"),
        ("wmt26_error_free", whole("wmt26_scores"), "a.jsonl:1: the file has task2_pred, not task3_pred; choose"),
        ("wmt26_spans", whole("wmt26_scores"), "the file has task2_pred, not task1_pred"),
        ("wmt26_scores", whole("wmt26_error_free"), "the file has task3_pred, not task2_pred"),
    ],
)
def test_what_is_refused(read, reader, text, message):
    said = refused(read, reader, text, INPUT)
    assert message in said
    assert said.startswith("a.jsonl")


def test_an_input_that_is_none(read):
    with pytest.raises(DataError, match=r"in\.jsonl:1: "):
        read("wmt26_scores", whole("wmt26_scores"), "x\n")
