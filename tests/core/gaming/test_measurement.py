"""One attack on one gold."""

import attrs
import numpy as np
import pytest

from qeframe.batches.scores import Scores
from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.gaming.audit_gold import QUALITIES, AuditGold
from qeframe.gaming.measurement import measure, oriented, prepare

GOLD = np.random.default_rng(0).random(200)


def constant(value):
    return lambda batch, rng: attrs.evolve(batch, predicted=np.full(len(batch), value))


@pytest.fixture
def prepared(registry):
    gold = AuditGold(name="small", description="", batch=Scores.from_plain(GOLD, GOLD))
    return prepare(registry.get(Metric, "mae"), gold, 200, 0)


def attack(**fields):
    words = {"name": "a", "summary": "", "kind": Scores, "manner": "blind", "knowledge": "", "answer": constant(0.5)}
    return Attack(**{**words, **fields})


def test_what_all_attacks_share(prepared):
    assert prepared.perfect.tolist() == [0.0] * 11
    assert len(prepared.honest) == len(QUALITIES)
    assert prepared.chance.scores[0] == pytest.approx(np.abs(GOLD[:, None] - GOLD).mean(), rel=0.03)


def test_a_blind_attack_starts_from_chance_and_has_one_measurement(prepared):
    (measurement,), settings = measure(prepared, attack())
    assert measurement.base is prepared.chance
    assert measurement.attack.scores[0] == pytest.approx(np.abs(GOLD - 0.5).mean())
    assert settings == ""


def test_a_cosmetic_attack_has_a_measurement_for_each_honest_submission(prepared):
    measurements, _ = measure(prepared, attack(manner="cosmetic", answer=lambda batch, rng: batch))
    assert len(measurements) == len(QUALITIES)
    for measurement in measurements:
        assert np.array_equal(measurement.attack.scores, measurement.base.scores)


def test_the_best_setting_is_chosen(prepared):
    _, settings = measure(prepared, attack(settings={"value=0.9": constant(0.9), "value=0.5": constant(0.5)}))
    assert settings == "value=0.5"


def test_oriented_scores(registry):
    assert oriented(registry.get(Metric, "mae"), 2.0) == -2.0
    assert oriented(registry.get(Metric, "pearson"), 0.5) == 0.5
    assert oriented(registry.get(Metric, "mae"), np.nan) == -np.inf
