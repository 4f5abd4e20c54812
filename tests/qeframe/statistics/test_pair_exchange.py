import numpy as np
import pytest

from qeframe.core.resampling.exchange import RecomputedExchange
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.token_scores.batch import TokenScores
from qeframe.statistics.pair_exchange import ExchangeByWeights


class WeightedMedian:
    """A statistic that is not additive: the lowest prediction that half of the weight does not exceed."""

    unit = "segment"

    def __init__(self, batch):
        self.order = np.argsort(batch.predicted)
        self.predicted, self.units = batch.predicted, len(batch)

    def __call__(self, weights):
        below = weights[..., self.order].cumsum(axis=-1)
        return self.predicted[self.order][(below < below[..., -1:] / 2).sum(axis=-1)]


def test_exchanges_agree_with_swapped_answers():
    rng = np.random.default_rng(6)
    batches = [Scores.from_plain(rng.random(15), rng.random(15)) for _ in range(3)]
    masks, first, second = rng.integers(0, 2, (7, 15), dtype=np.uint8), np.array([0, 2, 1]), np.array([1, 0, 1])
    exchange = ExchangeByWeights(WeightedMedian)(batches)
    assert exchange.cells == 15
    found = exchange(masks, first, second)
    assert found == pytest.approx(RecomputedExchange(batches, WeightedMedian)(masks, first, second))
    assert (found[:, 2] == 0).all()


def test_units_of_two_batches_are_joined():
    first, second = (Scores.from_plain([1, 2], side) for side in ([3, 4], [5, 6]))
    both = first.join_units(second)
    assert both.ids.tolist() == [0, 1, 0, 1]
    assert both.predicted.tolist() == [3, 4, 5, 6]
    assert both.pivot == first.pivot
    sentences = [TokenScores.from_plain(["OK BAD", ""], [side, []]) for side in ([1, 2], [3, 4])]
    joined = sentences[0].join_units(sentences[1])
    assert [row.tolist() for row in joined.predicted] == [[1, 2], [], [3, 4], []]
