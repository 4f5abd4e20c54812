"""The audit: JSON, seeds and workers, golds that are given, and input that cannot be used."""

import json
from concurrent.futures import ThreadPoolExecutor

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import DataError, Runner, Submission, Task, UnknownNameError
from qeframe.gaming.audit import has_strategy, tried_claims
from qeframe.gaming.audit_gold import generate_gold
from qeframe.gaming.indices import Attacked
from qeframe.plugin import Metric, Scores, Tags
from tests.outcome import failure


def test_json_is_as_it_is_documented():
    record = json.loads(qeframe.audit(["f1_mult", "mcc"], attacks=["all_bad", "over_tagging"], seed=1).to_json())
    assert set(record) == {"format", "gold", "metrics", "notes"}
    assert record["gold"]["seed"] == 1
    assert [metric["metric"] for metric in record["metrics"]] == ["f1_mult", "mcc"]
    first = record["metrics"][0]
    measures = {"metric", "gaming_index", "low", "high", "determined"}
    assert set(first) == measures | {"attacks", "finds", "searched", "claims", "counterexamples"}
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
    options = {"claims": False, "attacks": ["middle_span", "over_tagging"]}
    alone = qeframe.audit(names, **options).to_json()
    with ThreadPoolExecutor(3) as executor:
        assert qeframe.audit(names, runner=Runner(executor), **options).to_json() == alone
    one_of_them = json.loads(qeframe.audit("mcc", **options).to_json())["metrics"][0]
    assert one_of_them == json.loads(alone)["metrics"][1]
    assert qeframe.audit(names, claims=False, attacks=["over_tagging"], seed=5).to_json() != alone


def test_gold_may_be_given_plainly():
    few = {"claims": False, "attacks": ["all_bad", "all_good", "break_ties"]}
    audit = qeframe.audit("f1_bad", [["OK", "BAD", "OK", "OK"]] * 50, **few)
    found = {attacked.attack: attacked for attacked in audit.metrics[0].attacks}
    assert found["all_bad"].score == pytest.approx(0.4)
    assert qeframe.audit("kendall(ties=wmt12)", "<<>>=" * 40, **few).metrics[0].gaming_index > 0.1
    batch = generate_gold(Tags).batch.take(np.arange(100))
    assert qeframe.audit("mcc", batch, **few).metrics[0].gaming_index < 0.1


def test_claims_need_not_be_tried():
    (metric,) = qeframe.audit("mcc", claims=False, attacks=["all_bad"]).metrics
    assert {claim["claim"] for claim in metric.claims if claim["claimed"]} == {
        "constant_proof",
        "blind_proof",
        "monotone",
    }
    assert all(claim["holds"] is None for claim in metric.claims)


def test_what_cannot_be_audited_is_refused():
    assert "no generated gold for metrics on Values" in failure(DataError, qeframe.audit, "mean")
    assert "mcx" in failure(UnknownNameError, qeframe.audit, "mcx")
    assert "all_worse" in failure(UnknownNameError, qeframe.audit, "mcc", attacks=["all_worse"])
    with pytest.raises(DataError, match="'mcc' is a metric on Tags, the gold is Scores"):
        qeframe.audit("mcc", Scores.from_plain([1, 2], [1, 2]))
    task = Task(name="empty", batches={}, unanswered=(3, "segment"))
    assert "task 'empty' has no submission" in failure(DataError, qeframe.audit, "mae", task)
    attacked = attrs.evolve(task, batches={Submission("x", "attack"): Scores.from_plain([1, 2], [1, 2])})
    assert "has no submission" in failure(DataError, qeframe.audit, "mae", [attacked])


@pytest.mark.slow
def test_no_claim_of_the_registry_is_refuted_by_an_attack(registry):
    """The figures are those of the quick metrics; the page of the documentation has them all."""
    quick = ["mcc", "cohen_kappa", "f1_mult", "pearson", "precision", "kendall", "segment_pearson", "gtm_f", "span_f1"]
    for metric in qeframe.audit(quick, claims=False, registry=registry).metrics:
        assert not [claim for claim in metric.claims if claim["claimed"] and claim["holds"] is False], metric.metric


def attacked(index, error):
    words = {"attack": "a", "kind": "blind", "knowledge": "nothing", "score": index, "base": 0.0, "perfect": 1.0}
    return Attacked(index=index, error=error, refutes="blind_proof", **words)


def test_an_attack_refutes_a_claim_only_if_its_index_is_clear(registry):
    metric = registry.get(Metric, "mcc")
    assert has_strategy(metric)
    for index, error, holds in ((0.2, 0.01, False), (0.2, 0.05, None), (0.005, 0.0001, None)):
        claims, broken = tried_claims(metric, [attacked(index, error)], None)
        verdicts = {claim["claim"]: claim["holds"] for claim in claims}
        assert verdicts["blind_proof"] is holds
        assert len(broken) == (holds is False)
