"""One attack on one gold."""

import attrs
import numpy as np
import pytest

from qeframe.core.components.metric import Metric
from qeframe.extensions.attack import Attack
from qeframe.gaming.audit_gold import QUALITIES, AuditGold
from qeframe.gaming.expected import oriented
from qeframe.gaming.measurement import measure, prepare
from qeframe.kinds.scores.batch import Scores

GOLD = np.random.default_rng(0).random(200)


def constant(value):
    return lambda batch, rng: attrs.evolve(batch, predicted=np.full(len(batch), value))


@pytest.fixture
def prepared(registry):
    gold = AuditGold(name="small", description="", batch=Scores.from_plain(GOLD, GOLD))
    return prepare(registry.get(Metric, "mae"), gold, 0)


def attack(**fields):
    words = {"name": "a", "summary": "", "kind": Scores, "manner": "blind", "knowledge": "", "answer": constant(0.5)}
    return Attack(**{**words, **fields})


def test_what_all_attacks_share(prepared):
    assert prepared.perfect(-1).tolist() == [0.0] * 11
    assert len(prepared.honest) == len(QUALITIES)
    assert prepared.base(-1, -1).scores[0] == pytest.approx(np.abs(GOLD[:, None] - GOLD).mean(), rel=0.03)


def test_a_blind_attack_starts_from_chance_and_has_one_measurement(prepared):
    (measurement,) = measure(prepared, attack())
    assert measurement.base.scores.tolist() == prepared.base(-1, -1).scores.tolist()
    assert measurement.attack.scores[0] == pytest.approx(np.abs(GOLD - 0.5).mean())
    assert measurement.settings == ()


def test_a_cosmetic_attack_has_a_measurement_for_each_honest_submission(prepared):
    measurements = measure(prepared, attack(manner="cosmetic", answer=lambda batch, rng: batch))
    assert len(measurements) == len(QUALITIES)
    for measurement in measurements:
        assert np.array_equal(measurement.attack.scores, measurement.base.scores)


def test_the_best_setting_is_chosen(prepared):
    (measurement,) = measure(prepared, attack(settings={"value=0.9": constant(0.9), "value=0.5": constant(0.5)}))
    assert measurement.settings == ("value=0.5",)


def test_halves_are_scored_on_their_own_units_on_all_three_sides(prepared):
    """The base of two halves is the mean of their bases, not the base on all units."""
    first, second = prepared.units(0), prepared.units(1)
    assert (first ^ second).all()
    assert prepared.units(-1) is None
    for half, units in enumerate((first, second)):
        expected = np.abs(prepared.honest[0].predicted - GOLD)[units].mean()
        assert prepared.base(0, half).scores[0] == pytest.approx(expected)


def test_oriented_scores(registry):
    assert oriented(registry.get(Metric, "mae"), 2.0) == -2.0
    assert oriented(registry.get(Metric, "pearson"), 0.5) == 0.5
    assert oriented(registry.get(Metric, "mae"), np.nan) == -np.inf
