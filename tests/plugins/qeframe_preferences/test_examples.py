"""Generated pairs: read by any columns, and of the same decisions whichever way the second order is written."""

import json

import numpy as np
import pytest

from qeframe.core.components.reader import ExampleRequest
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
