"""Claims that attacks refute."""

from qeframe.core.components.metric import Metric
from qeframe.gaming.claim_checks import has_strategy, tried_claims
from qeframe.gaming.index import Attacked


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
