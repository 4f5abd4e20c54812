"""The reader of JSON lines: the columns of both benchmarks, ids in any order, and what does not fit."""

import json

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.data.align import align
from qeframe.plugin.kinds import NO_DECISION, NOT_ASKED
from qeframe_preferences import preferences_jsonl

PAIRS = [
    {"id": "p1", "label": "A>B", "one": "abc", "two": "a", "of": "code"},
    {"id": "p2", "label": "B>A", "one": "", "two": "é", "of": "chat"},
]
COLUMNS = {"label": "label", "a": "one", "b": "two", "id": "id", "section": "of"}


def task_of(path, gold, judge, **columns):
    (path / "submissions").mkdir()
    for name, records in (("gold.jsonl", gold), ("submissions/judge.jsonl", judge)):
        (path / name).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    (reading,) = preferences_jsonl(**columns).read(path, "high")
    return reading


def batch_of(*arguments, **columns):
    (batch,) = align(task_of(*arguments, **columns)).batches.values()
    return batch


def test_decisions_in_both_orders(tmp_path):
    judge = [
        {"id": "p2", "judgments": [{"decision": "A>B"}, None]},
        {"id": "p1", "judgments": [{"decision": "A=B"}, {"decision": "B>A"}]},
    ]
    paths = ("judgments.0.decision", "judgments.1.decision")
    batch = batch_of(tmp_path, PAIRS, judge, decisions=paths, **COLUMNS)
    assert batch.gold.tolist() == [1, -1]
    assert batch.decisions.tolist() == [[0, 1], [1, NO_DECISION]]
    assert batch.lengths.tolist() == [[3, 1], [0, 1]]
    assert [batch.section_names[code] for code in batch.section] == ["code", "chat"]
    assert batch.shown_first.tolist() == [1, 1]


def test_the_second_decision_may_be_mapped_already(tmp_path):
    judge = [{"id": "p1", "d": ["A", "A"]}, {"id": "p2", "d": ["B"]}]
    batch = batch_of(tmp_path, PAIRS, judge, decisions=("d.0", "d.1"), second="of_a_and_b", **COLUMNS)
    assert batch.decisions.tolist() == [[1, 1], [-1, NOT_ASKED]]


def test_an_absent_second_judgment_is_counted(tmp_path):
    judge = [{"id": "p1", "d": ["A", "A"]}, {"id": "p2", "d": ["B"]}]
    reading = task_of(tmp_path, PAIRS, judge, decisions=("d.0", "d.1"), **COLUMNS)
    (note,) = reading.dropped
    assert (note.what, note.count) == ("second judgment", 1)
    assert note.reason == "absent in judge: these pairs are judged in the first order alone"
    assert align(reading).dropped == reading.dropped


def test_judges_that_are_asked_once_have_no_note(tmp_path):
    reading = task_of(tmp_path, PAIRS, [{"id": "p1", "d": "A"}, {"id": "p2", "d": "B"}], decisions=("d",), **COLUMNS)
    assert reading.dropped == ()


def test_scores_of_chosen_and_rejected(tmp_path):
    judge = [{"scores": [2, 1.5]}, {"scores": [1, 1]}]
    batch = batch_of(tmp_path, PAIRS, judge, decisions=(), scores=("scores.0", "scores.1"), label="")
    assert batch.gold.tolist() == [1, 1]
    assert batch.decisions.tolist() == [[1, NOT_ASKED], [0, NOT_ASKED]]
    assert batch.scores.tolist() == [[2, 1.5], [1, 1]]
    assert batch.shown_first.tolist() == [0, 0]
    assert np.isnan(qeframe.score("position_bias", batch, None))


def test_sections_are_a_grouping_and_ties_are_counted(tmp_path):
    reading = task_of(tmp_path, PAIRS, [{"id": "p1", "decision": "A"}], **COLUMNS)
    assert reading.groups == {"section": ["code", "chat"]}
    assert reading.counts == {"decided": 2, "tied": 0}


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ([{"id": "p1", "decision": "A"}], r"judge.jsonl: .*p2"),
        ([{"id": name, "decision": "A"} for name in ("p1", "p2", "p3")], r"judge.jsonl:3: .*p3"),
        ([{"id": "p1", "decision": "A"}] * 2, r"judge.jsonl:2: .*p1.*twice"),
        ([{"id": "p1", "decision": "A>>B"}], r"judge.jsonl:1: 'decision' is \"A>>B\"; the words are A>B"),
        ([{"id": "p1", "decision": 1}], "'decision' is 1; the words are"),
        ([{"id": "p1", "verdict": "A"}], "there is no value 'decision'; add 'decision', .* its keys are id, verdict"),
        ([{"id": "p1", "decision": "A", "label": "B>A"}], "'label' of pair 'p1' differs from that in the gold"),
        ([{"id": "p1", "decision": "A", "of": "chat"}], "'of' of pair 'p1' differs from that in the gold"),
    ],
)
def test_judges_that_do_not_fit(tmp_path, judge, message):
    with pytest.raises(DataError, match=message):
        align(task_of(tmp_path, PAIRS, judge, **COLUMNS))


def test_a_gold_without_a_label(tmp_path):
    with pytest.raises(DataError, match=r"gold.jsonl:1: 'label' is null; the words are"):
        task_of(tmp_path, [{"label": None}], [{"decision": "A"}])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"decisions": ("a", "b", "c")}, "3 decisions"),
        ({"scores": ("a",)}, "1 scores"),
        ({"decisions": ()}, "neither decisions nor scores"),
        ({"a": "one"}, "one of a and b"),
    ],
)
def test_columns_that_do_not_fit_each_other(columns, message):
    with pytest.raises(DataError, match=message):
        preferences_jsonl(**columns)
