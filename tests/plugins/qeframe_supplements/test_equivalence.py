"""Equivalence of pairs: verdicts, and what is undefined."""

import math

import numpy as np
import pytest
from scipy.stats import t

import qeframe
from qeframe.core.errors import CapabilityError, DataError
from tests.qeframe.core.evaluation.made_comparables import made_task, profile

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
    with pytest.raises(DataError, match="difference of equivalence must be positive"):
        verdicts(0.0)
    with pytest.raises(DataError, match="alpha"):
        verdicts(0.1, alpha=0.6)
    with pytest.raises(DataError, match=r"^equivalence has no 'delta'; give the smallest difference that matters"):
        qeframe.evaluate(profile("mae"), made_task(), supplements=["equivalence"])
    assert qeframe.compare("mae", GOLD, ANSWERS)[0].equivalence is None


def test_a_score_that_is_not_smooth_is_refused(registry):
    from qeframe.core.components.metric import Metric

    rough = next(m for m in registry.all(Metric) if not m.smooth and m.kind.__name__ == "Scores")
    with pytest.raises(CapabilityError, match="equivalence cannot be tested: the score is not smooth"):
        qeframe.compare(rough, GOLD, ANSWERS, test="bootstrap(draws=20)", equivalence=0.1)
