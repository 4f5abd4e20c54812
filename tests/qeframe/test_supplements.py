"""Detectable differences and equivalence of pairs, against their definitions."""

import math

import numpy as np
import pytest
from scipy.stats import t

import qeframe
from qeframe.core.errors import CapabilityError, DataError
from qeframe.supplements.differences import detectable_differences
from tests.qeframe.core.evaluation.made_contests import in_task, made_task, scoreboard

NAMES = ["good", "fair", "poor"]


@pytest.mark.parametrize(("metric", "scale"), [("mae", lambda x: x), ("pearson", np.arctanh)])
@pytest.mark.parametrize("sided", ["one", "two"])
def test_the_definition(registry, metric, scale, sided):
    """The leader's score less the one that lies the sum of both quantiles times the jackknife error below it."""
    tasks = [made_task(), made_task("en-ru", 30, seed=1)]
    contest = scoreboard(registry, metric, tasks).contests[0]
    found = detectable_differences(contest, NAMES, level=0.02, sided=sided, power=0.7)
    left_out, best = scale(contest.jackknife()), int(np.argmax(contest.oriented))
    assert found.leader == NAMES[best]
    for i, name in enumerate(NAMES):
        if i == best:
            assert math.isnan(found.from_leader[name])
            continue
        variance, fourth = 0.0, 0.0
        for part in np.split(left_out[:, best] - left_out[:, i], [40]):
            away, n = part - part.mean(), len(part)
            variance += (n - 1) / n * (away**2).sum()
            fourth += ((n - 1) / n) ** 2 * ((away**4).sum() - (away**2).sum() ** 2 / n)
        nu = min(2 * variance**2 / fourth, 68)
        tail = 0.01 if sided == "two" else 0.02
        least = (t.isf(tail, nu) + t.ppf(0.7, nu)) * math.sqrt(variance)
        score = contest.oriented[best]
        below = score - least if metric == "mae" else np.tanh(np.arctanh(score) - least)
        assert found.from_leader[name] == pytest.approx(score - below, rel=1e-9)
    assert found.smallest <= found.median <= found.largest


def test_more_units_detect_smaller_differences(registry):
    sizes = [
        detectable_differences(
            scoreboard(registry, "pearson", [made_task(units=units)]).contests[0], NAMES, level=0.05
        ).median
        for units in (40, 400, 4000)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_undefined_with_the_reason(registry):
    few = scoreboard(registry, "mae", [made_task(units=5)]).contests[0]
    found = detectable_differences(few, NAMES, level=0.05)
    assert (found.leader, found.reason) == ("good", "5 units: a jackknife error needs at least 7")
    assert math.isnan(found.median)
    alone = in_task(registry, "mae", list(range(9)), [list(range(9))])
    assert detectable_differences(alone, ["a"], level=0.05).reason == "fewer than two submissions"
    gold = np.arange(9.0)
    constant = in_task(registry, "mae", gold, [gold, gold + 1])
    assert detectable_differences(constant, ["a", "b"], level=0.05).reason == "no difference has a standard error"


RNG = np.random.default_rng(3)
GOLD = RNG.normal(size=60)
ANSWERS = {
    "a": GOLD + 0.5 * RNG.normal(size=60),
    "near a": GOLD + 0.5 * RNG.normal(size=60),
    "far": GOLD + 3 * RNG.normal(size=60),
}


def verdicts(delta, metric="pearson", **options):
    found = qeframe.compare(metric, GOLD, ANSWERS, test="jackknife", correction="none", equivalence=delta, **options)
    return {frozenset((c.a, c.b)): c for c in found}


def test_three_verdicts():
    close, far = frozenset(("a", "near a")), frozenset(("a", "far"))
    wide = verdicts(0.2)
    assert wide[close].equivalence.verdict == "equivalent"
    assert wide[far].equivalence.verdict == "different"
    assert verdicts(0.001)[close].equivalence.verdict == "not determined"
    assert verdicts(1.5)[far].significant
    assert verdicts(1.5)[far].equivalence.verdict == "equivalent", "a significant difference can be too small to matter"


@pytest.mark.parametrize("metric", ["pearson", "mae"])
def test_two_one_sided_tests_of_the_scores_themselves(metric):
    score = lambda chosen, name: qeframe.score(metric, GOLD[chosen], ANSWERS[name][chosen])  # noqa: E731
    everything = np.arange(60)
    for found in verdicts(0.1, metric).values():
        left_out = np.array(
            [score(np.delete(everything, i), found.a) - score(np.delete(everything, i), found.b) for i in range(60)]
        )
        away = left_out - left_out.mean()
        error = math.sqrt(59 / 60 * (away**2).sum())
        nu = min(max(2 * (away**2).sum() ** 2 / ((away**4).sum() - (away**2).sum() ** 2 / 60), 1), 59)
        half = t.ppf(0.95, nu) * error
        assert found.equivalence.low == pytest.approx(found.difference - half, rel=1e-7)
        assert found.equivalence.high == pytest.approx(found.difference + half, rel=1e-7)
        p = t.cdf(-(0.1 - abs(found.difference)) / error, nu)
        assert found.equivalence.p == pytest.approx(p, rel=1e-6, abs=1e-12)


def test_the_correction_applies_to_equivalence_as_a_family_of_its_own():
    by_pair = qeframe.compare("mae", GOLD, ANSWERS, test="jackknife", correction="bonferroni", equivalence=0.2)
    for found in by_pair:
        assert found.equivalence.p_adjusted == pytest.approx(min(1, 3 * found.equivalence.p))
        assert (found.equivalence.verdict == "equivalent") is (found.equivalence.p_adjusted < 0.05)


def test_equal_submissions_are_equivalent_and_few_units_are_not_determined():
    (same,) = qeframe.compare("mae", GOLD, {"a": ANSWERS["a"], "b": ANSWERS["a"]}, equivalence=1e-6)
    assert (same.equivalence.verdict, same.equivalence.p) == ("equivalent", 0.0)
    few = {name: answers[:6] for name, answers in ANSWERS.items()}
    for found in qeframe.compare("mae", GOLD[:6], few, test="randomization", equivalence=100):
        assert found.equivalence.verdict == "not determined"
        assert math.isnan(found.equivalence.p)


def test_what_is_refused():
    for delta in (0.0, math.inf, math.nan):
        with pytest.raises(DataError, match="difference of equivalence must be positive and finite"):
            verdicts(delta)
    with pytest.raises(DataError, match="alpha"):
        verdicts(0.1, alpha=0.6)
    assert qeframe.compare("mae", GOLD, ANSWERS)[0].equivalence is None


def test_a_score_that_is_not_smooth_is_refused(registry):
    from qeframe.core.metric import Metric

    rough = next(m for m in registry.all(Metric) if not m.smooth and m.kind.__name__ == "Scores")
    with pytest.raises(CapabilityError, match="equivalence cannot be tested: the score is not smooth"):
        qeframe.compare(rough, GOLD, ANSWERS, test="bootstrap(draws=20)", equivalence=0.1)
