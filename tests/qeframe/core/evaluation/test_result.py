import json
import math
from types import MappingProxyType

import attrs
import numpy as np
import pytest

from qeframe.core.display import canonical_json
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation, Result, ScoredSubmission, Signature
from qeframe.core.task import Input

SIGNATURE = Signature(
    qeframe="1.0", versions={"numpy": "2", "scipy": "1"}, plugins={"b": "y 2", "a": "x 1"},
    blocked=("broken", "slow"),
    rules={"name": "p", "primary": "m", "test": "", "correction": "holm", "ranking": "r", "resample": "unit"},
    changed={}, seed=0, units={"t": "3 x segment"}, inputs=(Input("gold.txt", "ab"),),
)  # fmt: skip
EVALUATION = Evaluation(
    profile="p",
    title="Größe",
    primary="m",
    metrics=("m",),
    higher_is_better={"m": True},
    signature=SIGNATURE,
    submissions=(
        ScoredSubmission(name="A", kind="real", scores={"m": Result(value=0.5, details={"k": np.float64(2)})}, rank=1),
    ),
    comparisons=(
        Comparison(
            a="A", b="B", metric="m", test="t", sided="two", difference=math.inf, p=math.nan, p_adjusted=1.0,
            significant=False,
        ),
    ),
)  # fmt: skip


def test_keys_are_sorted_and_undefined_is_null() -> None:
    text = canonical_json({"b": math.nan, "a": [np.float64(1.5), math.inf, None, True], "c": {"y", "x"}, "d": 2})
    assert text == (
        '{\n  "a": [\n    1.5,\n    null,\n    null,\n    true\n  ],\n  "b": null,\n  "c": [\n    "x",\n    "y"\n  ],\n'
        '  "d": 2\n}\n'
    )


def test_arrays_and_mappings_are_written() -> None:
    assert json.loads(canonical_json({"a": np.array([[1.0, np.nan]]), 3: MappingProxyType({"k": np.int64(2)})})) == {
        "a": [[1.0, None]],
        "3": {"k": 2},
    }


def test_the_whole_result() -> None:
    found = json.loads(EVALUATION.to_json())
    assert sorted(found) == [
        "comparisons", "dropped", "format", "higher_in_tasks", "higher_is_better", "metrics", "primary", "profile",
        "signature", "submissions", "tasks", "title", "warnings",
    ]  # fmt: skip
    (scored,) = found["submissions"]
    assert scored["scores"]["m"] == {"value": 0.5, "low": None, "high": None, "details": {"k": 2.0}, "tasks": {}}
    assert (scored["rank"], scored["cluster"], scored["winner"], scored["kind"]) == (1, None, False, "real")
    (pair,) = found["comparisons"]
    assert (pair["difference"], pair["p"], pair["p_adjusted"], pair["significant"]) == (None, None, 1.0, False)
    assert found["signature"]["inputs"] == [{"path": "gold.txt", "sha256": "ab"}]
    assert found["signature"]["text"].endswith("|resample:unit|blocked:broken,slow|seed:0")
    assert "Größe" in EVALUATION.to_json()


def test_the_order_of_mappings_changes_no_byte() -> None:
    turned = attrs.evolve(SIGNATURE, plugins={"a": "x 1", "b": "y 2"})
    assert attrs.evolve(EVALUATION, signature=turned).to_json() == EVALUATION.to_json()


def test_results_are_frozen() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        EVALUATION.profile = "q"  # type: ignore[misc]
    assert ScoredSubmission(name="A", kind="real", scores={}, rank=1, cluster=1).winner
    assert not ScoredSubmission(name="A", kind="real", scores={}, rank=1, cluster=2).winner
