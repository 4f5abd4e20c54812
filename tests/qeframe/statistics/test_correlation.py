"""Every formula of the one home against scipy on repeated, chosen and ranked values."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.statistics.correlation import (
    from_first,
    moments,
    pearson_matrix,
    pearson_of_moments,
    pearson_of_rows,
    spearman_of_groups,
    spearman_of_rows,
    weighted_deviations,
)
from qeframe.statistics.ranks import tie_groups

few = st.integers(-3, 3)
triples = st.lists(st.tuples(few, few, st.integers(0, 3)), min_size=1, max_size=9)


def slow_pearson(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation by its definition, NaN where a side is constant."""
    if len(x) < 2 or len(set(x)) < 2 or len(set(y)) < 2:
        return np.nan
    products = [(a - sum(x) / len(x)) * (b - sum(y) / len(y)) for a, b in zip(x, y, strict=True)]
    return float(sum(products) / len(x) / (np.std(x) * np.std(y)))


def slow_spearman(x: np.ndarray, y: np.ndarray) -> float:
    return slow_pearson(scipy.stats.rankdata(x), scipy.stats.rankdata(y))


@settings(max_examples=60)
@given(triples)
def test_weighted_formulas_are_those_of_repeated_values(drawn: list[tuple[int, int, int]]) -> None:
    x, y, weights = (np.array(side, dtype=np.float64) for side in zip(*drawn, strict=True))
    repeated = [np.repeat(side, weights.astype(np.int64)) for side in (x, y)]
    expected = pytest.approx(slow_pearson(*repeated), abs=1e-12, nan_ok=True)
    assert pearson_of_rows(x, y, weights) == expected
    assert pearson_of_moments(weights @ moments(x, y)) == expected
    columns, total = weights[:, None], weights.sum(keepdims=True)
    other = weighted_deviations(tie_groups(x), columns, total)
    ranked = spearman_of_groups(tie_groups(y), columns, total, *other)
    assert ranked == pytest.approx([slow_spearman(*repeated)], abs=1e-12, nan_ok=True)


@settings(max_examples=60)
@given(st.lists(st.lists(few, min_size=4, max_size=4), min_size=1, max_size=5))
def test_all_pairs_of_rows(drawn: list[list[int]]) -> None:
    rows = np.array(drawn, dtype=np.float64) / 4 + 1e3
    expected = [[slow_pearson(a, b) for b in rows] for a in rows]
    assert pearson_matrix(rows) == pytest.approx(np.array(expected), abs=1e-9, nan_ok=True)


@settings(max_examples=50)
@given(st.lists(st.tuples(few | st.none(), few), min_size=1, max_size=7))
def test_spearman_of_the_columns_that_are_known(drawn: list[tuple[int | None, int]]) -> None:
    human, scores = (np.array([[*side]], dtype=np.float64) for side in zip(*drawn, strict=True))
    known = ~np.isnan(human[0])
    x, y = human[0][known], scores[0][known]
    expected = 0.0 if len(set(x)) > 1 and len(set(y)) < 2 else slow_spearman(x, y)
    assert spearman_of_rows(human, scores) == pytest.approx([expected], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("scores", [[1.0, np.nan, 2.0], [1.0, np.inf, 2.0]])
def test_an_undefined_score_of_a_known_column_is_worth_nothing(scores: list[float]) -> None:
    assert spearman_of_rows(np.array([[1.0, 2.0, 3.0]]), np.array([scores])) == [0.0]
    assert spearman_of_rows(np.array([[1.0, np.nan, 3.0]]), np.array([scores])) == [1.0]


def test_counts_of_moments() -> None:
    known = np.array([1.0, 0.0])
    assert moments(np.array([2.0, 0.0]), np.array([3.0, 0.0]), count=known).tolist() == [[1, 2, 3, 4, 9, 6], [0] * 6]
    assert moments(np.array([2.0]), np.array([3.0])).tolist() == [[1, 2, 3, 4, 9, 6]]


def test_constants_far_from_zero_are_constant() -> None:
    rows = np.full((1, 5), 1e8 + 0.1)
    other = np.arange(5.0)[None]
    known = np.array([[True, False, True, True, True]])
    assert from_first(rows, known).tolist() == [[0.0] * 5]
    assert np.isnan(pearson_of_rows(from_first(rows, known), other, known.astype(np.float64))).all()
    assert np.isnan(pearson_matrix(np.concatenate([rows, other]))[0]).all()
    assert np.isnan(pearson_of_moments(np.zeros(6)))


def test_rows_are_measured_from_the_first_known_value() -> None:
    values = np.array([[np.nan, 3.0, 5.0], [np.nan, np.nan, np.nan]])
    assert from_first(values, ~np.isnan(values)).tolist() == [[0, 0, 2], [0, 0, 0]]
    assert from_first(np.empty((2, 0)), np.empty((2, 0))).shape == (2, 0)
