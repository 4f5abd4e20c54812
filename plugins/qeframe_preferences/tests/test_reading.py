"""Preferences: generated pairs, their files of JSON lines, and inference on them."""

import json

import numpy as np
import pytest
from qeframe_preferences.json_lines import BEYOND, JsonLines
from qeframe_preferences.preference_lines import preferences_jsonl

import qeframe
from qeframe import align
from qeframe.plugin import DataError, Preferences
from qeframe.plugin.kinds import NO_DECISION, NOT_ASKED
from qeframe.plugin.readers import ExampleRequest, read_text_lines
from qeframe.testing import kind_of

TWO = ("orders.0.decision", "orders.1.decision")


def read(folder, **columns):
    reader = preferences_jsonl(**columns)
    (reading,) = reader.read(reader.write_example(folder, ExampleRequest(units=40)), "high")
    return reading


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"decisions": TWO, "id": "id", "section": "source", "a": "a", "b": "b"},
        {"decisions": (), "scores": ("score.a", "score.b"), "label": ""},
        {"decisions": (), "scores": ("a", "b"), "id": "id", "section": "subset"},
    ],
)
def test_the_columns_are_those_that_are_read(columns, tmp_path):
    assert len(read(tmp_path, **columns).submissions) == 3


def test_a_second_decision_is_of_the_answers_or_as_shown(tmp_path):
    by_second = {second: read(tmp_path / second, decisions=TWO, second=second) for second in ("as_shown", "of_a_and_b")}
    shown, of_answers = (json.loads(line) for line in (
        (tmp_path / second / "submissions" / "Larch-large.jsonl").read_text().splitlines()[0] for second in by_second
    ))  # fmt: skip
    assert shown["orders"][0] == of_answers["orders"][0]
    assert shown["orders"][1] != of_answers["orders"][1]
    one, other = ([each.values for each in reading.submissions] for reading in by_second.values())
    for values, again in zip(one, other, strict=True):
        np.testing.assert_equal(values, again)


METRICS = (
    *("judgebench_accuracy", "preference_kappa", "preference_kappa(chance=base_rate)"),
    *("section_accuracy", "section_accuracy(rule=judgebench)", "swap_consistency", "position_bias"),
)
AUDIT = kind_of(Preferences).audit


@pytest.fixture(scope="module")
def judges():
    gold = AUDIT.generate(np.random.default_rng(1)).batch.take(np.arange(300))
    return {
        f"q{quality}": AUDIT.honest(gold, quality, np.random.default_rng(i))
        for i, quality in enumerate((0.2, 0.8, 0.8))
    } | {"again": AUDIT.honest(gold, 0.8, np.random.default_rng(9))}


@pytest.mark.parametrize("test", ["randomization(draws=500)", "bootstrap(draws=500)"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_better_judge_is_told_from_a_worse_one(metric, test, judges):
    pairs = qeframe.compare(metric, None, judges, test=test, seed=1)
    by_name = {frozenset((pair.a, pair.b)): pair.p for pair in pairs}
    assert all(0 < p <= 1 for p in by_name.values())
    if metric != "position_bias":
        assert by_name[frozenset(("q0.2", "q0.8"))] < 0.01
        assert by_name[frozenset(("again", "q0.8"))] > 0.01


def lines_of(tmp_path, text):
    path = tmp_path / "file.jsonl"
    path.write_text(text, encoding="utf-8")
    return JsonLines.parse(read_text_lines(path, texts=True))


def test_values_by_path(tmp_path):
    lines = lines_of(tmp_path, '{"a": {"b": [{"c": 1}, null]}, "0": 2}\n')
    assert lines.value(0, "a.b.0.c") == 1
    assert lines.value(0, "a.b.1.c") is None
    assert lines.value(0, "a.b.2") is BEYOND
    assert lines.value(0, "0") == 2
    assert lines.has(0, "a.x")
    assert not lines.has(0, "b")


def test_texts_names_and_numbers(tmp_path):
    lines = lines_of(tmp_path, '{"text": "x\\u2028", "name": 7, "number": 2, "yes": true, "long": 1e200}\n')
    assert lines.text(0, "text") == "x\u2028"
    assert lines.name(0, "name") == "7"
    assert lines.number(0, "number") == 2.0
    for read, path, message in (
        (lines.text, "number", "'number' is 2, not text"),
        (lines.name, "text", "not a name"),
        (lines.name, "yes", "'yes' is true, not text"),
        (lines.number, "yes", "'yes' is true, not a number"),
        (lines.number, "text", "not a number"),
        (lines.number, "long", "too large"),
    ):
        with pytest.raises(DataError, match=message):
            read(0, path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}\n{\n", r"file.jsonl:2: not JSON: .* at column 2"),
        ("{}\n\n{}\n", "file.jsonl:2: an empty line"),
        ("[1]\n", r"file.jsonl:1: \[1\] is no JSON object"),
        ('{"a": 1, "a": 2}\n', "the key 'a' is written twice"),
        ('{"a": NaN}\n', "NaN is no number of JSON"),
        ('{"a": ' + "[" * 100_000 + "\n", "nested too deeply|not JSON"),
        ('{"a": ' + "9" * 5000 + "}\n", "a number with too many digits"),
        ("{} {}\n", "not JSON: Extra data"),
    ],
)
def test_bad_lines(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        lines_of(tmp_path, text)


def test_a_missing_key_names_those_that_are_there(tmp_path):
    lines = lines_of(tmp_path, '{"a": {"b": 1}}\n')
    with pytest.raises(DataError, match=r"there is no value 'a.c'; add 'c', .*its keys are b"):
        lines.value(0, "a.c")
    with pytest.raises(DataError, match=r"there is no value 'a.b.c'"):
        lines.value(0, "a.b.c")


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
