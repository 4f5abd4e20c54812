"""The numbers of an attack on one gold."""

import attrs
import numpy as np
import pytest

from qeframe.core.metric import Attack
from qeframe.gaming.one_gold import SCORED, ScoredGold, Variant
from qeframe.plugin import DataError, Metric, Scores

GOLD = np.array([0.0, 1.0, 2.0, 5.0])


def attack(answer, **fields):
    return Attack(
        **{"name": "a", "summary": "", "kind": Scores, "manner": "blind", "knowledge": "", **fields}, answer=answer
    )


@pytest.fixture
def scored(registry):
    metrics = {name: registry.get(Metric, name) for name in ("mae", "pearson")}
    honest = [Scores.from_plain(GOLD, GOLD + 1)]
    return ScoredGold(Scores.from_plain(GOLD, GOLD), metrics, 0, "small", honest=honest)


def numbers(scored, variant, metric="mae"):
    row = scored.rows({metric: [variant]})[metric, variant]
    return dict(zip(SCORED, row.tolist(), strict=True))


def test_a_cosmetic_attack_starts_from_the_submission_that_it_changes(scored):
    half = Variant(attack(lambda b, rng: attrs.evolve(b, predicted=b.predicted - 0.5), manner="cosmetic"))
    row = numbers(scored, half)
    assert (row["score"], row["base"], row["perfect"]) == (0.5, 1.0, 0.0)
    assert (row["gain"], row["headroom"]) == (-0.5, -1.0)


def test_a_failed_attack_gains_nothing_and_one_that_cannot_be_made_is_left_out(scored):
    flat = Variant(attack(lambda b, rng: attrs.evolve(b, predicted=0 * b.gold)))
    row = numbers(scored, flat, "pearson")
    assert np.isnan(row["score"])
    assert row["gain"] == 0

    def refuse(batch, rng):
        raise DataError("no")

    assert scored.rows({"mae": [Variant(attack(refuse))]}) == {}


def test_variants_are_equal_by_name_and_setting():
    first, second = attack(lambda b, rng: b), attack(lambda b, rng: b)
    assert Variant(first) == Variant(second)
    assert len({Variant(first), Variant(second), Variant(first, "a=1")}) == 2
