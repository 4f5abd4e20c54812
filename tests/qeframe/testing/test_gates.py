"""Gates in test files: `check_gaming`, and the options of pytest."""

import attrs
import pytest

from qeframe.core.components.metric import Metric, TiePolicy
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError
from qeframe.testing import check_gaming
from qeframe.testing.gates import check_required, gates_asked, required_claims


def test_check_gaming_names_the_attack(registry):
    mae = attrs.evolve(registry.get(Metric, "mae"), claims=())
    with pytest.raises(AssertionError, match="Metric 'mae' can be gamed\n  the attack constant_median has the index"):
        check_gaming(mae, attacks=["constant_median"], registry=registry)
    check_gaming(mae, attacks=["constant_median"], above=0.3, registry=registry)
    with pytest.raises(AssertionError, match=r"and 0\.2 is allowed"):
        check_gaming(mae, attacks=["constant_median"], above=0.2, registry=registry)
    check_gaming(mae, attacks=["constant_median"], above=0.277, registry=registry)
    with pytest.raises(AssertionError, match="may be gamed, which is not determined"):
        check_gaming(mae, attacks=["constant_median"], above=0.277, strict=True, registry=registry)


def test_every_metric_of_a_plugin_is_tried(registry):
    class Plugin:
        qeframe_metrics = staticmethod(lambda: [Parametric(distance), registry.get(Metric, "pearson")])
        qeframe_tie_policies = staticmethod(lambda: [registry.get(TiePolicy, "wmt14")])

    def distance() -> Metric:
        return attrs.evolve(registry.get(Metric, "mae"), name="distance", claims=())

    with pytest.raises(AssertionError, match="Metric 'distance' can be gamed"):
        check_gaming(Plugin, attacks=["constant_median"], registry=registry)


def test_a_required_claim_must_be_made(registry):
    mae = registry.get(Metric, "mae")
    check_required(registry.get(Metric, "pearson"), "constant_proof")
    check_required(mae, "padding_proof")  # there is no such law for its batches
    with pytest.raises(AssertionError, match="Metric 'mae' does not claim 'constant_proof', which is required"):
        check_required(mae, "constant_proof")
    assert required_claims("monotone, blind_proof,monotone") == ("monotone", "blind_proof")
    with pytest.raises(DataError, match="no law for the claim 'safe'"):
        required_claims("safe")


def test_no_gate_without_options(registry):
    assert gates_asked(registry.get(Metric, "mae")) == []
