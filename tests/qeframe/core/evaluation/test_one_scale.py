"""Answers on one scale: their spread is that of winsorized answers, and nothing but scale and location changes."""

import numpy as np
import pytest

from qeframe.core.evaluation.one_scale import on_one_scale, winsorized
from qeframe.plugin import Scores, Tags


def scores(values):
    return Scores.from_plain(range(len(values)), values)


def test_a_gross_error_does_not_set_the_scale():
    values = np.arange(40.0)
    usual, gross = on_one_scale([scores(values), scores([*values[:-1], 1e6])])
    assert gross.predicted[:-1] == pytest.approx(usual.predicted[:-1], rel=0.1)
    assert (np.median(usual.predicted), winsorized(usual.predicted[None]).std()) == pytest.approx((0, 1))
    assert usual.gold.tolist() == list(range(40))


def test_answers_that_are_nearly_all_equal_take_their_plain_spread():
    sparse = [0.0] * 39 + [5.0]
    varied = np.arange(40.0)
    first, second = on_one_scale([scores(sparse), scores(varied)])
    assert (first.predicted.std(), second.predicted.std()) == pytest.approx((1, 1))


def test_constant_answers_and_other_kinds_stay():
    (constant,) = on_one_scale([scores([3.0, 3.0, 3.0])])
    assert constant.predicted.tolist() == [0, 0, 0]
    tags = Tags.from_plain([["OK"]], [["BAD"]])
    assert on_one_scale([tags])[0] is tags
