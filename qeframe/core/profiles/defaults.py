"""The tests, intervals and corrections that qeframe chooses where no one names one: by metric and test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.errors import QeframeError
from qeframe.core.profiles.parts import part_rules
from qeframe.core.profiles.schema import DEFAULT, Profile

DEFAULT_KEYS = frozenset({"test", "interval", "correction"})
"""The keys of a profile that may say `DEFAULT`."""


def default_test(*, smooth: bool, exchanged: bool = False) -> str:
    """Return the test that qeframe chooses for scores.

    `smooth`: whether they are smooth in the weights of units. `exchanged`: whether the metric says how its answers are
    exchanged.
    """
    if smooth:
        return "jackknife_and_exchange"
    return "exchange" if exchanged else "bootstrap_t"


def default_interval(*, smooth: bool) -> str:
    """Return the test whose intervals qeframe chooses for such scores."""
    return "jackknife_and_exchange" if smooth else "bootstrap(draws=1000)"


def default_correction(test: SignificanceTest | None) -> str:
    """Return the correction that qeframe chooses for a test.

    A step-down over joint draws for the tests that qeframe itself chooses, Holm's for the p-values of every other test.
    """
    return "romano_wolf" if test is None else _STEP_DOWN.get(test.name.partition("(")[0], "holm")


_STEP_DOWN = {
    "jackknife_and_exchange": "romano_wolf_and_max_t",
    "exchange": "max_t(standardize=as_needed)",
    "jackknife": "romano_wolf",
    "bootstrap_t": "romano_wolf",
}


def chosen_test(name: str | SignificanceTest, metric: Metric, registry: Registry) -> SignificanceTest:
    """Return a test by its name, or the one that qeframe chooses for a metric if the name is `DEFAULT`."""
    if name == DEFAULT:
        name = default_test(smooth=metric.smooth, exchanged=metric.exchange is not None)
    return registry.get(SignificanceTest, name)


def chosen_interval(name: str, registry: Registry, *, smooth: bool) -> SignificanceTest | None:
    """Return the test that gives intervals, for scores that are smooth or not; None for an empty name."""
    if not name:
        return None
    return registry.get(SignificanceTest, default_interval(smooth=smooth) if name == DEFAULT else name)


def chosen_correction(name: str | Correction, test: SignificanceTest | None, registry: Registry) -> Correction:
    """Return a correction by its name, or the one that qeframe chooses for a test if the name is `DEFAULT`."""
    return registry.get(Correction, default_correction(test) if name == DEFAULT else name)


def by_valid_rules(profile: Profile, registry: Registry) -> Profile:
    """Return the profile with rules of comparison that control the chance of any false claim: those of its `valid`.

    They are two-sided, and exchange the cells that parts of a language pair have in common together. Rules that were
    changed for this run stay where they are valid, but for the test.
    """
    rules: dict[str, Any] = {"sided": "two", "test": profile.valid.get("test", DEFAULT)}
    if "correction" not in profile.changed or not is_valid_correction(profile.correction, registry):
        rules["correction"] = profile.valid.get("correction", DEFAULT)
    if profile.parts and "exchanges" not in profile.changed:
        rules["exchanges"] = "joint"
    tested = {"test", "official"}
    parts = tuple({key: value for key, value in part.items() if key not in tested} for part in profile.parts)
    return attrs.evolve(profile, parts=parts, changed={**profile.changed, **rules}, **rules)


def is_valid_correction(name: str, registry: Registry) -> bool:
    """Return whether a correction controls the chance of any false claim, as that does which qeframe chooses."""
    return name == DEFAULT or registry.get(Correction, name).controls_any_error


def with_defaults(profile: Profile, registry: Registry) -> Profile:
    """Return the profile with `DEFAULT` replaced by the names of the components that qeframe chooses.

    The test and the interval are those of the primary metric over all tasks: a mean over tasks of a smooth score is
    smooth, a mean of ranks is not. With parts they are those of the overall score, which is smooth if all of its parts
    are. Rules that name no registered component stay as they are.
    """
    if DEFAULT not in {profile.test, profile.interval, profile.correction}:
        return profile
    try:
        smooth = _all_metrics(lambda metric: metric.smooth, profile, registry)
        exchanged = _all_metrics(lambda metric: metric.exchange is not None, profile, registry)
        test = default_test(smooth=smooth, exchanged=exchanged)
        test = test if profile.test == DEFAULT else profile.test
        chosen = registry.get(SignificanceTest, test) if test else None
    except QeframeError:
        return profile
    correction = default_correction(chosen) if profile.correction == DEFAULT else profile.correction
    interval = default_interval(smooth=smooth) if profile.interval == DEFAULT else profile.interval
    return attrs.evolve(profile, test=test, correction=correction, interval=interval)


def _all_metrics(has: Callable[[Metric], bool], profile: Profile, registry: Registry) -> bool:
    """Return whether the primary metric, or all of parts with a weight, have something, and are averaged linearly."""
    if profile.parts:
        return all(has(registry.get(Metric, rule.metric)) for rule in part_rules(profile) if rule.weight)
    return registry.get(Aggregation, profile.across).linear and has(registry.get(Metric, profile.primary))
