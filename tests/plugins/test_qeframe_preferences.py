"""Preferences: generated pairs, their files of JSON lines, and inference on them."""

import json

import numpy as np
import pytest

import qeframe
from qeframe.core.components.reader import ExampleRequest
from qeframe.core.errors import DataError
from qeframe.kinds.preferences.kind import KIND
from qeframe.plugin import Additive
from qeframe.plugin.readers import read_text_lines
from qeframe_preferences.json_lines import BEYOND, JsonLines
from qeframe_preferences.preference_lines import preferences_jsonl

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
    *("judgebench_accuracy", "preference_accuracy(ties=0.5)", "preference_kappa", "preference_kappa(chance=base_rate)"),
    *("section_accuracy", "section_accuracy(rule=judgebench)", "section_tau", "swap_consistency", "position_bias"),
)


@pytest.fixture(scope="module")
def judges():
    gold = KIND.audit.generate(np.random.default_rng(1)).batch.take(np.arange(300))
    return {
        f"q{quality}": KIND.audit.honest(gold, quality, np.random.default_rng(i))
        for i, quality in enumerate((0.2, 0.8, 0.8))
    } | {"again": KIND.audit.honest(gold, 0.8, np.random.default_rng(9))}


@pytest.mark.parametrize("test", ["randomization(draws=500)", "bootstrap(draws=500)"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_better_judge_is_told_from_a_worse_one(metric, test, judges):
    pairs = qeframe.compare(metric, None, judges, test=test, seed=1)
    by_name = {frozenset((pair.a, pair.b)): pair.p for pair in pairs}
    assert all(0 < p <= 1 for p in by_name.values())
    if metric != "position_bias":
        assert by_name[frozenset(("q0.2", "q0.8"))] < 0.01
        assert by_name[frozenset(("again", "q0.8"))] > 0.01


@pytest.mark.parametrize("metric", METRICS)
def test_the_jackknife_is_the_score_without_a_pair(metric, judges, registry):
    from qeframe.core.components.metric import Metric

    batch = judges["q0.2"]
    statistic = registry.get(Metric, metric).bind(batch)
    assert isinstance(statistic, Additive)
    without = statistic(1.0 - np.eye(len(batch)))
    for pair in (0, 17, 299):
        alone = qeframe.score(metric, batch.take(np.delete(np.arange(len(batch)), pair)), None)
        assert without[pair] == pytest.approx(alone, abs=1e-12)


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
