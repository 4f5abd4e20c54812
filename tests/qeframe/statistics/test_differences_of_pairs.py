"""The differences of all pairs with their jackknife errors."""

import numpy as np
import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.resampling.exchange import count_block, differences_of_block
from qeframe.core.resampling.standard_errors.grid_left_out import GridLeftOut
from qeframe.kinds.grid.batch import Grid
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs, two_way_of_pairs, two_way_of_scores
from qeframe.statistics.jackknife_variance import FEWEST_UNITS, two_way_variance
from qeframe.statistics.power_and_units_needed import no_error
from tests.qeframe.core.evaluation.made_comparables import made_task, scoreboard


def compared(registry: Registry, metric: str) -> ComparableInTask:
    rng = np.random.default_rng(2)
    gold = rng.normal(size=25)
    chosen = registry.get(Metric, metric)
    batches = tuple(chosen.kind.from_plain(gold, gold + scale * rng.normal(size=25)) for scale in (0.5, 1.0, 2.0))
    return ComparableInTask(ScoredTask(metrics=(chosen,), batches=(*batches, batches[0]), key=(1,)))


@pytest.mark.parametrize(("metric", "scale"), [("mae", lambda x: x), ("pearson", np.arctanh)])
def test_differences_are_those_of_the_definition(registry: Registry, metric: str, scale: np.ufunc) -> None:
    comparable = compared(registry, metric)
    found, left_out = jackknife_of_pairs(comparable), scale(comparable.jackknife())
    for pair, (a, b) in enumerate(zip(*comparable.pairs, strict=True)):
        differences = left_out[:, a] - left_out[:, b]
        away = differences - differences.mean()
        assert found.error[pair] == pytest.approx(np.sqrt(24 / 25 * (away**2).sum()), abs=1e-12)
        expected = scale(comparable.oriented[a]) - scale(comparable.oriented[b])
        assert found.difference[pair] == pytest.approx(expected, abs=1e-12)


def test_equal_submissions_have_no_difference(registry: Registry) -> None:
    comparable = compared(registry, "pearson")
    found = jackknife_of_pairs(comparable)
    same = [{a, b} == {0, 3} for a, b in zip(*comparable.pairs, strict=True)]
    assert found.t[same].tolist() == [0.0]


def test_two_way_errors_are_those_of_single_pairs_and_scores(registry: Registry) -> None:
    """All pairs at once, however they are cut, as each pair by itself; a score is its difference from a constant."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=(9, 5))
    batches = tuple(Grid.from_plain(gold, gold + rng.normal(size=(9, 5))) for _ in range(4))
    comparable = ComparableInTask(
        ScoredTask(metrics=(registry.get(Metric, "segment_pearson"),), batches=batches, key=(1,))
    )
    found = two_way_of_pairs(comparable)
    (grid,) = comparable.left_out_of_grids()
    axes = [np.arctanh(axis) for axis in (grid.segments, grid.systems, grid.cells)]
    for pair, (a, b) in enumerate(zip(*comparable.pairs, strict=True)):
        apart = two_way_variance([GridLeftOut(*(x[:, [a]] - x[:, [b]] for x in axes), grid.cell_factor)])
        assert found.error[pair] == pytest.approx(apart.error[0], rel=1e-12)
        assert found.freedom[pair] == apart.freedom[0] == 4
    assert two_way_of_scores(comparable).error == pytest.approx(
        two_way_variance([GridLeftOut(*axes, grid.cell_factor)]).error
    )


def exchange(masks, first, second):
    """Return a stand-in of differences: (draws, pairs)."""
    return masks.sum(axis=1)[:, None] + 10.0 * first - second


def test_counts_are_those_of_the_differences():
    masks = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])
    pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    differences = differences_of_block(exchange, pairs, -1.0, lambda blocks: masks, [])
    assert differences.tolist() == (-exchange(masks, *pairs)).tolist()
    counts = count_block(exchange, pairs, -1.0, lambda found, part: found < -0.5, lambda blocks: masks, [])
    assert counts.tolist() == (differences < -0.5).sum(axis=0).tolist()


def test_few_units_and_scores_that_are_not_smooth_have_no_error(registry):
    assert no_error(scoreboard(registry, "mae", [made_task()]).comparables[0]) == ""
    few = scoreboard(registry, "mae", [made_task(units=FEWEST_UNITS - 1)]).comparables[0]
    assert no_error(few) == "6 units: a jackknife error needs at least 7"
    assert no_error(scoreboard(registry, "mae", [made_task(units=FEWEST_UNITS)]).comparables[0]) == ""
    rough = scoreboard(registry, "delta_avg", [made_task()], test="").comparables[0]
    assert no_error(rough).startswith("the score is not smooth in the weights of units")
