"""Differences of all ordered pairs over their spread, in blocks."""

import numpy as np
import pytest

from qeframe_significance.families.joint_draws import ordered_pairs_of, spread_of_differences, studentized_blocks


def test_blocks_hold_all_draws_of_all_ordered_pairs() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(5000, 4))
    drawn -= drawn.mean(axis=0)
    first, second = np.triu_indices(4, 1)
    both = ordered_pairs_of(first, second)
    spread = spread_of_differences(drawn, first, second)
    found = np.concatenate(list(studentized_blocks(drawn, *both, np.concatenate([spread, spread]))))
    expected = np.stack([(drawn[:, i] - drawn[:, j]) for i, j in zip(*both, strict=True)], axis=1)
    assert found == pytest.approx(expected / expected.std(axis=0), abs=1e-12)


def test_undefined_draws_are_left_out_of_the_spread_and_stay_undefined() -> None:
    drawn = np.array([[1.0, 0.0], [-1.0, 0.0], [np.nan, 0.0]])
    pair = (np.array([0]), np.array([1]))
    spread = spread_of_differences(drawn, *pair)
    assert spread.tolist() == [1.0]
    (block,) = studentized_blocks(drawn, *pair, spread)
    assert block[:, 0] == pytest.approx([1.0, -1.0, np.nan], nan_ok=True)
    (flat,) = studentized_blocks(drawn, *pair, np.zeros(1))
    assert np.isnan(flat).all()
