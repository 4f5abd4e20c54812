"""The pairs that a test compares, and functions over the differences of all pairs."""

import numpy as np
import pytest

from qeframe.core.components.comparable import of_known_pairs, ordered_pairs, over_pairs

KEY = (1, 2)


def test_pairs_are_unordered_and_the_better_comes_first() -> None:
    first, second = ordered_pairs(np.array([0.1, np.nan, 0.3, 0.1]))
    assert list(zip(first, second, strict=True)) == [(2, 0), (2, 3), (2, 1), (0, 3), (0, 1), (3, 1)]
    first, second = ordered_pairs(np.array([0.1, 0.2]), as_given=True)
    assert (list(first), list(second)) == ([0], [1])
    assert ordered_pairs(np.array([0.5]))[0].shape == (0,)


def test_differences_go_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = np.random.default_rng(0).normal(size=(5, 4))
    pairs = ordered_pairs(np.arange(4.0))
    whole = over_pairs(draws, pairs, lambda d, part: d.sum(axis=0) + np.arange(6)[part])
    monkeypatch.setattr("qeframe.core.resampling.memory.MOST_CELLS", 10)
    assert (over_pairs(draws, pairs, lambda d, part: d.sum(axis=0) + np.arange(6)[part]) == whole).all()
    assert over_pairs(draws, (pairs[0][:0], pairs[1][:0]), lambda d, part: d.sum(axis=0)).shape == (0,)


def test_differences_of_known_pairs_are_taken_in_either_order():
    scores = np.array([[0.1, 0.7, 0.4, 0.0], [1.0, 2.0, 4.0, 8.0]])
    known = ordered_pairs(np.arange(4.0))
    differences = scores[:, known[0]] - scores[:, known[1]]
    assert of_known_pairs(differences, known, known) is differences
    asked = np.array([0, 3, 2]), np.array([3, 1, 0])
    found = of_known_pairs(differences, known, asked)
    assert (found == scores[:, asked[0]] - scores[:, asked[1]]).all()
    assert of_known_pairs(differences, known, (np.array([1]), np.array([1]))) is None
    nothing = np.empty(0, dtype=np.int64)
    assert of_known_pairs(differences, known, (nothing, nothing)).shape == (2, 0)
