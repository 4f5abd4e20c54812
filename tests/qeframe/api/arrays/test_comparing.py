"""Comparisons of given values: one metric, several metrics, groups of units."""

import numpy as np
import pandas
import pytest

import qeframe
from qeframe.api.arrays.comparing import check_metrics, rules_of_metrics
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError, DataError, UnknownNameError

RNG = np.random.default_rng(12)
GOLD = RNG.normal(size=40)
GOOD, POOR, NOISE = (GOLD + RNG.normal(scale=s, size=40) for s in (0.2, 1.0, 4.0))
THREE = {"noise": NOISE, "good": GOOD, "poor": POOR}
DOCUMENTS = [f"d{i // 4}" for i in range(40)]
METRICS = ["pearson", "mae", "delta_avg"]


def test_one_metric_gives_a_list_of_comparisons():
    found = qeframe.compare("mae", GOLD, THREE)
    assert isinstance(found, list)
    assert [(pair.a, pair.b) for pair in found] == [("good", "poor"), ("good", "noise"), ("poor", "noise")]
    assert (found.metric, found.alpha, found.correction, found.metrics) == ("mae", 0.05, "romano_wolf", 1)


def test_a_list_of_metrics_gives_a_block_for_each_with_the_same_tests():
    found = qeframe.compare(METRICS, GOLD, THREE, seed=2)
    assert [block.metric for block in found] == METRICS
    for block in found:
        alone = qeframe.compare(block.metric, GOLD, THREE, seed=2)
        for pair, single in zip(block, alone, strict=True):
            assert (pair.a, pair.b, pair.test, pair.p) == (single.a, single.b, single.test, single.p)
    (only,) = qeframe.compare(["mae"], GOLD, THREE)
    assert only == qeframe.compare("mae", GOLD, THREE)


def test_each_metric_by_itself_is_each_metric_alone():
    found = qeframe.compare(tuple(METRICS), GOLD, THREE, family="metric", seed=2)
    assert list(found) == [qeframe.compare(metric, GOLD, THREE, seed=2) for metric in METRICS]
    assert {block.metrics for block in found} == {1}


def test_groups_change_p_and_follow_the_index():
    whole = qeframe.compare("pearson", GOLD, THREE, groups=DOCUMENTS)
    assert [pair.p for pair in whole] != [pair.p for pair in qeframe.compare("pearson", GOLD, THREE)]
    index = [f"u{i}" for i in range(40)]
    frame = pandas.DataFrame({"gold": GOLD, **THREE, "document": DOCUMENTS}, index=index)
    submissions = {name: frame[name].sample(frac=1, random_state=1) for name in THREE}
    shuffled = qeframe.compare("pearson", frame["gold"], submissions, groups=frame["document"][::-1])
    assert shuffled == whole


def test_groups_without_a_gold_follow_the_first_submission():
    index = list("abcdefgh")
    a, b = (pandas.Series(RNG.normal(size=8), index=index) for _ in range(2))
    groups = pandas.Series([0, 0, 1, 1, 2, 2, 3, 3], index=index)
    expected = qeframe.compare("mean", None, {"a": list(a), "b": list(b)}, groups=list(groups))
    assert qeframe.compare("mean", None, {"a": a, "b": b[::-1]}, groups=groups[::-1]) == expected


def test_a_test_of_single_units_refuses_groups():
    said = "over groups of units: whole groups .*'groups'.* are drawn; choose a test that resamples or exchanges"
    with pytest.raises(CapabilityError, match=said):
        qeframe.compare("pearson", GOLD, THREE, test="williams", groups=DOCUMENTS)
    with pytest.raises(DataError, match="'groups' has 2 labels for 40 units"):
        qeframe.compare("pearson", GOLD, THREE, groups=["a", "b"])


@pytest.mark.parametrize(
    ("metrics", "options", "said"),
    [
        ([], {}, "there is no metric to compare under; name at least one"),
        (["mae", "mae"], {}, "metric 'mae' is named twice; name every metric once"),
        (["mae", "rmse"], {"equivalence": 0.1}, "equivalence needs one metric"),
        ("mae", {"alpha": 0}, "alpha must lie between 0 and 1, not 0"),
    ],
)
def test_what_cannot_be_compared_is_refused(metrics, options, said):
    with pytest.raises(DataError) as raised:
        qeframe.compare(metrics, GOLD, THREE, **options)
    assert said in str(raised.value)


def test_an_unknown_family_is_refused():
    with pytest.raises(UnknownNameError, match="unknown choice of 'family' 'metrics'; did you mean 'metric'"):
        qeframe.compare("mae", GOLD, THREE, family="metrics")


def test_rules_are_chosen_by_metric(registry: Registry):
    metrics = [registry.get(Metric, name) for name in ("pearson", "delta_avg")]
    check_metrics(metrics, None)
    chosen = rules_of_metrics(metrics, registry)
    assert [rule.test.name for rule in chosen] == ["jackknife", "bootstrap_t"]
    assert [rule.correction.name for rule in chosen] == ["romano_wolf", "romano_wolf"]


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
@pytest.mark.parametrize("units", [15, 20, 40])
def test_a_perfect_correlation_is_not_tested_whatever_its_last_bit(metric, units):
    """Its error on the working scale is that of rounding, so that p was 0 or undefined as rounding had it."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=units)
    noisy = {name: gold + rng.normal(size=units) for name in "bc"}
    found = {(pair.a, pair.b): pair for pair in qeframe.compare(metric, gold, {"a": 2 * gold + 1, **noisy})}
    for (better, _), pair in found.items():
        assert np.isnan(pair.p) == np.isnan(pair.p_adjusted) == (better == "a")
