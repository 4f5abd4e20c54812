"""Answers on one scale: their spread is that of winsorized answers, and nothing but scale and location changes."""

import numpy as np
import pytest

from qeframe.core.evaluation.one_scale import on_one_scale, winsorized
from qeframe.plugin import PostEdits, Scores, Tags


def scores(values):
    return Scores.from_plain(range(len(values)), values)


def test_a_gross_error_does_not_set_the_scale():
    values = np.arange(40.0)
    usual, gross = on_one_scale([scores(values), scores([*values[:-1], 1e6])], Scores)
    assert gross.predicted[:-1] == pytest.approx(usual.predicted[:-1], rel=0.1)
    assert (np.median(usual.predicted), winsorized(usual.predicted[None]).std()) == pytest.approx((0, 1))
    assert usual.gold.tolist() == list(range(40))


def test_answers_that_are_nearly_all_equal_take_their_plain_spread():
    sparse = [0.0] * 39 + [5.0]
    varied = np.arange(40.0)
    first, second = on_one_scale([scores(sparse), scores(varied)], Scores)
    assert (first.predicted.std(), second.predicted.std()) == pytest.approx((1, 1))


def test_constant_answers_and_other_kinds_stay():
    (constant,) = on_one_scale([scores([3.0, 3.0, 3.0])], Scores)
    assert constant.predicted.tolist() == [0, 0, 0]
    tags = Tags.from_plain([["OK"]], [["BAD"]])
    assert on_one_scale([tags], Tags)[0] is tags


def test_batches_with_further_parts_are_scaled_as_those_of_the_metric():
    edits = [PostEdits.from_plain([(i, "a") for i in range(9)], [(k * i % 7, "b") for i in range(9)]) for k in (1, 2)]
    first, second = on_one_scale(edits, Scores)
    assert (np.median(first.predicted), np.median(second.predicted)) == (0, 0)
