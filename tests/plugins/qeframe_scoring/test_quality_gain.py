"""The gain of corrections: against a plain mean, and what it rewards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.plugin import Scores
from qeframe_scoring import delta_average

NUMBERS = st.floats(-100, 100)


def gain(before, after):
    batch = Scores.from_plain(before, after)
    return float(delta_average.quality_gain.bind(batch)(np.ones(len(batch))))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=9))
def test_agrees_with_a_loop(pairs):
    total = 0.0
    for before, after in pairs:
        total += after - before
    assert gain(*zip(*pairs, strict=True)) == pytest.approx(total / len(pairs), abs=1e-9)


def test_what_it_rewards():
    before = [0.5, 0.7, 0.6, 0.8]
    assert gain(before, before) == 0  # doing nothing
    assert gain(before, [0.8, 0.7, 0.6, 0.8]) == pytest.approx(0.075)  # a single segment
    assert gain(before, [0.9] * 4) == pytest.approx(0.25)  # rewritten for the metric, whatever it says
    assert gain(before, [0.5, 0.6, 0.6, 0.8]) < 0


def test_nothing_without_units():
    batch = Scores.from_plain([1, 2], [1, 2])
    assert np.isnan(delta_average.quality_gain.bind(batch)(np.zeros(2)))
