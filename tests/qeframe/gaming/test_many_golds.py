"""Attacks on many generated golds: doing nothing, seeds, settings, and what is not determined."""

import attrs
import numpy as np
import pytest

from qeframe.core.metric import Attack
from qeframe.gaming.many_golds import GoldPlan, attack_on_many_golds, measured_index
from qeframe.gaming.one_gold import Variant, generated
from qeframe.kinds.registered import find_kind
from qeframe.plugin import DataError, Grid, Metric, Scores
from tests.registered import REGISTRY

WORDS = {"name": "mine", "summary": "", "knowledge": ""}
SLOW = {"ter", "spa"}


def on_golds(metric, *attacks, seed=0):
    found = REGISTRY.get(Metric, metric)
    return attack_on_many_golds(GoldPlan(found.kind, {metric: found}, seed), {metric: attacks})[metric]


def same(batch, rng):
    return batch


def copied(batch, rng):
    return attrs.evolve(batch, predicted=batch.predicted)


def nothing(kind):
    return Attack(kind=kind, manner="cosmetic", answer=same, settings={"a": same, "b": copied}, **WORDS)


def audited_metrics():
    kinds = {}
    for metric in REGISTRY.all(Metric):
        kind = find_kind(metric.kind)
        if kind is not None and kind.audit is not None and kind.audit.generate is not None and metric.name not in SLOW:
            kinds.setdefault(metric.kind, {})[metric.name] = metric
    return kinds


@pytest.mark.parametrize("kind", audited_metrics(), ids=lambda kind: kind.__name__)
def test_doing_nothing_has_index_0_for_every_metric(kind):
    """On one gold, exactly: attack and base are one number, on the same units."""
    metrics = audited_metrics()[kind]
    gold = generated(kind, metrics, seed=3, name="nothing")
    variants = [Variant(nothing(kind), setting) for setting in ("a", "b")]
    rows = gold.rows(dict.fromkeys(metrics, variants))
    assert {name for name, _ in rows} == set(metrics)
    for (name, _), row in rows.items():
        index = measured_index([row, row])[0]
        assert index == 0.0 or np.isnan(row[:2]).any() or row[1] == 0, (name, row)


def test_the_index_is_the_mean_gain_over_the_mean_headroom():
    def half(batch, rng):
        return attrs.evolve(batch, predicted=np.full(len(batch), 0.5))

    (attacked,) = on_golds("mae", Attack(kind=Scores, manner="blind", answer=half, **WORDS))
    assert attacked.index == pytest.approx((attacked.score - attacked.base) / (attacked.perfect - attacked.base))
    assert attacked.golds == 16
    assert attacked.error < 0.02


def test_settings_are_chosen_on_other_golds():
    """The best of many worthless settings gains nothing, since its index is measured on golds that it did not see."""

    def noise(seed):
        return lambda batch, rng: attrs.evolve(batch, predicted=np.random.default_rng(seed).random(len(batch)))

    settings = {f"seed={seed}": noise(seed) for seed in range(30)}
    worthless = Attack(kind=Scores, manner="blind", answer=noise(0), settings=settings, **WORDS)
    (attacked,) = on_golds("pearson", worthless)
    assert attacked.setting in settings
    assert abs(attacked.index) < 4 * attacked.error


def test_an_undefined_attack_has_failed_and_what_cannot_be_made_is_left_out():
    def refuse(batch, rng):
        raise DataError("not on this gold")

    flat = Attack(kind=Scores, manner="blind", answer=lambda b, rng: attrs.evolve(b, predicted=0 * b.gold), **WORDS)
    (attacked,) = on_golds("pearson", flat)
    assert np.isnan(attacked.score)
    assert (attacked.index, attacked.determined) == (0.0, True)
    assert on_golds("mae", attrs.evolve(flat, answer=refuse)) == ()


def test_selection_keeps_the_best_of_its_tries():
    def draw(batch, rng):
        return attrs.evolve(batch, predicted=rng.permutation(batch.gold))

    lucky = Attack(kind=Scores, manner="selection", answer=draw, tries=30, **WORDS)
    (attacked,) = on_golds("pearson", lucky)
    assert attacked.score == pytest.approx(0.14, abs=0.02)  # thirty worthless tries on 200 units


def test_noise_that_does_not_shrink_is_not_determined(monkeypatch):
    monkeypatch.setattr("qeframe.gaming.many_golds._MOST_GOLDS", 32)
    wild = Attack(
        kind=Grid,
        manner="informed",
        answer=lambda b, rng: attrs.evolve(b, predicted=b.gold * rng.choice([-1.0, 1.0])),
        **WORDS,
    )
    (attacked,) = on_golds("system_pearson", wild)
    assert attacked.golds == 32
    assert not attacked.determined


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["pairwise_accuracy", "f1_mult", "pearson", "kendall"])
def test_two_seeds_agree_within_their_intervals(metric):
    kind = REGISTRY.get(Metric, metric).kind
    attacks = [each for each in REGISTRY.all(Attack) if issubclass(kind, each.kind)]
    first, second = (on_golds(metric, *attacks, seed=seed) for seed in (1, 2))
    for one, other in zip(first, second, strict=True):
        if one.counts and one.determined and other.determined and one.setting == other.setting:
            slack = 4 * np.hypot(one.error, other.error) + 1e-12
            assert abs(one.index - other.index) <= slack, one.attack
