"""System level from judgments: human scores derived under weights, against loops; intervals on WMT12."""

import csv

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from qeframe.core.batches.base import labels_to_index
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement import count_wins, expected_wins, pairs_of_rankings, win_ratio


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
        scored_task = ScoredTask(
            metrics=(named("judged_pearson"),), batches=batches, key=(1,), groups=groups, resample=resample
        )
        low, high, draws = registry.get(SignificanceTest, "bootstrap").interval(ComparableInTask(scored_task), 0.95)
        assert draws.shape == (1000, 3)
        assert (low < scored_task.scores[0]).all()
        assert (scored_task.scores[0] < high).all()
        widths[resample] = high - low
    assert (registry.get(SignificanceTest, "williams").run(bench_of(batches, named), "one").p < 0.5).all()


def bench_of(batches, named):
    return ComparableInTask(ScoredTask(metrics=(named("judged_pearson"),), batches=batches, key=(1,)))


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
        scored_task = ScoredTask(
            metrics=(named("judged_pearson"),), batches=(batch,), key=(1,), groups=groups, resample=resample
        )
        assert scored_task.scores[0, 0] == pytest.approx(1.0)
        lows.append(registry.get(SignificanceTest, "bootstrap").interval(ComparableInTask(scored_task), 0.95)[0][0])
    assert 0.9 < lows[1] < lows[0] < 1
