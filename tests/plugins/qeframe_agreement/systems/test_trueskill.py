"""TrueSkill: single updates by hand, a slow run match by match, and the human scores of WMT14."""

import math
import pickle
from zlib import crc32

import numpy as np
import pytest
from scipy.stats import norm

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.errors import DataError
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement import TrueSkill, count_wins
from qeframe_agreement.systems.trueskill import updated
from tests.plugins.qeframe_agreement.test_systems import judged


def after(first, second, sign, beta=0.5):
    """Return both means and both deviations after a match of systems given by mean and deviation."""
    sides = [np.array([value]) for value in (first[0], second[0], first[1] ** 2, second[1] ** 2)]
    found = [float(side[0]) for side in updated(*sides, np.array([sign]), np.array([beta]), 0.25)]
    return [*found[:2], *map(math.sqrt, found[2:])]


@pytest.mark.parametrize(
    ("first", "second", "sign", "expected"),
    [
        ((0, 0.5), (0, 0.5), 1, (0.236659, -0.236659, 0.455327, 0.455327)),
        ((0, 0.5), (0, 0.5), -1, (-0.236659, 0.236659, 0.455327, 0.455327)),
        ((0.3, 0.4), (-0.1, 0.5), 0, (0.230968, 0.007863, 0.363849, 0.427298)),
        ((-0.1, 0.5), (0.3, 0.4), 0, (0.007863, 0.230968, 0.427298, 0.363849)),
        ((0.3, 0.4), (-0.1, 0.5), -1, (0.089213, 0.229354, 0.372483, 0.445090)),
    ],
)
def test_single_matches(first, second, sign, expected):
    assert after(first, second, sign) == pytest.approx(expected, abs=5e-7)


def test_more_matches_are_smaller_steps():
    assert after((0, 0.5), (0, 0.5), 1, beta=5.0) == pytest.approx([0.035534, -0.035534, 0.499133, 0.499133], abs=5e-7)


def test_a_sequence_of_matches():
    mean, spread = [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]
    for i, j, sign in [(0, 1, 1), (0, 2, 1), (1, 2, 0), (0, 2, 1), (1, 0, 1), (2, 1, 1)]:
        mean[i], mean[j], spread[i], spread[j] = after((mean[i], spread[i]), (mean[j], spread[j]), sign)
    assert mean == pytest.approx([0.234878, -0.141322, -0.099395], abs=1e-6)
    assert [value**2 for value in spread] == pytest.approx([0.133744, 0.117797, 0.124849], abs=1e-6)


def slow(wins, ties, matches, seed, run, draw_rate=0.25):
    """Play one run match by match with the textbook's formulas, on the same random numbers."""
    key = crc32(np.stack([wins, ties]).tobytes())
    rng, systems = np.random.default_rng([seed, key, run]), range(len(wins))
    met = [[wins[i, j] + wins[j, i] + ties[i, j] for j in systems] for i in systems]
    mean, variance = [0.0] * len(wins), [0.25] * len(wins)
    beta = 0.5 * matches / 40
    chance = rng.random((512, 2))
    for match in range(matches):
        playing = [i for i in systems if sum(met[i])]
        i = max(playing, key=lambda one: (variance[one], one))
        odds = [math.exp(-abs(mean[j] - mean[i])) if met[i][j] else 0.0 for j in systems]
        j = next(j for j in systems if sum(odds[: j + 1]) > chance[match, 0] * sum(odds))
        nth = chance[match, 1] * met[i][j]
        outcome = 1 if nth < wins[i, j] else -1 if nth < wins[i, j] + wins[j, i] else 0
        c = math.sqrt(2 * beta**2 + variance[i] + variance[j])
        margin = norm.ppf((1 + draw_rate) / 2) * math.sqrt(2) * beta / c
        if outcome:
            a, b = (i, j) if outcome > 0 else (j, i)
            t = (mean[a] - mean[b]) / c
            v = norm.pdf(t - margin) / norm.cdf(t - margin)
            w = v * (v + t - margin)
        else:
            a, b = i, j
            t = (mean[a] - mean[b]) / c
            inside = norm.cdf(margin - t) - norm.cdf(-margin - t)
            v = (norm.pdf(-margin - t) - norm.pdf(margin - t)) / inside
            w = v * v + ((margin - t) * norm.pdf(margin - t) + (margin + t) * norm.pdf(margin + t)) / inside
        mean[a] += variance[a] / c * v
        mean[b] -= variance[b] / c * v
        variance[a] *= 1 - variance[a] / c**2 * w
        variance[b] *= 1 - variance[b] / c**2 * w
    return mean


def counted_wins(batch):
    return count_wins(batch.human, *batch.systems.T, systems=batch.system_count)


@pytest.mark.parametrize("seed", [0, 1])
def test_equals_a_run_match_by_match(seed):
    wins, ties = counted_wins(judged(80, seed=seed)[0])
    found = TrueSkill(runs=2, seed=seed)(wins, ties)
    expected = np.mean([slow(wins, ties, 81, seed, run) for run in range(2)], axis=0)
    np.testing.assert_allclose(found, expected, atol=1e-9)


RANKINGS = [(1, 2, 3), (1, 1, 2), (2, 1, 3), (1, 2, 2)]


def test_mean_and_deviation_over_runs_of_the_example():
    """The official program, on these four rankings with 40 matches and the seeds 0 to 99."""
    wins, ties = np.zeros((3, 3)), np.zeros((3, 3))
    for ranks in RANKINGS:
        for i, j in [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]:
            wins[i, j] += ranks[i] < ranks[j]
            ties[i, j] += ranks[i] == ranks[j]
    runs = np.array([TrueSkill(runs=1, matches=40, seed=seed)(wins, ties) for seed in range(400)])
    official, deviation = np.array([0.552474, 0.205662, -0.766905]), np.array([0.102615, 0.109247, 0.105253])
    assert (np.abs(runs.mean(axis=0) - official) < 3 * deviation * math.sqrt(1 / 100 + 1 / 400)).all()
    np.testing.assert_allclose(runs.std(axis=0, ddof=1), deviation, rtol=0.25)


def test_each_draw_has_its_own_matches_and_none_depends_on_the_others():
    batch, _ = judged(60)
    weights = np.random.default_rng(1).integers(0, 4, (5, 60)).astype(float)
    wins, ties = count_wins(batch.human, *batch.systems.T, systems=5, weights=weights)
    model = TrueSkill(runs=3)
    together = model(wins, ties)
    np.testing.assert_array_equal(together, [model(*each) for each in zip(wins, ties, strict=True)])
    np.testing.assert_array_equal(model(wins[[1, 1, 0]], ties[[1, 1, 0]]), together[[1, 1, 0]])
    assert not np.array_equal(TrueSkill(runs=3, seed=1)(wins, ties), together)


def test_systems_without_a_comparison_and_no_judgments_at_all():
    wins, ties = np.zeros((4, 4)), np.zeros((4, 4))
    assert np.isnan(TrueSkill()(wins, ties)).all()
    wins[0, 1] = 3
    found = TrueSkill()(wins, ties)
    assert found[0] == pytest.approx(-found[1])
    assert found[0] > 0
    assert np.isnan(found[2:]).all()
    ties[0, 1] = ties[1, 0] = 5
    assert TrueSkill()(np.zeros((4, 4)), ties)[:2] == pytest.approx([0, 0], abs=1e-12)


def test_the_metric_takes_its_human_scores(named):
    batch, scores = judged(300)
    human = TrueSkill(runs=4, seed=2)(*counted_wins(batch))
    metric = named("judged_pearson(wins=trueskill(runs=4, seed=2))")
    expected = np.corrcoef(human, scores)[0, 1]
    assert float(metric.bind(batch)(np.ones(300))) == pytest.approx(expected, abs=1e-12)
    assert np.corrcoef(*metric.vectors(batch))[0, 1] == pytest.approx(expected, abs=1e-12)
    again = pickle.loads(pickle.dumps(metric))
    assert again.name == "judged_pearson(wins=trueskill(runs=4, seed=2))"
    assert float(again.bind(batch)(np.ones(300))) == pytest.approx(expected, abs=1e-12)
    assert named("judged_spearman(wins=trueskill)").smooth is False


def test_ties_are_matches():
    decided = Judgments.pair(ids=np.arange(2), gold=np.array([[1, 0, 1], [1, 0, 1]]), predicted=np.zeros((2, 2)))
    tied = Judgments.pair(ids=np.arange(2), gold=np.array([[1, 0, 1], [0, 0, 1]]), predicted=np.zeros((2, 2)))
    first, second = (TrueSkill(runs=50, matches=20)(*counted_wins(batch))[0] for batch in (decided, tied))
    assert first > second > 0


@pytest.mark.parametrize(
    ("wins", "told"),
    [
        ("trueskill(runs=0)", "trueskill: runs must be at least 1, not 0; set runs=10"),
        ("trueskill(draw_rate=1)", "draw_rate=0.25"),
        ("trueskill(draw_rate=1.5)", "draw_rate must be above 0 and below 1, not 1.5; set draw_rate=0.25"),
        ("trueskill(steps=3)", "only trueskill has parameters, runs, matches, draw_rate, seed"),
        ("trueskill(runs=ten)", "only trueskill has parameters"),
        ("expected(runs=3)", "only trueskill has parameters"),
        ("elo", r"must be ratio or expected or bradley_terry or trueskill or WORD\(key=value\)"),
    ],
)
def test_refused(named, wins, told):
    with pytest.raises(DataError, match=told):
        named(f"judged_pearson(wins={wins})")


WMT14 = {
    "cs-en": (
        [0.779988, 0.369762, -0.233834, -0.317859, -0.598058],
        [0.059394, 0.057749, 0.063797, 0.061337, 0.069002],
    ),
    "fr-en": (
        [0.758046, 0.560797, 0.548409, 0.476867, 0.362000, -0.439454, -0.726296, -1.540368],
        [0.047] * 8,  # .036 to .047
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("pair", WMT14)
def test_the_human_scores_of_wmt14(shared_data, pair):
    """Means over 50 runs of the official program on these pairs, each with its deviation over runs."""
    registry = qeframe.load()
    rules = choose_profile("wmt14_metrics_system", (), registry)
    tasks = read_tasks(rules, shared_data("wmt14-metrics"), registry)
    (batch, *_) = next(task for task in tasks if task.name == pair).batches.values()
    found = np.sort(TrueSkill(runs=100)(*counted_wins(batch)))[::-1]
    official, deviation = map(np.array, WMT14[pair])
    assert (np.abs(found - official) < 3.5 * deviation * math.sqrt(1 / 50 + 1 / 100)).all()
