"""A small registry with one component of each class, and the least profile that uses it."""

from collections.abc import Mapping
from types import ModuleType
from typing import Literal

import attrs
import numpy as np

from qeframe import hookimpl
from qeframe.core.reader import Reader
from qeframe.plugin import (
    Aggregation,
    Correction,
    DataError,
    Metric,
    Parametric,
    RankingRule,
    Scores,
    SignificanceTest,
    Texts,
    additive,
)

SMALL = 'reader = "lines"\nprimary = "accuracy"\n'
"""The least that a profile states."""

NEUTRAL = 'within = "pool"\nacross = "average"\ninterval = ""\ntest = ""\ncorrection = "raw"\nranking = "order"\n'
"""Components of the small registry in place of the built-in ones that are defaults."""


def ruled(**rules: str) -> str:
    """Return the text of a profile with some rules replaced."""
    stated = dict(line.split(" = ") for line in (SMALL + NEUTRAL).splitlines())
    return "".join(f"{key} = {value}\n" for key, value in {**stated, **rules}.items())


def accuracy(*, margin: float = 0.0, best: Literal["low", "high"] = "low") -> Metric:
    return Metric(
        name="accuracy",
        summary="",
        kind=Scores,
        bind=additive(
            columns=("units",), extract=lambda batch: np.ones((len(batch), 1)), score=lambda sums: sums[..., 0]
        ),
    )


def resampled(*, draws: int = 100) -> SignificanceTest:
    if draws < 1:
        raise DataError(f"draws must be at least 1, not {draws}")
    return SignificanceTest(
        name="resampled", summary="", needs="bind", run=lambda *_: None, interval=lambda *_: None, sides=("two",)
    )


def columns(
    *,
    gold: str | Mapping[str, str] = "",
    level: Literal["seg", "sys"] = "seg",
    margin: int = 0,
    names: Literal["all"] | tuple[str, ...] = ("official",),
) -> Reader:
    return Reader(name="columns", summary="", kind=Scores, read=lambda path, best: ())


def components() -> ModuleType:
    """Return a plugin with the components."""
    plain = {"summary": "", "aggregate": lambda scores, weights, higher: scores[..., 0]}
    brought = {
        "qeframe_metrics": [
            Parametric(accuracy),
            attrs.evolve(accuracy(), name="error"),
            attrs.evolve(accuracy(), name="overlap", kind=Texts),
        ],
        "qeframe_aggregations": [
            Aggregation(name="pool", pools=True, **plain),
            Aggregation(name="declared", weighting="declared", **plain),
            Aggregation(name="average", **plain),
            Aggregation(name="per_group", by="document", **plain),
        ],
        "qeframe_significance_tests": [
            Parametric(resampled),
            SignificanceTest(name="signs", summary="", needs="bind", run=lambda *_: None, sides=("one",)),
            SignificanceTest(name="of_means", summary="", needs="per_unit", run=lambda *_: None),
        ],
        "qeframe_corrections": [Correction(name="raw", summary="", adjust=lambda p: p)],
        "qeframe_ranking_rules": [RankingRule(name="order", summary="", rank=lambda standing: None)],
        "qeframe_readers": [
            Reader(name="lines", summary="", kind=Scores, read=lambda path, best: ()),
            Parametric(columns),
        ],
    }
    module = ModuleType("components")
    for name, values in brought.items():
        setattr(module, name, hook(name, values))
    return module


def hook(name: str, returned: object):
    """Return the implementation of a hook that returns this."""

    def implementation():
        return returned

    implementation.__name__ = name
    return hookimpl(implementation)
