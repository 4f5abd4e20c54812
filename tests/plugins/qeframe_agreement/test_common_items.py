"""Soft pairwise accuracy on the items that two systems have in common."""

from itertools import combinations

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import DataError


def data(seed, items=60, systems=5, share=0.0):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(items, systems)) + np.arange(systems) * 0.1
    predicted = gold + rng.normal(size=gold.shape)
    gold[rng.random(gold.shape) < share] = np.nan
    return gold, predicted


def score(metric, gold, predicted):
    return qeframe.score(metric, gold.tolist(), predicted.tolist())


@pytest.mark.parametrize("seed", range(3))
def test_complete_items_are_common_ones(seed):
    gold, predicted = data(seed)
    assert score("spa(items=common)", gold, predicted) == pytest.approx(score("spa", gold, predicted), abs=1e-12)


def test_each_pair_is_scored_on_its_own_items():
    gold, predicted = data(1, items=120, share=0.3)
    pairs = []
    for a, b in combinations(range(5), 2):
        both = ~np.isnan(gold[:, [a, b]]).any(axis=1)
        # the signs hang on the ids of items, so that other items are left empty and not taken out
        sides = [np.where(both[:, None], side[:, [a, b]], np.nan) for side in (gold, predicted)]
        pairs.append(score("spa(items=common)", *sides))
    assert score("spa(items=common)", gold, predicted) == pytest.approx(np.mean(pairs), abs=1e-12)


def test_few_common_items_are_refused():
    gold, predicted = data(1, items=12)
    gold[:4, 0] = np.nan
    with pytest.raises(DataError, match="4 of 10 pairs of systems have fewer than 10 common items, one 8"):
        score("spa(items=common)", gold, predicted)
    assert 0 <= score("spa(items=common, least=8)", gold, predicted) <= 1


def test_a_metric_that_is_random_is_no_better_for_a_few_complete_items():
    rng = np.random.default_rng(2)
    gold, predicted = data(2, items=200, systems=6)
    gold[5:][rng.random((195, 6)) < 0.4] = np.nan
    predicted[5:] = rng.normal(size=(195, 6))
    assert score("spa(items=common)", gold, predicted) < 0.8


@pytest.mark.parametrize("other", ["test=t_test", "replicate=official"])
def test_what_has_no_common_items(other):
    with pytest.raises(DataError, match="leave test and replicate"):
        score(f"spa(items=common, {other})", *data(1))
