"""The exchange of soft accuracy in closed form: against a loop, near the official p-values, and with missing cells."""

import itertools
import math

import numpy as np
import pytest

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.ranking import Aggregation
from qeframe.plugin import Grid
from qeframe_agreement.soft_accuracy.p_values import closed_exchange
from tests.plugins.contests import contest_of


def grids(seed=1, items=6, systems=4, metrics=3):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(items, systems)).round(1)
    return [Grid.from_plain(gold, (gold + rng.normal(size=gold.shape)).round(1)) for _ in range(metrics)]


def phi(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


def p_values(scores):
    """Return p of every pair of systems, one-sided, from lists of the scores of items."""
    found = []
    for i, j in itertools.combinations(range(len(scores[0])), 2):
        apart = [item[i] - item[j] for item in scores]
        size = math.sqrt(sum(d * d for d in apart))
        found.append(phi(-sum(apart) / size) if size else 0.5)
    return found


def soft(gold, predicted):
    return 1 - np.mean([abs(a - b) for a, b in zip(p_values(gold), p_values(predicted), strict=True)])


def test_every_exchange_against_a_loop():
    batches = grids()
    exchange = closed_exchange(batches)
    masks = np.array(list(itertools.product([0, 1], repeat=6)), dtype=np.uint8)
    first, second = np.array([0, 0, 2]), np.array([1, 2, 1])
    found = exchange(masks, first, second)
    for row, mask in enumerate(masks):
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            mine, theirs = batches[a].predicted.tolist(), batches[b].predicted.tolist()
            mixed = [(y, x) if swap else (x, y) for x, y, swap in zip(mine, theirs, mask, strict=True)]
            gold = batches[a].gold.tolist()
            expected = soft(gold, [x for x, _ in mixed]) - soft(gold, [y for _, y in mixed])
            assert found[row, column] == pytest.approx(expected, abs=1e-12)


def test_it_is_near_the_official_score():
    batches = grids(items=200, systems=8)
    gold = batches[0].gold.tolist()
    for batch in batches:
        official = qeframe.score("spa", batch, None)
        assert soft(gold, batch.predicted.tolist()) == pytest.approx(official, abs=0.02)


def test_items_with_a_missing_cell_have_no_effect():
    batches = grids()
    with_one_more = [
        Grid.from_plain(np.vstack([b.gold, np.full((1, 4), np.nan)]), np.vstack([b.predicted, np.full((1, 4), np.nan)]))
        for b in batches
    ]
    masks, pair = np.eye(6, dtype=np.uint8), (np.array([0]), np.array([1]))
    wide = np.hstack([masks, np.ones((6, 1), dtype=np.uint8)])
    assert closed_exchange(with_one_more)(wide, *pair) == pytest.approx(closed_exchange(batches)(masks, *pair))


def test_the_test_shows_the_official_score():
    found = qeframe.compare("spa", None, dict(zip("abc", grids(), strict=True)), test="exchange", correction="none")
    scores = {name: qeframe.score("spa", grid, None) for name, grid in zip("abc", grids(), strict=True)}
    assert all(each.difference == pytest.approx(scores[each.a] - scores[each.b]) for each in found)


def test_both_levels_in_one_score_exchange_the_mean(registry):
    batches = grids(items=12)
    masks, pair = np.eye(12, dtype=np.uint8), (np.array([0]), np.array([1]))
    of = {
        name: registry.get(Metric, name).exchange(batches).along("segment", standardize="as_needed")(masks, *pair)
        for name in ("spa", "acc_eq", "spa_acc_eq")
    }
    assert of["spa_acc_eq"] == pytest.approx((of["spa"] + of["acc_eq"]) / 2)
    assert not np.allclose(of["spa"], of["acc_eq"])


def test_over_several_tasks_the_statistic_is_the_mean_of_those_of_the_tasks(registry):
    tasks = [contest_of("spa", grids(seed), key=(seed,), as_given=False) for seed in (1, 2)]
    parts = tuple(task.along("", standardize="as_needed") for task in tasks)
    across = Contest.across(
        [each.terms[0] for each in parts],
        (np.arange(3), np.arange(3)),
        submissions=3,
        aggregation=registry.get(Aggregation, "mean"),
        weights=np.array([1.0, 3.0]),
    )
    pairs = (np.array([0, 0]), np.array([1, 2]))
    one, other = (part.unexchanged(pairs) for part in parts)
    assert across.unexchanged(pairs) == pytest.approx(one / 4 + 3 * other / 4)
    assert across.unexchanged(pairs) != pytest.approx(across.oriented[pairs[0]] - across.oriented[pairs[1]], abs=1e-9)
