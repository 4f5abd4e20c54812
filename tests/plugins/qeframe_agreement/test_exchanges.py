"""Exchanges of grids."""

from fractions import Fraction
from itertools import combinations, product

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.core.errors import CapabilityError
from qeframe.core.exchange import RowExchange
from qeframe.core.metric import TiePolicy
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.grid.batch import Grid
from qeframe.statistics.pair_exchange import OutcomeExchange, PairExchange
from qeframe_agreement import acc_eq, segment_pearson
from qeframe_agreement.accuracy.within_items import LinearExchange
from qeframe_agreement.correlation.differences import DifferenceExchange
from qeframe_agreement.exchanges.axes import ComputedAgain, make_stacked
from qeframe_agreement.exchanges.column_sums import ColumnExchange
from qeframe_agreement.exchanges.mixtures import MeansExchange, PearsonExchange, agreement_of_mixtures
from qeframe_agreement.kendall_tau.exchanges import ItemTauExchange
from qeframe_agreement.kendall_tau.tau_b_and_c import GroupTauExchange
from qeframe_agreement.soft_accuracy.exchange import SoftExchange
from qeframe_agreement.systems import means
from qeframe_agreement.systems.means import pairwise_accuracy, system_pearson
from tests.examples import FEWER
from tests.plugins.contests import contest_of
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences, with_gaps

TENTHS = TiePolicy(name="tenths", summary="", table=((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.1, 1.0)))
HELD = [
    *("acc_eq(epsilon=0)", "acc_eq(epsilon=0.5)", "acc_eq(ties=tau23, epsilon=0.4)", "acc_eq(ties=hties, epsilon=0.4)"),
    *("acc_eq(ties=wmt12, epsilon=0)", "acc_eq(ties=wmt14, epsilon=0.4)", "acc_eq(ties=tenths, epsilon=0.7)"),
]
"""With thresholds that are not scaled with the scores."""
KINDS = {
    **dict.fromkeys(HELD, LinearExchange),
    "acc_eq(calibrate=always)": ComputedAgain,
    "acc_eq(epsilon=crossed)": ComputedAgain,
    "spa(permutations=33)": SoftExchange,
    "spa(test=t_test)": ComputedAgain,
    "pairwise_accuracy": MeansExchange,
    "system_pearson": MeansExchange,
    "system_spearman": ColumnExchange,
    "segment_pearson": PearsonExchange,
    "segment_spearman": ComputedAgain,
    "segment_spearman(grouping=system)": ComputedAgain,
    "pairwise_difference_pearson": DifferenceExchange,
    **dict.fromkeys(["kendall_like", "tie_f1", "correct_rank_f1", "kendall_like(average=macro)"], ComputedAgain),
    **{
        f"tau_{variant}(grouping={grouping}, undefined={undefined})": kind
        for variant, grouping, kind in (
            *(("b", "none", GroupTauExchange), ("b", "item", ItemTauExchange), ("b", "system", GroupTauExchange)),
            *(("c", "none", GroupTauExchange), ("c", "item", ComputedAgain), ("c", "system", GroupTauExchange)),
        )
        for undefined in ("drop", "zero")
    },
    "tau_b(grouping=system, undefined=propagate)": ComputedAgain,
}
"""Metrics, and how they exchange cells and systems."""


@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
@pytest.mark.parametrize(
    ("name", "standardize"),
    [(name, scaled) for name in KINDS for scaled in (False, True) if not (scaled and name.startswith("acc_eq"))],
)
def test_every_axis_against_binding_again(named, random_grids, name, axis, standardize, monkeypatch):
    """An incomplete item is not part of any sum of soft accuracy, and its cells in a mask have no effect."""
    grids = with_gaps(random_grids(items=12, systems=4, seed=5), (2, 1), (5, 0), (5, 3))
    level = grids[0].gold.copy()
    level[7] = 1.0  # undefined for a tau
    grids = [attrs.evolve(grid, gold=level) for grid in grids]
    if standardize:
        grids[1] = attrs.evolve(grids[1], predicted=1000 * grids[1].predicted + 7)
    metric = acc_eq(ties=TENTHS, epsilon=0.7) if "tenths" in name else named(name)
    masks, spread = masks_along(axis, 12, 4)
    exchange = metric.exchange(grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    if axis != "segment":
        assert isinstance(exchange, {("pairwise_accuracy", "system"): LinearExchange}.get((name, axis), KINDS[name]))
    found = exchange(masks, FIRST, SECOND)
    assert found == pytest.approx(swapped_differences(metric, grids, spread, standardize), abs=1e-12)
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 1)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(found, abs=1e-14)


LATTICE = st.integers(-2, 2).map(float)
TAUS = [*(name for name in KINDS if name.startswith("tau")), "tau_b(grouping=item, undefined=propagate)"]


@pytest.mark.parametrize("names", [["pairwise_difference_pearson"], TAUS], ids=["differences", "taus"])
@given(data=st.data(), axis=st.sampled_from(["cell", "system"]))
def test_small_grids_full_of_ties(named, names, data, axis):
    shape = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 5)))
    gold = data.draw(arrays(np.float64, shape, elements=st.one_of(LATTICE, st.just(np.nan))))
    grids = [Grid.from_plain(gold, data.draw(arrays(np.float64, shape, elements=LATTICE))) for _ in range(3)]
    metric = named(data.draw(st.sampled_from(names)))
    masks, spread = masks_along(axis, *shape)
    expected = swapped_differences(metric, grids, spread)
    assert metric.exchange(grids).along(axis)(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-11, nan_ok=True)


PAIR = np.array([0]), np.array([1])
FULL = Grid.from_plain([[1, 2], [2, 1]], [[1, 2], [1, 2]])
LACKING = attrs.evolve(FULL, predicted=np.array([[1.0, np.nan], [1.0, 2.0]]))


@pytest.mark.parametrize("name", ["acc_eq(epsilon=0)", "pairwise_difference_pearson", "spa", "tau_b"])
def test_different_cells_are_computed_again(named, name):
    exchange = named(name).exchange([FULL, LACKING])
    by_cell = exchange.along("cell")
    assert isinstance(by_cell, ComputedAgain)
    assert isinstance(exchange.along("segment"), (PairExchange, RowExchange))
    scores = [float(named(name).bind(grid)(np.ones(2))) for grid in (FULL, LACKING)]
    assert by_cell(np.zeros((1, 4)), *PAIR) == pytest.approx(np.array([[scores[0] - scores[1]]]), nan_ok=True)


@pytest.mark.parametrize("name", ["spa", "spa(replicate=official)", *(name for name in TAUS if "drop" in name)])
@pytest.mark.parametrize("cells", [[[1, np.nan], [np.nan, 1]], [[1], [2]], [[np.nan, np.nan]]])
def test_without_two_cells_of_an_item_the_difference_is_undefined(named, name, cells):
    grid = Grid.from_plain(cells, np.ones_like(cells))
    for axis in ("segment", "cell", "system"):
        exchange = named(name).exchange([grid, grid]).along(axis)
        masks = np.zeros((3, exchange.cells), dtype=np.uint8)
        assert np.isnan(exchange(masks, *PAIR)).all()
        assert exchange(masks[:0], *PAIR).shape == (0, 1)


def test_rows_are_sums_of_kinds_by_system():
    """Two submissions, one item of two systems, one kind: a swapped system takes its number along."""
    rows = np.array([[[[1.0], [5.0]]], [[[2.0], [7.0]]]])
    exchange = ColumnExchange(rows, lambda sums: sums @ np.array([1.0, 10.0]), by_cell=False)
    found = exchange(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.uint8), np.array([0]), np.array([1]))
    assert found[:, 0].tolist() == [21 - 75, 25 - 71, 71 - 25, 75 - 21]


def test_outcomes_of_pairs_are_offered_where_they_are_given():
    grids = [Grid.from_plain([[1, 2, 3]], [cells]) for cells in ([1, 2, 3], [3, 2, 1])]
    exchange = pairwise_accuracy.exchange(grids)
    assert exchange.axes == ("segment", "cell", "system", "pair")
    by_pair = exchange.along("pair")
    assert isinstance(by_pair, OutcomeExchange)
    assert by_pair(np.zeros((1, 3), dtype=np.uint8), np.array([0]), np.array([1])).tolist() == [[1.0]]
    with pytest.raises(CapabilityError, match="no exchange of 'pair'"):
        system_pearson.exchange(grids).along("pair")


def test_different_systems_cannot_exchange_outcomes():
    full = Grid.from_plain([[1, 2, 3]], [[1, 2, 3]])
    lacking = attrs.evolve(full, predicted=np.array([[1.0, np.nan, 3.0]]))
    with pytest.raises(CapabilityError, match="metrics that lack different systems cannot exchange outcomes of pairs"):
        pairwise_accuracy.exchange([full, lacking]).along("pair")


# Exchanges of all pairs of submissions at once are those that are computed again.
METRICS = {"pairwise_accuracy": means._agreement, "system_pearson": means.correlation}


def grids(seed, segments, systems, submissions, *, missing=0.0, digits=1):
    rng = np.random.default_rng(seed)
    gold = np.round(rng.normal(size=(segments, systems)), digits)
    gold[rng.random(gold.shape) < missing] = np.nan
    ids = np.arange(segments)
    return [
        Grid(ids=ids, gold=gold, predicted=np.round(rng.normal(size=gold.shape) * (1 + nth), digits) + nth)
        for nth in range(submissions)
    ]


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
@pytest.mark.parametrize("name", METRICS)
@FEWER
@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.3]), digits=st.integers(0, 3))
def test_all_pairs_at_once_equal_pair_after_pair(name, axis, standardize, seed, missing, digits):
    batches = grids(seed, 5, 4, 3, missing=missing, digits=digits)
    metric = getattr(means, name)
    fast = metric.exchange(batches).along(axis, standardize=standardize)
    slow = make_stacked(batches, metric.bind, axis, standardize)
    assert isinstance(fast, LinearExchange if (name, axis) == ("pairwise_accuracy", "system") else MeansExchange)
    assert fast.cells == slow.cells
    masks = np.random.default_rng(seed).integers(0, 2, size=(16, fast.cells)).astype(np.uint8)
    masks[0], masks[1] = 0, 1
    first, second = np.triu_indices(3, 1)
    expected = slow(masks, first, second)
    assert fast(masks, first, second) == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert fast(masks, second, first) == pytest.approx(-expected, abs=1e-9, nan_ok=True)


def test_constants_are_undefined_also_after_exchanges():
    batches = [attrs.evolve(each, predicted=np.full(each.gold.shape, 7.1)) for each in grids(1, 5, 4, 2)]
    exchange = means.system_pearson.exchange(batches).along("cell")
    masks = np.random.default_rng(0).integers(0, 2, size=(8, exchange.cells)).astype(np.uint8)
    assert np.isnan(exchange(masks, np.array([0]), np.array([1]))).all()


def test_submissions_that_lack_different_cells_are_exchanged_pair_after_pair():
    batches = grids(1, 5, 4, 2)
    predicted = batches[0].predicted.copy()
    predicted[0, 0] = np.nan
    batches[0] = attrs.evolve(batches[0], predicted=predicted)
    assert not isinstance(means.system_pearson.exchange(batches).along("cell"), MeansExchange)


METRIC = segment_pearson()


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["cell", "system"])
@FEWER
@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.3]))
def test_all_pairs_at_once_equal_scores_computed_again(axis, standardize, seed, missing):
    batches = grids(seed, 5, 4, 3, missing=missing)
    fast = METRIC.exchange(batches).along(axis, standardize=standardize)
    slow = make_stacked(batches, METRIC.bind, axis, standardize)
    assert isinstance(fast, PearsonExchange)
    assert fast.cells == slow.cells
    masks = np.random.default_rng(seed).integers(0, 2, size=(8, fast.cells)).astype(np.uint8)
    first, second = np.triu_indices(3, 1)
    assert fast(masks, first, second) == pytest.approx(slow(masks, first, second), abs=1e-9, nan_ok=True)


def test_a_constant_side_is_undefined():
    batches = grids(2, 5, 4, 2)
    masks = np.random.default_rng(0).integers(0, 2, size=(8, 20)).astype(np.uint8)
    pair = np.array([0]), np.array([1])
    flat = [attrs.evolve(each, predicted=np.full(each.gold.shape, 3.3)) for each in batches]
    assert np.isnan(METRIC.exchange(flat).along("cell")(masks, *pair)).all()
    gold = [attrs.evolve(each, gold=np.full(each.gold.shape, 3.3)) for each in batches]
    assert np.isnan(METRIC.exchange(gold).along("cell")(masks, *pair)).all()


# How often tests find a difference between equally good metrics, by what they exchange.
TABLE = [
    ("segment_pearson", "none", {"segment": 0.051, "cell": 0.047, "system": 0.049}),
    ("segment_pearson", "items", {"segment": 0.044, "cell": 0.080, "system": 0.075}),
    ("segment_pearson", "systems", {"segment": 0.256, "cell": 0.252, "system": 0.076}),
    ("acc_eq(epsilon=0.2)", "none", {"segment": 0.045, "cell": 0.041, "pair": 0.130}),
    ("acc_eq(epsilon=0.2)", "items", {"segment": 0.045, "cell": 0.016, "pair": 0.130}),
    ("acc_eq(epsilon=0.2)", "systems", {"segment": 0.137, "cell": 0.142, "pair": 0.287}),
]


def equal_metrics(effect, seed, items=40, systems=8):
    """Draw two metrics with noise of their own, and effects of their own on items or on systems."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(items, systems))
    grids = []
    for _ in range(2):
        of_items, of_systems = rng.normal(0, 1.5, (items, 1)), rng.normal(0, 1.0, (1, systems))
        added = {"none": 0.0, "items": of_items, "systems": of_systems}[effect]
        grids.append(Grid.from_plain(gold, gold + added + rng.normal(0, 1, (items, systems))))
    return tuple(grids)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "effect", "rates"), TABLE)
def test_rejections_of_a_true_null(registry, named, name, effect, rates):
    """Within four standard errors of 100 simulations."""
    for unit, rate in rates.items():
        test = registry.get(SignificanceTest, f"permutation(unit={unit}, draws=99, standardize=true)")
        drawn = [contest_of(named(name), equal_metrics(effect, seed), key=(seed,)) for seed in range(100)]
        found = np.mean([test.run(given, "two").p[0] <= 0.05 for given in drawn])
        assert abs(found - rate) <= 4 * np.sqrt(rate * (1 - rate) / 100) + 0.005, unit


@pytest.mark.parametrize("systems", [1, 2, 5, 24])
def test_agreement_of_mixtures_counts_each_pair_of_systems(systems):
    rng = np.random.default_rng(systems)
    gold, count = rng.integers(0, 6, systems) / 2, rng.integers(1, 4, systems).astype(float)
    kept, moved = rng.integers(0, 5, (2, 3, systems, 4)) * 1.0
    scores = agreement_of_mixtures(gold, count, kept, moved)
    assert scores.shape == (3, 4, 4)
    pairs = list(combinations(range(systems), 2))  # 276 of 24 systems: more than a byte counts
    for draw, keeps, gives in product(range(3), range(4), range(4)):
        means = [Fraction(kept[draw, i, keeps] + moved[draw, i, gives]) / Fraction(count[i]) for i in range(systems)]
        hits = sum(np.sign(gold[i] - gold[j]) == np.sign(float(means[i] - means[j])) for i, j in pairs)
        np.testing.assert_equal(scores[draw, keeps, gives], hits / len(pairs) if pairs else np.nan)
