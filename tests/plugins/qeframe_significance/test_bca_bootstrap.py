"""The BCa bootstrap of differences of means, against scipy and the golden cases of WMT26."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from qeframe_significance import bca_bootstrap as module
from qeframe_significance.bca_bootstrap import bca_bootstrap

GOLDEN = Path(__file__).parents[1] / "qeframe_wmt/readers/wmt26/golden"
CASES = json.loads((GOLDEN / "02-two-systems.json").read_text("utf-8"))
SEEDS = 500


class Two:
    """What the test asks of a contest."""

    def __init__(self, *values):
        self.values = np.array(values, dtype=np.float64)

    @property
    def pairs(self):
        return np.triu_indices(len(self.values), 1)

    def per_unit(self):
        return self.values


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_how_often_a_system_is_better(case):
    p = bca_bootstrap(seed=1, replicate="official").over_seeds(Two(case["a"], case["b"]), SEEDS)[:, 0]
    share, expected = (p < 0.05).mean(), case["a_better_share_of_500_seeds_040f2c4"]
    # both shares are of 500 seeds
    error = np.sqrt(2 * max(expected * (1 - expected), 1e-9) / SEEDS)
    assert share == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_one_seed_is_one_run(case):
    test, values = bca_bootstrap(replicate="official"), Two(case["a"], case["b"])
    p = test.run(values, "one").p
    assert np.array_equal(p, test.run(values, "one").p, equal_nan=True)
    if case["a_better_share_of_500_seeds_040f2c4"] in (0, 1):
        assert (p[0] < 0.05) == case["a_better_share_of_500_seeds_040f2c4"]


@pytest.mark.newest
@pytest.mark.parametrize("seed", range(20))
def test_p_is_below_alpha_where_the_limit_of_scipy_is_above_0(seed):
    rng = np.random.default_rng(seed)
    values = rng.gamma(1.0, 2.0, 25) - rng.uniform(0.5, 2.2)
    found = stats.bootstrap((values,), np.mean, n_resamples=100, alternative="greater", rng=np.random.default_rng(seed))
    drawn, low = found.bootstrap_distribution, found.confidence_interval.low
    p = module._p_of_lower_limit(drawn[None], values.mean(), module._acceleration([values]))[0]
    assert (p < 0.05) == (low > 0)


def test_common_items_alone_without_the_official_rule():
    case = next(each for each in CASES if each["name"] == "paired_only")
    values = Two(case["a"], case["b"])
    assert bca_bootstrap().run(values, "one").p[0] == bca_bootstrap(replicate="official").run(values, "one").p[0]
    apart = Two([1.0, 2, 3, np.nan, np.nan, np.nan], [np.nan, np.nan, np.nan, -5, -6, -7])
    assert bca_bootstrap().run(apart, "one").p[0] < 0.05


def test_the_acceleration_of_a_difference_turns_its_sign_with_the_order(monkeypatch):
    found = []
    monkeypatch.setattr(module, "_p_of_lower_limit", lambda drawn, _observed, acceleration: found.append(acceleration))
    skewed = [[1.0, 2, 3, 30, np.nan, np.nan, np.nan], [np.nan, np.nan, np.nan, np.nan, 0, 1, 2]]
    for values in (skewed, skewed[::-1]):
        bca_bootstrap(replicate="official").over_seeds(Two(*values), 1)
    assert found[0] == pytest.approx(-found[1]) != 0


def test_what_is_undefined_says_why():
    found = bca_bootstrap().run(Two([5.0, 6.0], [4.0, 5.0]), "one")
    assert np.isnan(found.p[0])
    assert found.reasons == ("equal differences, or fewer than two values",)
