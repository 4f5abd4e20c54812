"""Null models as components."""

from qeframe.core.components.loading.hookspecs import hookimpl
from qeframe.core.components.loading.loader import load
from qeframe.extensions.null_model import NullModel
from qeframe.kinds.scores.batch import Values


def make(**declared: object) -> NullModel:
    return NullModel(
        name="constant",
        summary="Every submission has the same values",
        kind=Values,
        draw=lambda rng, units, submissions: [Values.from_plain(None, [1.0] * units)] * submissions,
        **declared,  # type: ignore[arg-type]
    )


def test_names_of_metrics_are_a_set() -> None:
    assert make(equal_under="pearson").equal_under == frozenset({"pearson"})
    assert make().equal_under == frozenset()
    assert make().groups(3) == {}


def test_a_plugin_brings_its_own() -> None:
    class Plugin:
        @hookimpl
        def qeframe_null_models(self) -> list[NullModel]:
            return [make()]

    registry = load(extra={"mine": Plugin()})
    assert registry.get(NullModel, "constant").summary.startswith("Every submission")
