"""The table of one task under several profiles."""

import math

import attrs
import pytest

from qeframe.report.layouts.terminal import as_text
from qeframe.studies.tables.sensitivity import sensitivity_table


@pytest.fixture
def evaluations(evaluation_of, scored):
    first = evaluation_of(
        [scored("a", 1, {"pearson": 0.75}), scored("b", 2, {"pearson": 0.5}), scored("c", 3, {"pearson": 0.25})],
        profile="one",
    )
    second = evaluation_of(
        [
            scored("b", 1, {"mae": 0.125}),
            scored("a", 2, {"mae": 0.25}),
            scored("c", 3, {"mae": math.nan}),
            scored("x", 1, {"mae": 0.0}, kind="attack"),
        ],
        profile="two",
        primary="mae",
        metrics=("mae",),
    )
    return [first, second]


def rows(text):
    return [line.split() for line in text.splitlines()]


def test_ranks_and_scores_side_by_side(evaluations):
    found = rows(as_text(sensitivity_table(evaluations, "a title")))
    assert found[0] == ["a", "title"]
    assert ["submission", "one", "two"] in found
    assert ["metric", "pearson", "↑", "mae", "↓"] in found
    assert found[5] == ["a", "1•", "0.750*", "2", "0.250"]
    assert any(line[:1] == ["c"] and line[-1] == "n/a" for line in found)


def test_submissions_are_in_the_order_of_the_first_evaluation(evaluations):
    found = rows(as_text(sensitivity_table(evaluations, "t")))
    assert [line[0] for line in found[5:9]] == ["a", "b", "c", "x"]


def test_notes_count_pairs_in_another_order(evaluations):
    text = as_text(sensitivity_table(evaluations, "t"))
    assert "one and two order 1 of 1 pairs of submissions differently" in text
    assert "attack" in text
    assert "baseline" not in text


def test_a_submission_that_one_evaluation_lacks_is_undefined_there(evaluations):
    one, two = evaluations
    shorter = attrs.evolve(two, submissions=two.submissions[:1])
    found = rows(as_text(sensitivity_table([one, shorter], "t")))
    assert any(line[:1] == ["a"] and line[-1] == "n/a" for line in found)
