"""Mean scores of systems, compared and correlated, against loops and scipy."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.systems.means import (
    correlation,
    pairwise_accuracy,
    rank_correlation,
    ranks,
    system_means,
    system_pearson,
    system_spearman,
    system_tau_b,
)

NAN = np.nan


def slow_means(grid, weights):
    """Return the weighted means of the systems that have a cell with weight."""
    sides = []
    for system in range(grid.systems):
        rows = [i for i in range(len(grid)) if grid.present[i, system] and weights[i] > 0]
        if rows:
            w = [weights[i] for i in rows]
            sides.append(
                [np.average([side[i, system] for i in rows], weights=w) for side in (grid.gold, grid.predicted)]
            )
    return np.array(sides).T


def slow_accuracy(gold, predicted):
    pairs = list(combinations(range(len(gold)), 2))
    right = sum(np.sign(gold[i] - gold[j]) == np.sign(predicted[i] - predicted[j]) for i, j in pairs)
    return right / len(pairs)


def with_gaps(seed):
    rng = np.random.default_rng(seed)
    gold, predicted = rng.normal(size=(2, 9, 5))
    gold[rng.random(gold.shape) < 0.3] = NAN
    return Grid.from_plain(gold, predicted), rng.integers(0, 3, 9).astype(float)


@pytest.mark.parametrize("seed", range(4))
def test_metrics_against_loops(seed):
    grid, drawn = with_gaps(seed)
    for weights in (np.ones(9), drawn):
        gold, predicted = slow_means(grid, weights)
        assert float(pairwise_accuracy.bind(grid)(weights)) == pytest.approx(slow_accuracy(gold, predicted))
        assert float(system_pearson.bind(grid)(weights)) == pytest.approx(pearsonr(gold, predicted).statistic)
        assert float(system_spearman.bind(grid)(weights)) == pytest.approx(spearmanr(gold, predicted).statistic)
        assert float(system_tau_b.bind(grid)(weights)) == pytest.approx(kendalltau(gold, predicted).statistic)


def test_system_means_leave_out_systems_without_a_cell():
    grid = Grid.from_plain([[1, NAN, 3], [2, NAN, NAN]], [[4, 5, 6], [6, 5, 4]])
    gold, predicted = system_means(grid)
    assert gold.tolist() == [1.5, 3.0]
    assert predicted.tolist() == [5.0, 6.0]


def test_means_that_differ_by_rounding_are_tied():
    """0.1 + 0.2 differs from 0.3 in the last bit, in sums of another order."""
    grid = Grid.from_plain([[0.1, 0.3, 1.0], [0.2, 0.0, 1.0]], [[1, 1, 2], [2, 2, 3]])
    assert grid.gold.sum(axis=0)[0] != grid.gold.sum(axis=0)[1]
    assert float(pairwise_accuracy.bind(grid)(np.ones(2))) == 1.0
    assert ranks(np.array([0.30000000000000004, 0.3, 1.0]), np.ones(3)).tolist() == [1.0, 1.0, 2.5]


def test_ranks_are_among_the_systems_that_are_present():
    means, there = np.array([4.0, 9.0, 1.0, 4.0]), np.array([1.0, 0.0, 1.0, 1.0])
    assert ranks(means, there)[there > 0] + 0.5 == pytest.approx(rankdata([4.0, 1.0, 4.0]))


def test_correlations_leave_out_absent_systems():
    rng = np.random.default_rng(0)
    gold, predicted = rng.normal(size=(2, 3, 6))
    there = np.ones((3, 6))
    there[1, 2] = there[2, [0, 5]] = 0
    for row in range(3):
        kept = there[row] > 0
        expected = pearsonr(gold[row, kept], predicted[row, kept]).statistic
        assert correlation(gold, predicted, there)[row] == pytest.approx(expected)
        expected = spearmanr(gold[row, kept], predicted[row, kept]).statistic
        assert rank_correlation(gold, predicted, there)[row] == pytest.approx(expected)


def test_vectors_details_and_outcomes():
    grid = Grid.from_plain([[1, 2, 3, NAN], [1, 2, 3, NAN]], [[2, 1, 3, 1], [2, 1, 3, 1]])
    assert [side.tolist() for side in system_spearman.vectors(grid)] == [[0.5, 1.5, 2.5], [1.5, 0.5, 2.5]]
    assert [side.tolist() for side in system_pearson.vectors(grid)] == [[1, 2, 3], [2, 1, 3]]
    assert pairwise_accuracy.details(grid) == {"right": 2.0, "pairs": 3.0, "systems": 3.0, "unanswered": 0.0}
    assert pairwise_accuracy.outcomes(grid).tolist() == [0.0, 1.0, 1.0]


def test_one_system_has_no_pair_and_no_correlation():
    grid = Grid.from_plain([[1], [2]], [[1], [3]])
    for metric in (pairwise_accuracy, system_pearson, system_spearman):
        assert np.isnan(metric.bind(grid)(np.ones(2)))


def test_tau_b_of_means_with_ties_and_constants():
    tied = Grid.from_plain([[1, 2, 3, 4], [1, 2, 3, 4]], [[5, 5, 6, 1], [7, 7, 6, 2]])
    expected = kendalltau([1, 2, 3, 4], [6, 6, 6, 1.5]).statistic
    assert float(system_tau_b.bind(tied)(np.ones(2))) == pytest.approx(expected)
    for constant in ([[1, 2]], [[3, 3]]), ([[3, 3]], [[1, 2]]), ([[NAN, NAN]], [[1, 2]]), ([[1]], [[2]]):
        grid = Grid(ids=np.arange(1), gold=np.array(constant[0], float), predicted=np.array(constant[1], float))
        assert (np.isnan(system_tau_b.bind(grid)(np.ones(1)))) == (constant[0] != [[1, 2]] or constant[1] == [[3, 3]])


def test_details_have_the_means_of_all_systems():
    grid = Grid.from_plain([[NAN, 1, NAN], [NAN, NAN, NAN]], [[1, 2, NAN], [4, 2, NAN]])
    np.testing.assert_equal(system_tau_b.details(grid)["means"], [2.5, 2, NAN])
