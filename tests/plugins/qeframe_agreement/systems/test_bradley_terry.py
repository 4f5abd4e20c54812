"""Abilities after Bradley and Terry against the plain iteration, and where there is no maximum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe_agreement.systems.bradley_terry import bradley_terry


def by_iteration(wins, steps=20_000):
    """Return log abilities by the iteration of Zermelo, system by system."""
    count = len(wins)
    strength = np.ones(count)
    for _ in range(steps):
        for i in range(count):
            met = sum((wins[i, j] + wins[j, i]) / (strength[i] + strength[j]) for j in range(count) if j != i)
            strength[i] = wins[i].sum() / met
        strength /= np.exp(np.log(strength).mean())
    return np.log(strength)


def test_against_the_plain_iteration():
    wins = np.array([[0, 5, 3, 9], [2, 0, 4, 1], [1, 3, 0, 2], [1, 0, 2, 0]], dtype=float)
    assert bradley_terry(wins) == pytest.approx(by_iteration(wins, 3000), abs=1e-9)


def test_two_systems_are_their_log_odds():
    assert bradley_terry(np.array([[0.0, 9.0], [1.0, 0.0]])) == pytest.approx(np.array([1, -1]) * np.log(9) / 2)
    far = bradley_terry(np.array([[0.0, 1e6], [1.0, 0.0]]))
    assert far == pytest.approx(np.array([1, -1]) * np.log(1e6) / 2)


@pytest.mark.parametrize("systems", [5, 12, 20, 40])
@pytest.mark.parametrize("odds", [2000.0, 1e6])
def test_a_chain_of_neighbors_is_as_far_apart_as_its_odds(systems, odds):
    """The maximum is known: neighbors differ by their log odds, so that the ends differ by hundreds."""
    wins = odds * np.eye(systems, k=1) + np.eye(systems, k=-1)
    found = bradley_terry(np.stack([wins, np.ones((systems, systems)) - np.eye(systems)]))
    assert -np.diff(found[0]) == pytest.approx(np.full(systems - 1, np.log(odds)), rel=1e-6)
    assert found[1] == pytest.approx(np.zeros(systems), abs=1e-12)


def test_what_is_not_reached_is_undefined(monkeypatch):
    monkeypatch.setattr("qeframe_agreement.systems.bradley_terry._STEPS", 5)
    assert np.isnan(bradley_terry(2000 * np.eye(9, k=1) + np.eye(9, k=-1))).all()
    assert not np.isnan(bradley_terry(2 * np.eye(3, k=1) + np.eye(3, k=-1))).any()


@given(seed=st.integers(0, 999), systems=st.integers(2, 6), draws=st.integers(1, 4))
def test_the_slope_is_zero_in_every_draw(seed, systems, draws):
    """At the maximum every system is expected to win as often as it did; each draw is that of its own table."""
    wins = np.random.default_rng(seed).poisson(1.5, (draws, systems, systems)).astype(float)
    wins *= 1 - np.eye(systems)
    found = bradley_terry(wins)
    for table, abilities in zip(wins, found, strict=True):
        assert bradley_terry(table) == pytest.approx(abilities, nan_ok=True)
        there = ~np.isnan(abilities)
        if there.any():
            chances = 1 / (1 + np.exp(abilities[there][None] - abilities[there][:, None]))
            inner = table[np.ix_(there, there)]
            assert ((inner + inner.T) * chances).sum(axis=1) == pytest.approx(inner.sum(axis=1), abs=1e-8)
            assert abilities[there].mean() == pytest.approx(0, abs=1e-9)


def test_without_a_maximum_all_are_undefined():
    always_wins = np.array([[0, 2, 2], [0, 0, 1], [0, 1, 0]], dtype=float)
    always_loses = always_wins.T
    apart = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], dtype=float)
    for wins in (always_wins, always_loses, apart, np.zeros((2, 2))):
        assert np.isnan(bradley_terry(wins)).all()
    assert bradley_terry(np.zeros((0, 3, 3))).shape == (0, 3)


def test_a_system_that_was_not_compared_is_left_out():
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]], dtype=float)
    assert bradley_terry(wins) == pytest.approx([np.log(3) / 2, -np.log(3) / 2, np.nan], nan_ok=True)


def test_copies_of_a_judgment_count_as_its_weight(named):
    """Judged correlations under weights are those of repeated judgments."""
    from qeframe.kinds.judgments.batch import Judgments

    rng = np.random.default_rng(0)
    pairs = np.array([(i, j) for i in range(4) for j in range(4) if i != j] * 4)
    human = rng.choice([-1, 0, 1], len(pairs)).astype(np.int8)
    ability = rng.normal(size=4)
    batch = Judgments(ids=np.arange(len(pairs)), human=human, predicted=ability[pairs], systems=pairs, system_count=4)
    metric = named("judged_pearson(wins=bradley_terry)")
    weights = rng.integers(0, 3, len(pairs)).astype(float)
    repeated = batch.take(np.repeat(np.arange(len(pairs)), weights.astype(int)))
    found = float(metric.bind(batch)(weights))
    assert np.isfinite(found)
    assert found == pytest.approx(float(metric.bind(repeated)(np.ones(len(repeated)))), abs=1e-9)
