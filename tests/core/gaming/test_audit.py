"""The audit itself: expectations, errors, choices, ranks, JSON, and input that cannot be used."""

import json
from concurrent.futures import ThreadPoolExecutor

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.batches.scores import Scores
from qeframe.batches.tags import Tags
from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.errors import DataError, UnknownNameError
from qeframe.gaming.answers import perfect
from qeframe.gaming.attacking import attack_metric
from qeframe.gaming.audit_gold import AuditGold, generate_gold, generated_audit_gold
from qeframe.gaming.expected import MetricOnGold
from qeframe.gaming.index import Attacked, gaming_index
from qeframe.resampling.parallel import Runner
from qeframe.tasks.task import Submission, Task

GOLD = np.random.default_rng(0).beta(1.2, 3.2, 300)


def arena(gold=GOLD, **fields):
    batch = Scores.from_plain(gold, gold)
    return AuditGold(name="small", description="small", batch=batch, **fields)


def constant(value, **fields):
    def answer(batch, rng):
        return attrs.evolve(batch, predicted=np.full(len(batch), value))

    words = {"name": "constant", "summary": "", "kind": Scores, "manner": "blind", "knowledge": "nothing"}
    return Attack(**{**words, "answer": answer, **fields})


def random(scale, **fields):
    return constant(0, **{"answer": lambda b, rng: attrs.evolve(b, predicted=scale * rng.random(len(b))), **fields})


def one(registry, metric, attack, *arenas):
    (attacked,) = attack_metric(registry.get(Metric, metric), [attack], arenas or [arena()])
    return attacked


def test_the_index_is_the_share_of_the_way_from_chance_to_perfect(registry):
    attacked = one(registry, "mae", constant(0.2))
    assert attacked.score == pytest.approx(np.abs(GOLD - 0.2).mean())
    assert attacked.perfect == 0
    expected_chance = np.abs(GOLD[:, None] - GOLD).mean()
    assert attacked.base == pytest.approx(expected_chance, rel=0.02)
    assert attacked.index == pytest.approx((attacked.score - attacked.base) / (attacked.perfect - attacked.base))
    assert 0 < attacked.error < 0.05


def test_the_error_is_no_smaller_than_that_of_new_gold(registry):
    """On new gold of the same size indices scatter by no more than the error, which is on the safe side."""
    rng = np.random.default_rng(7)
    for metric in ("mae", "rmse"):
        results = [one(registry, metric, constant(0.25), arena(rng.beta(1.2, 3.2, 300))) for _ in range(40)]
        spread = np.std([result.index for result in results], ddof=1)
        assert 0.9 < np.mean([result.error for result in results]) / spread < 4.5


def test_an_undefined_attack_has_failed(registry):
    attacked = one(registry, "pearson", constant(0.2))
    assert np.isnan(attacked.score)
    assert attacked.index == 0


def test_no_headroom_is_no_index(registry):
    flat = arena(np.full(30, 0.5))
    attacked = one(registry, "mae", constant(0.2), flat)
    assert np.isnan(attacked.index)
    assert np.isnan(gaming_index([attacked]))


def told(index, kind="blind"):
    words = {"attack": "a", "knowledge": "", "score": 0.0, "base": 0.0, "perfect": 1.0, "error": 0.0}
    return Attacked(kind=kind, index=index, **words)


def test_informed_and_selection_attacks_do_not_count():
    assert gaming_index([told(-0.2), told(0.1, "cosmetic"), told(0.9, "informed"), told(0.8, "selection")]) == 0.1
    assert gaming_index([told(-0.2), told(np.nan)]) == 0
    assert np.isnan(gaming_index([told(0.9, "informed")]))


def test_a_setting_is_chosen_on_the_other_half(registry):
    settings = {f"value={value}": constant(value).answer for value in (0.0, 0.2, 0.9)}
    attacked = one(registry, "mae", constant(0.0, settings=settings))
    assert attacked.setting == "value=0.2"
    assert attacked.score == pytest.approx(np.abs(GOLD - 0.2).mean())


def test_choosing_among_worthless_settings_gains_nothing(registry):
    """The best of many on the same half would be above chance by luck."""

    def noise(seed):
        return lambda batch, rng: attrs.evolve(batch, predicted=np.random.default_rng(seed).random(len(batch)))

    settings = {f"seed={seed}": noise(seed) for seed in range(40)}
    golds = [np.random.default_rng(1000 + part).random(120) for part in range(12)]
    indices = [one(registry, "pearson", constant(0.0, settings=settings), arena(gold)).index for gold in golds]
    lucky = [
        max(np.corrcoef(gold, how(arena(gold).batch, None).predicted)[0, 1] for how in settings.values())
        for gold in golds
    ]
    assert np.mean(lucky) > 0.15
    assert abs(np.mean(indices)) < 0.08


def test_random_answers_are_drawn_until_their_noise_is_small(registry):
    small = arena(np.random.default_rng(3).random(60))
    attacked = one(registry, "pearson", random(1.0), small)
    assert abs(attacked.index) < 0.02


def test_selection_keeps_the_best_of_its_tries(registry):
    lucky = one(registry, "pearson", random(1.0, manner="selection", tries=30), generated_audit_gold(Scores, 0))
    assert lucky.score == pytest.approx(0.14, abs=0.02)  # thirty worthless tries on 200 units
    assert lucky.kind == "selection"


def test_cosmetic_attacks_start_from_the_honest_submission(registry):
    same = constant(0.0, manner="cosmetic", answer=lambda batch, rng: batch)
    attacked = one(registry, "pearson", same, generated_audit_gold(Scores, 0))
    assert attacked.score == attacked.base == pytest.approx(0.5, abs=0.02)
    assert attacked.index == 0
    assert attacked.error == 0


def test_attacks_on_other_kinds_and_those_that_cannot_be_made_are_left_out(registry):
    def refuse(batch, rng):
        raise DataError("not on this gold")

    metric = registry.get(Metric, "mae")
    assert attack_metric(metric, [registry.get(Attack, "all_bad"), constant(0, answer=refuse)], [arena()]) == ()


def test_ranks_count_who_is_strictly_better(registry):
    real = {name: attrs.evolve(arena().batch, predicted=GOLD + shift) for name, shift in (("a", 0.01), ("b", 0.5))}
    attacked = one(registry, "mae", constant(float(np.median(GOLD))), arena(real=real))
    assert attacked.rank == 2
    copy = constant(0, manner="cosmetic", answer=lambda batch, rng: batch)
    assert one(registry, "mae", copy, arena(real=real)).rank == 1
    assert one(registry, "mae", constant(0.2)).rank is None


def test_a_ring_leaves_out_ten_blocks():
    scored = MetricOnGold(qeframe.load().get(Metric, "mean"), perfect(arena().batch))
    assert scored.weights.shape == (11, 300)
    assert (scored.weights[1:].sum(axis=1) == 270).all()
    assert (scored.weights[1:].sum(axis=0) == 9).all()


def test_json_is_as_it_is_documented():
    audit = qeframe.audit(["f1_mult", "kendall(ties=wmt12)"], seed=1)
    told = json.loads(audit.to_json())
    assert set(told) == {"gold", "metrics", "notes"}
    assert told["gold"]["seed"] == 1
    assert [metric["metric"] for metric in told["metrics"]] == ["f1_mult", "kendall(ties=wmt12)"]
    first = told["metrics"][0]
    assert set(first) == {"metric", "gaming_index", "attacks", "claims", "counterexamples"}
    documented = {"attack", "kind", "knowledge", "score", "base", "perfect", "index", "error", "rank"}
    assert documented <= set(first["attacks"][0])
    for attacked in first["attacks"]:
        way = attacked["perfect"] - attacked["base"]
        assert attacked["index"] == pytest.approx((attacked["score"] - attacked["base"]) / way, abs=1e-12)
    claims = {claim["claim"]: claim for claim in first["claims"]}
    assert claims["constant_proof"] == claims["constant_proof"] | {"claimed": True, "holds": True}
    assert claims["blind_proof"] == claims["blind_proof"] | {"claimed": False, "holds": False}
    assert "blind_proof" in [found["claim"] for found in first["counterexamples"]]


def test_the_result_depends_on_the_seed_and_not_on_workers():
    names = ["span_f1", "mcc"]
    alone = qeframe.audit(names).to_json()
    with ThreadPoolExecutor(3) as executor:
        assert qeframe.audit(names, runner=Runner(executor)).to_json() == alone
    one_of_them = json.loads(qeframe.audit("mcc").to_json())["metrics"][0]
    assert one_of_them == json.loads(alone)["metrics"][1]
    assert qeframe.audit(names, claims=False, attacks=["over_tagging"], seed=5).to_json() != alone


def test_gold_may_be_given_plainly():
    audit = qeframe.audit("f1_bad", [["OK", "BAD", "OK", "OK"]] * 50, claims=False)
    found = {attacked.attack: attacked for attacked in audit.metrics[0].attacks}
    assert found["all_bad"].score == pytest.approx(0.4)
    assert qeframe.audit("kendall(ties=wmt12)", "<<>>=" * 40, claims=False).metrics[0].gaming_index > 0.1
    batch = generate_gold(Tags).batch.take(np.arange(100))
    assert qeframe.audit("mcc", batch, claims=False).metrics[0].gaming_index < 0.1


def test_claims_need_not_be_tried():
    (metric,) = qeframe.audit("mcc", claims=False).metrics
    assert {claim["claim"] for claim in metric.claims if claim["claimed"]} == {
        "constant_proof",
        "blind_proof",
        "monotone",
    }
    assert all(claim["holds"] is None for claim in metric.claims)


def test_what_cannot_be_audited_is_told():
    with pytest.raises(DataError, match="no generated gold for metrics on Values"):
        qeframe.audit("mean")
    with pytest.raises(UnknownNameError, match="mcx"):
        qeframe.audit("mcx")
    with pytest.raises(UnknownNameError, match="all_worse"):
        qeframe.audit("mcc", attacks=["all_worse"])
    with pytest.raises(DataError, match="'mcc' is a metric on Tags, the gold is Scores"):
        qeframe.audit("mcc", Scores.from_plain([1, 2], [1, 2]))
    task = Task(name="empty", batches={}, unanswered=(3, "segment"))
    with pytest.raises(DataError, match="task 'empty' has no submission"):
        qeframe.audit("mae", task)
    attacked = attrs.evolve(task, batches={Submission("x", "attack"): Scores.from_plain([1, 2], [1, 2])})
    with pytest.raises(DataError, match="has no submission"):
        qeframe.audit("mae", [attacked])


def test_no_claim_of_the_registry_is_refuted_by_an_attack(registry):
    """The figures are those of the quick metrics; the page of the documentation has them all."""
    quick = ["mcc", "cohen_kappa", "f1_mult", "pearson", "precision", "kendall", "segment_pearson", "gtm_f", "span_f1"]
    for metric in qeframe.audit(quick, claims=False, registry=registry).metrics:
        assert not [claim for claim in metric.claims if claim["claimed"] and claim["holds"] is False], metric.metric
