"""Checks: all laws that concern a component, tried on it."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.batches.base import Batch
from qeframe.components.aggregation import Aggregation
from qeframe.components.attack import Attack
from qeframe.components.component import Component
from qeframe.components.hookspecs import COMPONENT_HOOKS
from qeframe.components.metric import CLAIMS, Metric, TiePolicy
from qeframe.components.parametric import Parametric
from qeframe.components.ranking import RankingRule
from qeframe.components.registry import Registry
from qeframe.components.significance import Correction, SignificanceTest
from qeframe.errors import DataError
from qeframe.kinds.kind import BatchKind
from qeframe.kinds.registered import kind_of
from qeframe.testing.laws.attack import ATTACK_LAWS
from qeframe.testing.laws.claim import CLAIM_LAWS
from qeframe.testing.laws.law import Counterexample, Law, Search, check_drawable, search
from qeframe.testing.laws.metric import METRIC_LAWS
from qeframe.testing.laws.rule import AGGREGATION_LAWS, CORRECTION_LAWS, RANKING_LAWS
from qeframe.testing.laws.significance import TEST_LAWS
from qeframe.testing.laws.tie import TIE_LAWS

__all__ = [
    "LAWS",
    "Check",
    "check_aggregation",
    "check_attack",
    "check_correction",
    "check_metric",
    "check_ranking_rule",
    "check_test",
    "check_tie_policy",
    "checks_of",
    "parametrize_with_checks",
]

TRIES = 60
"""How many examples of each law are tried by default."""

LAWS: Mapping[type[Component], tuple[Law[Any], ...]] = MappingProxyType(
    {
        Metric: (*METRIC_LAWS, *CLAIM_LAWS),
        TiePolicy: TIE_LAWS,
        SignificanceTest: TEST_LAWS,
        Aggregation: AGGREGATION_LAWS,
        Correction: CORRECTION_LAWS,
        RankingRule: RANKING_LAWS,
        Attack: ATTACK_LAWS,
    }
)
"""The laws of each class of components."""


@frozen
class Check:
    """One law of one component: call it.

    Raises
    ------
    AssertionError
        Names the component, the law and the smallest counterexample; for a claim also how a breach would be exploited.
    """

    component: Component
    law: Law[Any]
    kind: BatchKind | None = field(default=None, repr=False)
    tries: int = TRIES
    shrink: bool = True

    @property
    def lawless(self) -> bool:
        """Whether there is no such law for the component's kind of batch."""
        return not self.law.fits(self.kind)

    def search(self) -> Search:
        """Return how many examples were tried, and the smallest one that breaks the law, if one does."""
        return search(self.law, self.component, self.kind, tries=self.tries, shrink=self.shrink)

    def __call__(self) -> None:
        """Search for a counterexample."""
        subject = f"{type(self.component).__name__} '{self.component.name}'"
        if self.lawless:
            batch = getattr(self.component, "kind", object).__name__
            raise AssertionError(
                f"{subject} claims '{self.law.name}', for which there is no law on batches of {batch}: do not claim it"
            )
        found = self.search().found
        if found is not None:
            raise AssertionError(
                f"{subject} breaks the law '{self.law.name}' ({self.law.states}): "
                f"{described(found, self.kind, shrink=self.shrink)}"
            )

    def __str__(self) -> str:
        return f"{self.component.name}-{self.law.name}"


def described(found: Counterexample, kind: BatchKind | None, *, shrink: bool = True) -> str:
    """Return the error, the example, and how it would be exploited, in lines."""
    shown = [f"{name} = {value!r}" for name, value in found.values.items()]
    shown = shown or [shown_part(part, kind) for part in found.example]
    lines = [found.what, f"{'smallest counterexample' if shrink else 'counterexample'}:", *(f"  {s}" for s in shown)]
    return "\n".join([*lines, found.exploit] if found.exploit else lines)


def shown_part(part: Any, kind: BatchKind | None) -> str:
    """Return a part of an example in Python notation."""
    if isinstance(part, tuple):
        return f"({', '.join(shown_part(each, kind) for each in part)})"
    if isinstance(part, Batch) and kind is not None and kind.plain is not None:
        sides = ", ".join(f"{name}={value!r}" for name, value in kind.plain(part).items())
        return f"{type(part).__name__}({sides})"
    return repr(part.tolist() if isinstance(part, np.ndarray) else part)


def checks_of(
    component: Component, *, leave_out: Iterable[str] = (), kind: BatchKind | None = None, tries: int = TRIES
) -> list[Check]:
    """Return the checks of one component: every law of its class that concerns it.

    Parameters
    ----------
    leave_out : iterable of str
        Names of laws that the component is known to break.
    kind : BatchKind, optional
        For metrics and attacks, in place of the registered kind of their batches.
    tries : int
        How many examples of each law; a fifth of it for costly laws.

    Raises
    ------
    ValueError
        If `leave_out` names a law that does not concern the component.
    DataError
        If no kind is registered for its batches, or the kind has no strategy of submissions.
    """
    laws = [
        law for made, laws in LAWS.items() if isinstance(component, made) for law in laws if law.concerns(component)
    ]
    unknown = set(leave_out) - {law.name for law in laws}
    if unknown:
        raise ValueError(f"no law of '{component.name}' is named {', '.join(sorted(unknown))}")
    if kind is None and isinstance(component, (Metric, Attack)):
        kind = kind_of(component.kind)
    if kind is not None:
        check_drawable(kind)
    kept = [law for law in laws if law.name not in set(leave_out)]
    return [Check(component, law, kind, tries) for law in kept if law.name in CLAIMS or law.fits(kind)]


def _run(component: Component, **options: Any) -> None:
    for check in checks_of(component, **options):
        check()


def check_metric(
    metric: Metric, *, leave_out: Iterable[str] = (), kind: BatchKind | None = None, tries: int = TRIES
) -> None:
    """Hold a metric to its laws and to the claims it makes.

    The laws concern the order of units, whole weights and weights 0, subsets, shards, bounds, the degenerate value,
    stacked weights, stacked statistics, exchanges, `vectors`, `per_unit`, pickling, and every claim that it makes. A
    claim without a law for its kind of batch is refused.

    Parameters
    ----------
    leave_out : iterable of str
        Names of laws that the metric is known to break. A replica of an old script may depend on the order of units.
    kind : BatchKind, optional
        In place of the registered kind of its batches.
    tries : int
        How many examples of each law; a fifth of it for costly laws.

    Raises
    ------
    AssertionError
        Names the metric, the law, the smallest counterexample and, for a claim, how it would be exploited.
    """
    _run(metric, leave_out=leave_out, kind=kind, tries=tries)


def check_tie_policy(policy: TiePolicy, *, leave_out: Iterable[str] = ()) -> None:
    """Hold a tie policy to its laws, and to the claim `tie_neutral` if it makes it. All cases are computed."""
    _run(policy, leave_out=leave_out)


def check_test(test: SignificanceTest, *, leave_out: Iterable[str] = (), tries: int = TRIES) -> None:
    """Hold a significance test to its laws.

    A test that needs `exchange` must enumerate all exchanges of six units: give it 64 draws or more.

    Raises
    ------
    AssertionError
        Names the test, the law and the smallest counterexample.
    """
    _run(test, leave_out=leave_out, tries=tries)


def check_aggregation(aggregation: Aggregation, *, leave_out: Iterable[str] = (), tries: int = TRIES) -> None:
    """Hold an aggregation to its laws; see `check_metric`."""
    _run(aggregation, leave_out=leave_out, tries=tries)


def check_correction(correction: Correction, *, leave_out: Iterable[str] = (), tries: int = TRIES) -> None:
    """Hold a correction of p-values to its laws; see `check_metric`."""
    _run(correction, leave_out=leave_out, tries=tries)


def check_ranking_rule(rule: RankingRule, *, leave_out: Iterable[str] = (), tries: int = TRIES) -> None:
    """Hold a ranking rule to its laws; see `check_metric`."""
    _run(rule, leave_out=leave_out, tries=tries)


def check_attack(
    attack: Attack, *, leave_out: Iterable[str] = (), kind: BatchKind | None = None, tries: int = TRIES
) -> None:
    """Hold an attack to its laws: it answers the same units, changes no gold, and uses only what its manner allows."""
    _run(attack, leave_out=leave_out, kind=kind, tries=tries)


def parametrize_with_checks(
    brought: Any,
    *,
    leave_out: Mapping[str, Iterable[str]] = MappingProxyType({}),
    kinds: Mapping[type[Any], BatchKind] = MappingProxyType({}),
    tries: int = TRIES,
) -> Callable[[Any], Any]:
    """Decorate a test function with one argument ``check``: it runs once for each law of each component.

    Parameters
    ----------
    brought : Registry, plugin, component, or sequence of components
        A plugin is the module or object that its entry point names. Families are taken with their default parameters;
        give components with others yourself: ``[my_metric(beta=1), my_metric(beta=2)]``.
    leave_out : mapping of str to iterable of str
        For the name of a component, the laws that it is known to break.
    kinds : mapping of type to BatchKind
        In place of the registered kinds.
    tries : int
        How many examples of each law.
    """
    import pytest

    components = components_of(brought)
    if not components:
        name = getattr(brought, "__name__", brought)
        raise DataError(f"{name} brings no component that has laws", remedy="bring some by its hooks, or give some")
    checks = [
        check
        for component in components
        for check in checks_of(
            component,
            leave_out=leave_out.get(component.name, ()),
            kind=kinds.get(component.kind) if isinstance(component, (Metric, Attack)) else None,
            tries=tries,
        )
    ]
    return typing.cast("Callable[[Any], Any]", pytest.mark.parametrize("check", checks, ids=str))


def components_of(brought: Any) -> list[Component]:
    """Return the components that have laws, of a registry, a plugin, or a sequence; families with their defaults."""
    if isinstance(brought, Registry):
        return [component for kind in LAWS for component in brought.all(kind)]
    if isinstance(brought, (Component, Parametric)):
        found: Sequence[Any] = [brought]
    elif isinstance(brought, Sequence):
        found = brought
    else:
        hooks: list[Any] = [getattr(brought, hook, None) for hook in COMPONENT_HOOKS]
        found = [component for hook in hooks if hook is not None for component in hook()]
    made: list[Any] = [one() if isinstance(one, Parametric) else one for one in found]
    lawful = tuple(LAWS)
    return [one for one in made if isinstance(one, lawful)]
