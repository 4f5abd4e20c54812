"""What the tests `sign` and `williams` refuse: outcomes that are not the score, cells that differ."""

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import CapabilityError
from qeframe.core.ranking import Aggregation
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import calibrate
from qeframe_agreement.grids import ACC23
from tests.plugins.contests import contest_of


def grids_of(gold, count=2, seed=0):
    rng = np.random.default_rng(seed)
    return {f"m{i}": Grid.from_plain(gold, gold + rng.normal(size=gold.shape)) for i in range(count)}


def without(grid, item, system):
    predicted = grid.predicted.copy()
    predicted[item, system] = np.nan
    return Grid.from_plain(grid.gold, predicted)


def test_items_of_different_sizes_have_no_sign_test(registry):
    """One metric is better in the many small items, hence by score; the other one in the few large ones."""
    gold = np.tile(np.arange(8.0), (30, 1))
    gold[6:, 2:] = np.nan
    few, many = gold.copy(), gold.copy()
    few[:6] *= -1
    many[6:] *= -1
    grids = {"a": Grid.from_plain(gold, few), "b": Grid.from_plain(gold, many)}
    with pytest.raises(CapabilityError, match=r"have different weights .* needs 'exchange'"):
        qeframe.compare("acc_eq(epsilon=0)", None, grids, test="sign", registry=registry)
    (pair,) = qeframe.compare("acc_eq(epsilon=0)", None, grids, test="permutation(unit=pair)", registry=registry)
    assert (pair.a, pair.difference > 0) == ("a", True)


def test_large_values_whose_mean_is_the_score_but_for_roundings(registry):
    values = 1e12 * np.random.default_rng(7).normal(size=(2, 1001)) + 0.1
    answers = {"a": values[0], "b": values[1]}
    (pair,) = qeframe.compare("mean", None, answers, test="sign", registry=registry)
    assert 0 < pair.p <= 1


@pytest.mark.parametrize("way", ["within", "resample"])
def test_groups_of_units_have_no_sign_test(registry, named, way):
    """Neither the mean over documents nor an exchange of documents is that of single pairs."""
    gold = np.random.default_rng(1).normal(size=(8, 4))
    rules = {
        "within": {"within": registry.get(Aggregation, "macro(by=document)")},
        "resample": {"resample": "document"},
    }[way]
    groups = {"document": list("aabbbbbb")}
    given = contest_of(named("acc_eq(epsilon=0)"), grids_of(gold).values(), groups=groups, **rules)
    with pytest.raises(CapabilityError, match=f"no outcomes of .* over groups of units: .*'{way}'.*; choose a test"):
        given.outcomes()


def test_an_exchange_of_cells_within_groups_names_the_reason(registry, named):
    gold = np.random.default_rng(1).normal(size=(8, 4))
    macro = registry.get(Aggregation, "macro(by=document)")
    groups = {"document": list("aabbbbbb")}
    given = contest_of(named("acc_eq"), grids_of(gold).values(), groups=groups, within=macro)
    with pytest.raises(CapabilityError, match="no exchange of 'cell': 'within' scores every document separately"):
        given.along("cell").count_exchanges(8, lambda d, _part: d > 0)


@pytest.mark.parametrize("name", ["segment_pearson", "segment_spearman", "system_pearson"])
def test_other_missing_cells_have_no_vectors_in_common(named, name):
    """Two metrics of the same scores, each without another cell, are not aligned."""
    gold = np.random.default_rng(2).normal(size=(10, 5))
    one = grids_of(gold, 1)["m0"]
    lacking = without(one, 0, 0), without(one, 7, 3)
    with pytest.raises(CapabilityError, match="lack different units have no common vectors"):
        contest_of(named(name), lacking).vectors()
    assert contest_of(named(name), [lacking[0], lacking[0]]).vectors()[1].shape[0] == 2


def test_other_missing_cells_have_no_outcomes_in_common(registry):
    """As many pairs in both, but not the same ones."""
    gold = np.random.default_rng(3).normal(size=(10, 5))
    one = grids_of(gold, 1)["m0"]
    lacking = {"a": without(one, 0, 0), "b": without(one, 7, 3)}
    with pytest.raises(CapabilityError, match="lack different units have no common outcomes"):
        qeframe.compare("acc_eq(epsilon=0)", None, lacking, test="sign", registry=registry)


def test_values_of_items_are_aligned_whatever_cells_are_missing(registry):
    """One value an item stays one value an item."""
    gold = np.random.default_rng(3).normal(size=(10, 5))
    one, other = grids_of(gold).values()
    lacking = {"a": without(one, 0, 0), "b": without(other, 7, 3)}
    (pair,) = qeframe.compare("acc_eq(epsilon=0)", None, lacking, test="wilcoxon", registry=registry)
    assert 0 < pair.p <= 1


def test_metrics_that_lack_different_cells_are_exchanged_by_items(named):
    gold = np.random.default_rng(6).normal(size=(10, 4))
    one, other = grids_of(gold).values()
    lacking = without(one, 0, 0), without(other, 7, 3)
    for name in ("spa(replicate=official, permutations=50)", "spa(permutations=50)"):
        assert named(name).exchange(lacking).cells == 10


def test_the_smallest_differences_have_a_best_threshold():
    """The largest one is a number whose reciprocal is not."""
    gold = np.array([[1.0, 1.0, 2.0], [1.0, 1.0, 2.0]])
    scores = np.array([[0.0, 1.0, 3.0], [0.0, 1.0, 4.0]])
    tiny = Grid.from_plain(gold, scores * 5e-308)
    assert calibrate(tiny, ACC23) == pytest.approx((5e-308, 1.0), abs=0, rel=1e-9)
    assert calibrate(Grid.from_plain(gold, scores), ACC23) == pytest.approx((1.0, 1.0))
