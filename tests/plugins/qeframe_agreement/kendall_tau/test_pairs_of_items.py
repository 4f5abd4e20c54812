"""Counts of pairs within items against loops over pairs, pooled and averaged."""

from itertools import combinations

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.grid.batch import Grid
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences

N = None
NAMES = ("kendall_like", "tie_f1", "correct_rank_f1")


def counted(gold, scores, threshold=0.0, epsilon=0.0):
    """Return concordant, discordant, tied by the human alone, by the metric alone, by both, of one item."""
    counts = dict.fromkeys(("right", "wrong", "human", "metric", "both"), 0)
    for i, j in combinations(np.flatnonzero(~np.isnan(gold)), 2):
        human, metric = gold[i] - gold[j], scores[i] - scores[j]
        if abs(human) < threshold:
            continue
        if abs(metric) <= epsilon:
            counts["both" if human == 0 else "metric"] += 1
        elif human == 0:
            counts["human"] += 1
        else:
            counts["right" if (human > 0) == (metric > 0) else "wrong"] += 1
    return counts


def from_counts(name, c):
    """Return a score from counts; NaN where undefined."""
    if name == "kendall_like":
        top, bottom = 2 * c["right"] - sum(c.values()), sum(c.values())
        return top / bottom if bottom else np.nan
    hits, human, metric = (c["both"], c["human"], c["metric"])
    if name == "correct_rank_f1":
        hits, human, metric = c["right"], c["wrong"] + c["human"], c["wrong"] + c["metric"]
    if not hits + human + metric:
        return np.nan
    if not hits:
        return 0.0
    precision, recall = hits / (hits + metric), hits / (hits + human)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("name", NAMES)
def test_scores_against_loops(name, random_grids, measure):
    parameter = "threshold" if name == "kendall_like" else "epsilon"
    for grid in random_grids(items=20, systems=5, seed=4):
        for value in (0.0, 0.5, 1.0, 2.0):
            items = [counted(g, m, **{parameter: value}) for g, m in zip(grid.gold, grid.predicted, strict=True)]
            pooled = {key: sum(item[key] for item in items) for key in items[0]}
            assert measure(f"{name}({parameter}={value})", grid) == pytest.approx(from_counts(name, pooled))
            values = [from_counts(name, item) for item in items]
            macro = measure(f"{name}({parameter}={value}, average=macro)", grid)
            assert macro == pytest.approx(np.nanmean(values), nan_ok=True)


def test_a_difference_at_the_threshold_counts(measure):
    """The first pair is 25 apart and in order, the second one 24 apart and reversed."""
    gold, metric = [[0, 25], [24, 0]], [[1, 2], [1, 2]]
    assert measure("kendall_like(threshold=25)", gold, metric) == 1
    assert measure("kendall_like(threshold=24)", gold, metric) == 0
    assert np.isnan(measure("kendall_like(threshold=26)", gold, metric))


def test_ties_are_not_concordant(measure):
    assert measure("kendall_like", [[1, 1]], [[1, 1]]) == -1
    assert measure("kendall_like", [[1, 2]], [[1, 1]]) == -1
    assert np.isnan(measure("kendall_like(threshold=.5)", [[1, 1]], [[1, 1]]))


@pytest.mark.parametrize("name", NAMES)
def test_degenerate_cases(name, measure, named):
    assert np.isnan(measure(name, [], []))
    assert np.isnan(measure(name, [[1], [2]], [[1], [2]]))
    assert np.isnan(measure(name, [[1, N]], [[1, 2]]))
    parameter = "threshold" if name == "kendall_like" else "epsilon"
    for wrong in ("-1", "inf", "nan"):
        with pytest.raises(DataError):
            named(f"{name}({parameter}={wrong})")


def test_f1_without_ties_and_without_order(measure):
    assert np.isnan(measure("tie_f1", [[1, 2]], [[1, 2]]))
    assert measure("tie_f1", [[1, 1]], [[3, 3]]) == 1
    assert np.isnan(measure("correct_rank_f1", [[1, 1]], [[3, 3]]))
    assert measure("correct_rank_f1", [[1, 2]], [[3, 3]]) == 0


@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("name", [*NAMES, "kendall_like(average=macro)"])
def test_exchanges_against_binding_again(name, standardize, axis, random_grids, named):
    grids = random_grids(items=6, systems=4, seed=2)
    masks, spread = masks_along(axis, 6, 4)
    metric = named(name)
    score = lambda grid: float(metric.bind(grid)(np.ones(6)))  # noqa: E731
    expected = swapped_differences(score, grids, spread, standardize)
    exchange = metric.exchange(grids).along(axis, standardize=standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-12)


def test_details_count_the_cells(named):
    grid = Grid.from_plain([[1, 2, 2], [30, 2, N]], [[1, 2, 3], [1, 2, 3]])
    details = named("kendall_like(threshold=1)").details(grid)
    assert details == {"cells": [[0, 0, 1], [0, 0, 0], [0, 0, 2]], "pairs": 3, "unanswered": 0}
