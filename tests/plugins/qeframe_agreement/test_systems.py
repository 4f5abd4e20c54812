"""System level: human scores from judgments and means of segments, held to loops; intervals on WMT12."""

import csv
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

from qeframe.core.batch import labels_to_index
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement import count_wins, expected_wins, pairs_of_rankings, win_ratio
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
from tests.plugins.contests import contest_of


def judged(units=60, systems=5, seed=0, scores=None):
    """Draw comparisons of systems whose quality is their number, and a metric with a score for each system."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, systems, units)
    right = (left + rng.integers(1, systems, units)) % systems
    human = np.sign(np.round((left - right) / 2 + rng.normal(0, 1.5, units))).astype(int)
    of_systems = rng.normal(np.arange(systems), 1) if scores is None else np.asarray(scores, dtype=float)
    gold = np.stack([human, left, right], axis=1)
    batch = Judgments.pair(
        ids=np.arange(units), gold=gold, predicted=np.stack([of_systems[left], of_systems[right]], axis=1)
    )
    return batch, of_systems


@pytest.mark.parametrize("ties", ["ignore", "half", "win"])
@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_ratios_of_wins_under_weights(named, ties, correlation):
    batch, scores = judged()
    metric = named(f"judged_{correlation}(ties={ties})")
    statistic = metric.bind(batch)
    for weights in (np.ones(60), np.random.default_rng(1).integers(0, 4, 60).astype(float)):
        wins, tied = count_wins(batch.human, *batch.systems.T, systems=5, weights=weights)
        human = win_ratio(wins, tied, count_ties=ties)
        expected = {"pearson": pearsonr, "spearman": spearmanr}[correlation](human, scores).statistic
        assert float(statistic(weights)) == pytest.approx(expected, abs=1e-12)
    gold, predicted = metric.vectors(batch)
    assert pearsonr(gold, predicted).statistic == pytest.approx(float(statistic(np.ones(60))), abs=1e-12)


def test_expected_wins_under_weights(named):
    batch, scores = judged(seed=3)
    statistic = named("judged_pearson(wins=expected)").bind(batch)
    weights = np.random.default_rng(1).integers(0, 4, (7, 60)).astype(float)
    wins, _ = count_wins(batch.human, *batch.systems.T, systems=5, weights=weights)
    expected = [pearsonr(row, scores).statistic for row in expected_wins(wins)]
    assert statistic(weights) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("wins", ["ratio", "expected"])
def test_rows_hold_no_more_than_a_judgment_says(named, wins):
    batch, _ = judged(600, systems=19)
    assert named(f"judged_pearson(wins={wins})").bind(batch).rows.nnz <= 6 * 600


def test_systems_without_a_comparison_are_left_out(named):
    gold = np.array([[1, 0, 1], [1, 1, 2], [-1, 2, 0], [0, 3, 0]])
    scores = np.array([3.0, 2.0, 1.0, 99.0])
    batch = Judgments.pair(ids=np.arange(4), gold=gold, predicted=scores[gold[:, 1:]])
    human = [1.0, 0.5, 0.0]
    assert float(named("judged_pearson").bind(batch)(np.ones(4))) == pytest.approx(pearsonr(human, [3, 2, 1]).statistic)
    assert len(named("judged_pearson").vectors(batch)[0]) == 3
    assert len(named("judged_pearson(ties=half)").vectors(batch)[0]) == 4
    assert np.isnan(named("judged_pearson").bind(batch)(np.zeros(4)))


def test_williams_and_the_bootstrap_work(registry, named):
    batches = tuple(judged(200, scores=scores)[0] for scores in ([0, 1, 2, 3, 4], [0, 2, 1, 4, 3], [4, 1, 3, 0, 2]))
    groups = {"ranking": [str(unit // 10) for unit in range(200)]}
    widths = {}
    for resample in ("judgment", "ranking"):
        given = contest_of(named("judged_pearson"), batches, groups=groups, resample=resample)
        low, high, draws = registry.get(SignificanceTest, "bootstrap").interval(given, 0.95)
        assert draws.shape == (1000, 3)
        assert (low < given.oriented).all()
        assert (given.oriented < high).all()
        widths[resample] = high - low
    by_score = contest_of(named("judged_pearson"), batches, as_given=False)
    assert (registry.get(SignificanceTest, "williams").run(by_score, "one").p < 0.5).all()


def test_wmt12_czech_english_by_judgment_and_by_judge(shared_data, registry, named):
    """A perfect metric: how far its correlation moves when the judgments are drawn again."""
    with (shared_data("wmt12-metrics") / "rankings.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["srclang"], row["trglang"]) == ("Czech", "English")]
    if not rows:
        pytest.skip("other names of languages")
    places = range(1, 6)
    index, names = labels_to_index([row[f"system{place}Id"] for row in rows for place in places])
    ranks = np.array([[int(row[f"system{place}rank"]) for place in places] for row in rows])
    found = pairs_of_rankings(ranks, index.reshape(ranks.shape))
    wins, _ = count_wins(found.human, found.left, found.right, systems=len(names))
    human = np.nan_to_num(win_ratio(wins))
    batch = Judgments.pair(
        ids=np.arange(len(found.human)),
        gold=np.stack([found.human, found.left, found.right], axis=1),
        predicted=np.stack([human[found.left], human[found.right]], axis=1),
    )
    groups = {"judge": [rows[row]["judgeId"] for row in found.source]}
    lows = []
    for resample in ("judgment", "judge"):
        given = contest_of(named("judged_pearson"), [batch], groups=groups, resample=resample)
        assert given.oriented == pytest.approx([1.0])
        lows.append(registry.get(SignificanceTest, "bootstrap").interval(given, 0.95)[0][0])
    assert 0.9 < lows[1] < lows[0] < 1


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
    level = Grid.from_plain([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]], [[1, 2]] * 3)
    assert np.isnan(system_spearman.bind(level)(np.ones(3)))
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
