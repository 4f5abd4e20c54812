"""Components and plugins that the tests of the registry use."""

from importlib.metadata import entry_points
from types import ModuleType
from typing import Literal

import attrs
import numpy as np

from qeframe import hookimpl, load
from qeframe.core.hookspecs import GROUP
from qeframe.plugin import Metric, Scores, TiePolicy, additive

BUILT_IN = sorted(point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "qeframe")
INSTALLED = sorted(point.name for point in entry_points(group=GROUP))


def share_equal(name: str = "share_equal") -> Metric:
    """Build a metric on numbers: the share of predictions that equal the gold."""
    return Metric(
        name=name,
        summary="Share of predictions that equal the gold",
        kind=Scores,
        bind=additive(
            columns=("units", "equal"),
            extract=lambda batch: np.stack([np.ones(len(batch)), batch.predicted == batch.gold], axis=1),
            score=lambda sums: sums[..., 1] / sums[..., 0],
        ),
    )


def tie_policy(name: str, middle: float | None = 0.0) -> TiePolicy:
    return TiePolicy(name=name, summary="", table=((1, 0, -1), (None, middle, None), (-1, 0, 1)))


def half(*, middle: float = 0.0) -> TiePolicy:
    return tie_policy("half", middle)


def power(
    *,
    exponent: float = 2.0,
    least: int = 1,
    rounded: bool = False,
    reading: Literal["literal", "clipped"] = "literal",
    label: str = "BAD",
    labels: tuple[str, ...] = (),
    cap: int | Literal["none"] = "none",
    ties: TiePolicy = tie_policy("plain"),  # noqa: B008
) -> Metric:
    """Build a metric that keeps its parameters in its summary."""
    told = (exponent, least, rounded, reading, label, labels, cap, ties.name)
    return attrs.evolve(share_equal("power"), summary=repr(told))


def plugin(**brought: object) -> ModuleType:
    """Make a plugin of hooks that return the given values, or raise the given error."""
    module = ModuleType("a_plugin")
    for hook, returned in brought.items():
        setattr(module, hook, hookimpl(_returning(hook, returned)))
    return module


def _returning(hook: str, returned: object):
    def implementation():
        if isinstance(returned, Exception):
            raise returned
        return returned

    implementation.__name__ = hook
    return implementation


def empty_but(**plugins: ModuleType):
    """Build a registry of the given plugins alone."""
    return load(extra=plugins, block=INSTALLED)
