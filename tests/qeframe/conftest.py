"""Evaluations and tasks made by hand, every number chosen."""

import math
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import attrs
import numpy as np
import pytest

from qeframe import (
    Comparison,
    Evaluation,
    Profile,
    Result,
    ScoredSubmission,
    Signature,
    Submission,
    Task,
    load,
    profile_from_toml,
)
from qeframe.gaming.audit import Audit, AuditedMetric
from qeframe.gaming.indices import Attacked
from qeframe.kinds.scores.batch import Scores, Values
from tests.qeframe.core.profiles.small_registry import components, hook

RULE_KEYS = {
    "name": "made_up", "primary": "pearson", "test": "williams", "correction": "holm",
    "ranking": "not_worse_than_best", "resample": "unit", "alpha": 0.05, "confidence": 0.9,
}  # fmt: skip


@pytest.fixture(scope="session")
def scored() -> Callable[..., ScoredSubmission]:
    """Make a submission of a name, a rank and values by metric."""

    def make(name: str, rank: int, scores: Mapping[str, float | Result], **more: Any) -> ScoredSubmission:
        results = {k: v if isinstance(v, Result) else Result(value=v) for k, v in scores.items()}
        return ScoredSubmission(name=name, kind=more.pop("kind", "real"), scores=results, rank=rank, **more)

    return make


@pytest.fixture(scope="session")
def pair() -> Callable[..., Comparison]:
    """Make a comparison in which the first beats the second with the given p."""

    def make(a: str, b: str, p: float, **more: Any) -> Comparison:
        given = {"metric": "pearson", "test": "williams", "sided": "one", "difference": 0.125, "p": p, "p_adjusted": p}
        return Comparison(a=a, b=b, significant=p < 0.05, **{**given, **more})

    return make


@pytest.fixture(scope="session")
def evaluation_of() -> Callable[..., Evaluation]:
    """Make an evaluation of submissions and comparisons."""

    def make(
        submissions: Sequence[ScoredSubmission], comparisons: Sequence[Comparison] = (), **more: Any
    ) -> Evaluation:
        signature = Signature(
            qeframe="9.9", versions={}, plugins={}, blocked=(), rules=RULE_KEYS, changed={}, seed=7, units={}, inputs=()
        )
        given = {
            "profile": "made_up",
            "title": "A made-up task",
            "primary": "pearson",
            "metrics": ("pearson", "mae"),
            "higher_is_better": {"pearson": True, "mae": False},
        }
        return Evaluation(
            signature=signature, submissions=tuple(submissions), comparisons=tuple(comparisons), **{**given, **more}
        )

    return make


@pytest.fixture(scope="session")
def evaluation(evaluation_of: Any, scored: Any, pair: Any) -> Evaluation:
    """Three submissions: a winner with an interval, a baseline, one without a score."""
    best = Result(value=0.75, low=0.5, high=0.875)
    poor = {"pearson": -0.125, "mae": 0.125}
    return evaluation_of(
        [
            scored("first", 1, {"pearson": best, "mae": 0.25}, cluster=1, rank_shares=(0.96, 0.04, 0.0)),
            scored("second", 2, poor, kind="baseline", cluster=2, rank_shares=(0, 0.9, 0.1)),
            scored("third", 3, {"pearson": math.nan, "mae": 0.5}),
        ],
        [pair("first", "second", 0.0004), pair("first", "third", 0.5, difference=math.nan)],
    )  # fmt: skip


@pytest.fixture(scope="session")
def task_of() -> Callable[..., Task]:
    """Make a task of predictions by name."""

    def make(predicted: Mapping[str, Sequence[float]], gold: Sequence[float] | None, name: str = "en-de") -> Task:
        kind = Values if gold is None else Scores
        batches = {Submission(key): kind.from_plain(gold, np.asarray(values)) for key, values in predicted.items()}
        return Task(name=name, batches=batches)

    return make


@pytest.fixture(scope="session")
def task(task_of: Any) -> Task:
    """Predictions of the three submissions, the third constant."""
    return task_of({"third": [3.0] * 5, "second": [1, 0, 2, 1, 0], "first": [0, 1, 2, 3, 5]}, [0.0, 1, 2, 3, 4])


@pytest.fixture(scope="session")
def attacked() -> Callable[..., Attacked]:
    """Make the result of an attack of a kind with an index."""

    def make(attack: str, kind: str, index: float, **more: Any) -> Attacked:
        given = {"knowledge": "the rate of BAD", "score": index, "base": 0.0, "perfect": 1.0, "error": 0.01}
        return Attacked(attack=attack, kind=kind, index=index, **{**given, **more})

    return make


@pytest.fixture(scope="session")
def audit(attacked: Any) -> Audit:
    """Three metrics: one that can be gamed, one that cannot, one with other attacks."""
    weak = (
        attacked("all_bad", "blind", 0.3, setting="rate=.5"),
        attacked("shift", "cosmetic", 0.01),
        attacked("most", "informed", 0.6),
    )
    safe = tuple(attrs.evolve(each, index=-0.1 * n) for n, each in enumerate(weak))
    claim = {"claim": "constant_proof", "claimed": True, "holds": False, "tries": 3, "exact": False}
    kept = {"claim": "constant_proof", "claimed": True, "holds": True, "tries": 30, "exact": False}
    broken = {"claim": "constant_proof", "what": "0.3 > 0", "counterexample": {"n": 3, "index": 0.3}, "exploit": "So."}
    metrics = (
        AuditedMetric(
            metric="weak", gaming_index=0.3, low=0.28, high=0.32, attacks=weak, claims=(claim,),
            counterexamples=(broken,),
        ),
        AuditedMetric(metric="safe", gaming_index=0.0, low=0.0, high=0.01, attacks=safe, claims=(kept,)),
        AuditedMetric(metric="other", gaming_index=math.nan, attacks=(attacked("flat", "blind", math.nan),)),
    )  # fmt: skip
    return Audit(gold={"sets": {"tags": "1000 lines"}, "seed": 7}, metrics=metrics)


@pytest.fixture(scope="session")
def over_tasks(evaluation_of, scored):
    """Three submissions in two tasks of three, the last one in one of them only."""

    def over(name, rank, first, second, mae):
        parts = {"en-de": Result(value=first, low=first - 0.03, high=first + 0.01)}
        parts |= {} if math.isnan(second) else {"de-en": Result(value=second)}
        return scored(name, rank, {"pearson": Result(value=(first + second) / 2, tasks=parts), "mae": mae})

    submissions = [over("c", 1, 0.9, math.nan, 0.1), over("a", 2, 0.75, 0.25, 0.5), over("b", 3, 0.5, 0.125, 0.25)]
    counts = {"en-de": {"systems": 4, "pairs": 12345}, "de-en": {"systems": 5}, "cs-en": {"pairs": 7}}
    return evaluation_of(submissions, tasks=counts)


@pytest.fixture
def build(tmp_path, registry):
    """Build a registry of the small components and of profiles with the given texts."""

    def from_texts(**texts: str):
        files = {name: tmp_path / f"{name}.toml" for name in texts}
        for name, text in texts.items():
            files[name].write_text(text, encoding="utf-8")
        profiles = ModuleType("profiles")
        profiles.qeframe_profiles = hook("qeframe_profiles", files)
        everything = [p.origin.plugin for p in registry.plugins]
        return load(extra={"components": components(), "profiles": profiles}, block=everything)

    return from_texts


@pytest.fixture
def read(build):
    """Read a profile from a text, beside registered ones."""

    def from_text(text: str, **texts: str) -> Profile:
        return profile_from_toml(text, "own.toml", "own", build(**texts))

    return from_text
