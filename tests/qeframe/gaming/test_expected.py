"""Expected scores and their jackknife."""

import attrs
import numpy as np
import pytest

from qeframe.core.components.metric import Metric
from qeframe.gaming.expected import Expected, MetricOnGold, mean_of
from qeframe.kinds.scores.batch import Scores

GOLD = np.random.default_rng(0).random(50)


@pytest.fixture
def scored(registry):
    return MetricOnGold(registry.get(Metric, "mae"), Scores.from_plain(GOLD, GOLD))


def test_a_fixed_answer_is_scored_once(scored):
    drawn = []

    def draw(number):
        drawn.append(number)
        return attrs.evolve(scored.batch, predicted=GOLD + 0.25)

    expected = scored.expected(draw)
    assert drawn == [0, 1]
    assert expected.scores == pytest.approx(np.full(11, 0.25))
    assert scored.value(draw(0)) == pytest.approx(0.25)


def test_a_random_answer_is_drawn_until_the_noise_is_small(scored):
    def draw(number):
        return attrs.evolve(scored.batch, predicted=np.random.default_rng(number).permutation(GOLD))

    chance = np.abs(GOLD[:, None] - GOLD).mean()
    assert scored.expected(draw).scores[0] == pytest.approx(chance, rel=0.02)


def test_only_some_units_are_scored(scored):
    half = np.arange(50) < 25
    predicted = np.where(half, GOLD + 1, GOLD)
    assert scored.expected(lambda _: attrs.evolve(scored.batch, predicted=predicted), within=half).scores[0] == 1


def test_the_mean_of_halves():
    mean = mean_of([Expected(np.array([1.0, 2.0]), 0.5), Expected(np.array([3.0, 4.0]), 0.0)])
    assert (mean.scores.tolist(), mean.undefined) == ([2.0, 3.0], 0.25)
