"""The smallest detectable differences, against their definition."""

import math

import numpy as np
import pytest
from scipy.stats import t

from qeframe_supplements.detectable_differences import detectable_differences
from tests.qeframe.core.evaluation.made_comparables import in_task, made_task, scoreboard

NAMES = ["good", "fair", "poor"]


@pytest.mark.parametrize(("metric", "scale"), [("mae", lambda x: x), ("pearson", np.arctanh)])
@pytest.mark.parametrize("sided", ["one", "two"])
def test_the_definition(registry, metric, scale, sided):
    """The leader's score less the one that lies the sum of both quantiles times the jackknife error below it."""
    tasks = [made_task(), made_task("en-ru", 30, seed=1)]
    comparable = scoreboard(registry, metric, tasks).comparables[0]
    found = detectable_differences(comparable, NAMES, level=0.02, sided=sided, power=0.7)
    left_out, best = scale(comparable.jackknife()), int(np.argmax(comparable.oriented))
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
        score = comparable.oriented[best]
        below = score - least if metric == "mae" else np.tanh(np.arctanh(score) - least)
        assert found.from_leader[name] == pytest.approx(score - below, rel=1e-9)
    assert found.smallest <= found.median <= found.largest


def test_more_units_detect_smaller_differences(registry):
    sizes = [
        detectable_differences(
            scoreboard(registry, "pearson", [made_task(units=units)]).comparables[0], NAMES, level=0.05
        ).median
        for units in (40, 400, 4000)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_undefined_with_the_reason(registry):
    few = scoreboard(registry, "mae", [made_task(units=5)]).comparables[0]
    found = detectable_differences(few, NAMES, level=0.05)
    assert (found.leader, found.reason) == ("good", "5 units: a jackknife error needs at least 7")
    assert math.isnan(found.median)
    alone = in_task(registry, "mae", list(range(9)), [list(range(9))])
    assert detectable_differences(alone, ["a"], level=0.05).reason == "fewer than two submissions"
    gold = np.arange(9.0)
    constant = in_task(registry, "mae", gold, [gold, gold + 1])
    assert detectable_differences(constant, ["a", "b"], level=0.05).reason == "no difference has a standard error"
