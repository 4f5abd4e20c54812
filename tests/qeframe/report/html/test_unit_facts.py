"""Facts of units, against computing them one by one."""

import math

import attrs
import numpy as np
import pytest

from qeframe.core.task import Submission, Task
from qeframe.plugin import Grid, Scores, Spans, Tags, Texts, Values
from qeframe.report.html.facts import DISAGREEMENTS, unit_facts


def task(batches, **more):
    named = {k if isinstance(k, Submission) else Submission(k): b for k, b in batches.items()}
    return Task(name="en-de", batches=named, **more)


def z(values):
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    return [(v - mean) / deviation if deviation else 0.0 for v in values]


def test_the_gaps_are_those_of_a_plain_loop():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    answers = {name: gold + rng.normal(size=40) for name in "abc"}
    facts = unit_facts(task({name: Scores.from_plain(gold, values) for name, values in answers.items()}))
    wanted = [
        sum(abs(z(list(values))[i] - z(list(gold))[i]) for values in answers.values()) / 3 for i in range(len(gold))
    ]
    order = sorted(range(40), key=lambda i: -wanted[i])[:DISAGREEMENTS]
    assert [row["unit"] for row in facts["disagreements"]] == [str(i) for i in order]
    for row, i in zip(facts["disagreements"], order, strict=True):
        assert row["gap"] == pytest.approx(wanted[i], rel=1e-5)
        assert row["gold"] == pytest.approx(gold[i], rel=1e-5)
        lowest = min(answers, key=lambda name: answers[name][i])
        assert row["lowest"] == [lowest, pytest.approx(answers[lowest][i], rel=1e-5)]


def test_distributions_share_an_axis_and_count_what_is_outside():
    gold = [0.0, 1.0, 0.5, 0.25]
    facts = unit_facts(task({"a": Scores.from_plain(gold, [0.0, 9.0, 0.5, -3.0]), "b": Scores.from_plain(gold, gold)}))
    assert (facts["low"], facts["high"]) == (-0.5, 1.5)
    assert facts["submissions"]["a"]["outside"] == 2
    assert facts["submissions"]["b"]["outside"] == 0
    assert sum(facts["gold"]) == pytest.approx(100)
    assert sum(facts["submissions"]["a"]["bins"]) == pytest.approx(50)
    assert facts["submissions"]["a"]["mean"] == 1.625
    assert (facts["unit"], facts["count"]) == ("segment", 4)


def test_scale_and_location_make_no_gap():
    facts = unit_facts(task({"a": Scores.from_plain([0.0, 1.0, 3.0], [100.0, 102.0, 106.0])}))
    assert facts["disagreements"] == [] or max(row["gap"] for row in facts["disagreements"]) < 1e-9


def test_constants_have_z_scores_of_zero():
    facts = unit_facts(task({"a": Scores.from_plain([0.0, 2.0], [0.1 + 0.2, 0.3])}))
    assert [row["gap"] for row in facts["disagreements"]] == [1.0, 1.0]
    same = unit_facts(task({"a": Scores.from_plain([1.0, 1.0], [1.0, 1.0])}))
    assert same["disagreements"] == []
    assert same["low"] < 1.0 < same["high"]


def test_cells_of_grids_without_a_value_are_left_out():
    gold = [[1.0, 2.0, None], [3.0, 0.0, 1.0]]
    facts = unit_facts(task({"m": Grid.from_plain(gold, [[2.0, 1.0, None], [3.0, 0.0, 9.0]])}, names={1: "seg-1"}))
    assert facts["values"] == "z-score"
    assert len(facts["disagreements"]) == 5
    assert facts["disagreements"][0]["unit"] == "seg-1, system 3"
    named = attrs.evolve(
        task({"m": Grid.from_plain(gold, [[2.0, 1.0, None], [3.0, 0.0, 9.0]])}), systems=("x", "y", "z")
    )
    assert unit_facts(named)["disagreements"][0]["unit"].endswith(", system z")


def test_units_have_their_names_groups_and_texts():
    batch = Spans.from_plain([[(0, 2, "minor")], []], [[], []], text=["ab cd", "xyz"])
    facts = unit_facts(task({"a": batch}, groups={"document": ("d1", "d2")}, names={0: "first"}))
    (row,) = facts["disagreements"]
    assert (row["unit"], row["groups"], row["text"], row["gap"]) == ("first", {"document": "d1"}, "ab cd", 40.0)


def test_tags_and_values():
    tags = unit_facts(task({"a": Tags.from_plain([["OK", "BAD"]], [["BAD", "BAD"]])}))
    assert tags["values"] == "% of tokens marked as an error"
    assert tags["disagreements"][0]["highest"] == ["a", 100.0]
    assert (tags["text_of"], tags["disagreements"][0]["text"]) == ("gold", "OK BAD")
    plain = unit_facts(task({"a": Values.from_plain(None, [1.0, 2.0])}))
    assert plain["gold"] is None
    assert plain["disagreements"] == []


def test_attacks_human_scores_and_kinds_without_numbers_have_no_facts():
    batch = Scores.from_plain([0.0, 1.0], [1.0, 0.0])
    others = {Submission("x", "attack"): batch, Submission("h", "human"): batch}
    assert list(unit_facts(task({Submission("a"): batch, **others}))["submissions"]) == ["a"]
    assert unit_facts(task({"a": Texts.from_plain(["x"], ["y"])})) is None
    assert unit_facts(task({})) is None
