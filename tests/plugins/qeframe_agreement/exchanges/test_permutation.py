"""The permutation test and the sign test against slow references, along every axis; what they cannot do."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import qeframe
from qeframe.core.draws import all_masks
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Metric
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe.kinds.scores.batch import Scores
from qeframe.statistics.pair_exchange import OutcomeExchange
from qeframe_agreement import calibrate
from qeframe_agreement.exchanges.axes import location_and_scale
from qeframe_agreement.grids import ACC23
from tests.examples import FEWER
from tests.plugins.contests import contest_of

ONE, OTHER = np.array([0]), np.array([1])


def slow_differences(grids, epsilons, masks, standardize):
    """Return the differences after exchanges of cells, one pair of cells after the other.

    A score carries the threshold of its own metric along. Scores of one metric are compared as given.
    """
    gold, there = grids[0].gold, grids[0].present
    raw = [grid.predicted for grid in grids]
    scaled, thresholds = list(raw), list(epsilons)
    if standardize:
        for which, scores in enumerate(raw):
            location, scale = location_and_scale(grids[which])  # bits decide where a difference is at the threshold
            scaled[which], thresholds[which] = (scores - location) / scale, epsilons[which] / scale
    found = []
    for mask in masks.reshape(len(masks), *gold.shape):
        scores = []
        for side in (0, 1):
            of_items = []
            for item, row in enumerate(gold):
                right = []
                for i, j in combinations(np.flatnonzero(there[item]), 2):
                    a, b = (side ^ int(mask[item, place]) for place in (i, j))
                    if a == b:
                        difference, threshold = raw[a][item, i] - raw[a][item, j], epsilons[a]
                    else:
                        difference = scaled[a][item, i] - scaled[b][item, j]
                        threshold = (thresholds[a] + thresholds[b]) / 2
                    said = int(difference > threshold) - int(difference < -threshold)
                    right.append(said == np.sign(row[i] - row[j]))
                if right:
                    of_items.append(np.mean(right))
            scores.append(np.mean(of_items) if of_items else np.nan)
        found.append(scores[0] - scores[1])
    return np.array(found)


cell = st.integers(0, 4).map(lambda n: n / 2)
grids_of_two = st.sampled_from([(1, 3), (2, 2), (3, 2), (2, 3)]).flatmap(
    lambda shape: st.tuples(
        st.lists(
            st.tuples(*[st.one_of(st.integers(0, 2), st.none())] * shape[1]), min_size=shape[0], max_size=shape[0]
        ),
        *[st.lists(st.tuples(*[cell] * shape[1]), min_size=shape[0], max_size=shape[0])] * 2,
    )
)


@FEWER
@given(grids_of_two, st.booleans())
def test_held_thresholds_are_linear(drawn, standardize):
    """Every mask of cells, or of systems, of small grids: calibrated thresholds that differ, missing cells, ties."""
    gold, *metrics = drawn
    grids = [Grid.from_plain(gold, rows) for rows in metrics]
    epsilons = [float(np.nan_to_num(calibrate(grid, ACC23)[0])) for grid in grids]
    exchange = qeframe.load().get(Metric, "acc_eq").exchange(grids)
    items, systems = grids[0].gold.shape
    by_cell = all_masks(items * systems, 0, 2 ** (items * systems))
    expected = slow_differences(grids, epsilons, by_cell, standardize)
    found = exchange.along("cell", standardize=standardize)(by_cell, ONE, OTHER)[:, 0]
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    by_system = all_masks(systems, 0, 2**systems)
    spread = np.repeat(by_system[:, None], items, axis=1).reshape(len(by_system), -1)
    expected = slow_differences(grids, epsilons, spread, standardize)
    found = exchange.along("system", standardize=standardize)(by_system, ONE, OTHER)[:, 0]
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    by_item = all_masks(items, 0, 2**items)
    expected = slow_differences(grids, epsilons, np.repeat(by_item, systems, axis=1), standardize)
    found = exchange.along("segment", standardize=standardize)(by_item, ONE, OTHER)[:, 0]
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_outcomes_of_pairs(named, random_grids):
    """The exchange of outcomes against a loop, items with and without some systems."""
    grids = random_grids(items=8, systems=4)
    gold = grids[0].gold.copy()
    for missing in ((), (0,)):
        gold[2, list(missing)] = np.nan
        some = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, grid.predicted)) for grid in grids]
        exchange = named("acc_eq").exchange(some).along("pair")
        assert isinstance(exchange, OutcomeExchange)
        masks = np.random.default_rng(0).integers(0, 2, (20, exchange.cells)).astype(np.uint8)
        found = exchange(masks, np.array([0, 2]), np.array([1, 0]))
        kept = 1 - 2 * masks.astype(float)
        differences = [exchange.outcomes[a] - exchange.outcomes[b] for a, b in ((0, 1), (2, 0))]
        assert found == pytest.approx(np.stack([kept @ (each * exchange.weight) for each in differences], 1), abs=1e-12)
        scores = [qeframe.score(named("acc_eq"), grid, None) for grid in some]
        unmoved = exchange(np.zeros_like(masks[:1]), np.array([0, 2]), np.array([1, 0]))[0]
        assert unmoved == pytest.approx([scores[0] - scores[1], scores[2] - scores[0]], abs=1e-12)


@pytest.mark.parametrize("unit", ["segment", "cell", "system", "pair"])
@pytest.mark.parametrize("sided", ["one", "two"])
def test_p_values_are_those_of_all_exchanges(registry, named, random_grids, unit, sided):
    """Few cells are enumerated: p is the share of exchanges that are as extreme."""
    grids = dict(zip("ABC", random_grids(items=3, systems=3, seed=5), strict=True))
    test = registry.get(SignificanceTest, f"permutation(unit={unit}, draws=2000)")
    found = qeframe.compare(named("acc_eq"), None, grids, test=test, sided=sided, correction="none", registry=registry)
    exchange = named("acc_eq").exchange(list(grids.values())).along(unit)
    masks = all_masks(exchange.cells, 0, 2**exchange.cells)
    places = {name: np.array([place]) for place, name in enumerate(grids)}
    for each in found:
        drawn = exchange(masks, places[each.a], places[each.b])[:, 0]
        observed = each.difference
        if sided == "two":
            drawn, observed = np.abs(drawn), abs(observed)
        assert each.p == pytest.approx((drawn >= observed - 1e-12).mean(), abs=1e-12)


def test_p_of_drawn_exchanges_is_never_zero(registry, named, random_grids):
    grids = dict(zip("ABC", random_grids(items=40, systems=6), strict=True))
    for unit in ("segment", "cell", "pair"):
        found = qeframe.compare(
            named("acc_eq"),
            None,
            grids,
            test=f"permutation(unit={unit}, draws=99)",
            correction="none",
            registry=registry,
        )
        assert min(each.p for each in found) == pytest.approx(0.01)


def test_constant_scores_are_standardized_to_zero(named):
    grids = [Grid.from_plain([[1, 2, 3]], rows) for rows in ([[5, 5, 5]], [[10, 20, 30]])]
    exchange = named("acc_eq(epsilon=0)").exchange(grids).along("cell", standardize=True)
    assert exchange(np.zeros((1, 3), np.uint8), ONE, OTHER)[0, 0] == -1.0


def test_systems_that_the_humans_did_not_judge(named):
    grids = [Grid.from_plain([[1, 2, None]], [[1, 2, 3]]), Grid.from_plain([[1, 2, None]], [[2, 1, None]])]
    found = named("pairwise_accuracy").exchange(grids).along("system")(all_masks(3, 0, 8), ONE, OTHER)[:, 0]
    assert found.tolist() == [1, 0, 0, -1, 1, 0, 0, -1]


def test_sign_test_counts_pairs_of_cells(registry, named, random_grids):
    """acc_eq: outcomes at calibrated thresholds. With as many pairs in every item this is the exchange of pairs."""
    grids = dict(zip("ABC", random_grids(items=30, systems=4), strict=True))
    found = qeframe.compare(named("acc_eq"), None, grids, test="sign", correction="none", registry=registry)
    outcomes = dict(zip(grids, named("acc_eq").exchange(list(grids.values())).along("pair").outcomes, strict=True))
    for each in found:
        a, b = outcomes[each.a], outcomes[each.b]
        won, lost = int((a > b).sum()), int((a < b).sum())
        assert each.p == pytest.approx(binomtest(won, won + lost).pvalue, abs=1e-12)
    drawn = qeframe.compare(
        named("acc_eq"), None, grids, test="permutation(unit=pair, draws=20000)", correction="none", registry=registry
    )
    assert [each.p for each in drawn] == pytest.approx([each.p for each in found], abs=0.02)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=8))
def test_sign_test_is_every_exchange_of_outcomes(pairs):
    a, b = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    registry = qeframe.load()
    means = registry.get(Metric, "mean")
    for sided in ("one", "two"):
        (found,) = qeframe.compare(means, None, {"A": a, "B": b}, test="sign", sided=sided, correction="none")
        observed = abs(a.sum() - b.sum())
        drawn = np.array([np.sum((a - b) * signs) for signs in product((1, -1), repeat=len(a))])
        extreme = drawn >= observed if sided == "one" else np.abs(drawn) >= observed
        assert found.p == pytest.approx(extreme.mean(), abs=1e-12)


def test_outcomes_of_more_than_two_values(registry):
    values = {"A": [1.0, 2.0, 3.0, 3.0], "B": [1.0, 1.0, 2.0, 4.0], "C": [0.0, 0.0, 0.0, 0.0]}
    found = qeframe.compare("mean", None, values, test="sign", correction="none", registry=registry)
    assert {(c.a, c.b): c.p for c in found} == {("A", "B"): 1.0, ("A", "C"): 0.125, ("B", "C"): 0.125}


def test_pairwise_accuracy_has_outcomes(registry, named):
    gold = [[1, 2, 3, 4]]
    grids = {"A": Grid.from_plain(gold, [[1, 2, 3, 4]]), "B": Grid.from_plain(gold, [[4, 3, 2, 1]])}
    (found,) = qeframe.compare(named("pairwise_accuracy"), None, grids, test="sign", registry=registry)
    assert found.p == pytest.approx(2 / 2**6)


@pytest.mark.parametrize("ties", ["wmt12", "wmt14", "hties"])
def test_sign_test_counts_judgments(registry, named, ties):
    """Those that the table counts: under wmt12 and wmt14 all but human ties."""
    rng = np.random.default_rng(5)
    human = rng.choice([-1, 0, 1], 60)
    judged = {
        name: Judgments.from_plain(human, np.round(human + rng.normal(0, s, 60))) for name, s in (("A", 1), ("B", 3))
    }
    metric = named(f"kendall(ties={ties})")
    (found,) = qeframe.compare(metric, None, judged, test="sign", registry=registry)
    a, b = (metric.outcomes(judged[name]) for name in (found.a, found.b))
    assert a.mean() == pytest.approx(qeframe.score(metric, judged[found.a], None))
    assert found.p == pytest.approx(binomtest(int((a > b).sum()), int((a != b).sum())).pvalue, abs=1e-12)


def test_what_cannot_be_exchanged(registry, named, random_grids):
    scores = {"A": Scores.from_plain([1, 2, 3], [1, 2, 4]), "B": Scores.from_plain([1, 2, 3], [3, 2, 1])}
    with pytest.raises(CapabilityError, match=r"'pearson' has no exchange of 'cell'.*can be exchanged: segment"):
        qeframe.compare("pearson", None, scores, test="permutation(unit=cell)", registry=registry)
    with pytest.raises(CapabilityError, match="no exchange of standardized scores"):
        qeframe.compare("pearson", None, scores, test="permutation(standardize=true)", registry=registry)
    with pytest.raises(CapabilityError, match="'sign' needs a mean of outcomes"):
        qeframe.compare("pearson", None, scores, test="sign", registry=registry)
    judged = {name: Judgments.from_plain("<>", [1, 1]) for name in "AB"}
    with pytest.raises(CapabilityError, match="'sign' needs a mean of outcomes"):
        qeframe.compare(named("kendall(ties=wmt13)"), None, judged, test="sign", registry=registry)
    grids = dict(zip("ABC", random_grids(items=5), strict=True))
    with pytest.raises(CapabilityError, match="no exchange of 'pair': its score is not a sum over pairs"):
        qeframe.compare(named("tau_b"), None, grids, test="permutation(unit=pair)", registry=registry)
    with pytest.raises(CapabilityError, match="no exchange of 'judge'"):
        qeframe.compare(named("acc_eq"), None, grids, test="permutation(unit=judge)", registry=registry)
    with pytest.raises(DataError, match="unit must say"):
        registry.get(SignificanceTest, 'permutation(unit="")')
    lacking = {"A": Grid.from_plain([[1, 2]], [[1, 2]]), "B": Grid.from_plain([[1, 2]], [[1, None]])}
    with pytest.raises(CapabilityError, match="lack different cells"):
        qeframe.compare(named("acc_eq"), None, lacking, test="permutation(unit=cell)", registry=registry)
    with pytest.raises(CapabilityError, match="no common outcomes"):
        qeframe.compare(named("acc_eq"), None, lacking, test="sign", registry=registry)


def test_groupings_are_units_too(registry, named):
    """Judgments of a segment are exchanged together if that is asked for."""
    rng = np.random.default_rng(1)
    human = rng.choice([-1, 1], 12)
    judged = [Judgments.from_plain(human, human + rng.normal(0, spread, 12)) for spread in (0.5, 2.0)]
    groups = {"segment": [str(place // 2) for place in range(12)]}
    given = contest_of(named("kendall"), judged, groups=groups)
    test = registry.get(SignificanceTest, "permutation")
    counted = given.along("segment").count_exchanges(64, lambda differences, *_: differences > -9)
    assert counted[1:] == (64, True)
    assert 0 < test.run(given, "two").p[0] <= 1
    with pytest.raises(CapabilityError, match="can be exchanged: judgment"):
        test.run(contest_of(named("kendall"), judged), "two")
