"""The checks of one component, or of all components of a plugin, for test files."""

import typing
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack, Metric, TiePolicy
from qeframe.core.ranking import Aggregation, RankingRule
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.testing.gates import GateCheck, gates_asked
from qeframe.testing.laws.checks import TRIES, C, Check, Given, checks_of, components_of, given_component, in_short


def _run(of_class: type[C], given: Given[C], **options: Any) -> None:
    __tracebackhide__ = True
    for check in checks_of(given_component(given, of_class), **options):
        check()


def check_metric(metric: Given[Metric], *, kind: BatchKind | None = None, tries: int = TRIES) -> None:
    """Hold a metric to its laws and to the claims it makes.

    The laws concern the order of units, whole weights and weights 0, subsets, shards, bounds, the degenerate value,
    stacked weights, stacked statistics, exchanges, `vectors`, `per_unit`, pickling, and every claim that it makes. A
    claim without a law for its kind of batch is refused.

    Parameters
    ----------
    metric : Metric, Parametric or function
        A `Parametric`, or a function that returns a metric, is tried with its defaults.
    kind : BatchKind, optional
        In place of the registered kind of its batches.
    tries : int
        How many examples of each law; a fifth of it for slow laws.

    Raises
    ------
    AssertionError
        Names the metric, the law, the smallest counterexample and, for a claim, how it would be exploited.
    DataError
        If anything else than a metric is given; so do the other functions.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> from qeframe.testing import check_metric
    >>> check_metric(qeframe.load().get(Metric, "mae"), tries=3)
    """
    __tracebackhide__ = True
    _run(Metric, metric, kind=kind, tries=tries)


def check_tie_policy(policy: Given[TiePolicy]) -> None:
    """Hold a tie policy to its laws, and to the claim `tie_neutral` if it makes it. All cases are computed.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import TiePolicy
    >>> from qeframe.testing import check_tie_policy
    >>> check_tie_policy(qeframe.load().get(TiePolicy, "wmt14"))
    """
    __tracebackhide__ = True
    _run(TiePolicy, policy)


def check_test(test: Given[SignificanceTest], *, tries: int = TRIES, costly: bool = False) -> None:
    """Hold a significance test to its laws.

    A test that needs `exchange` must enumerate all exchanges of six units: give it 64 draws or more.

    Parameters
    ----------
    tries : int
        How many examples of each law; a fifth of it for slow laws.
    costly : bool
        Whether to hold it to the law `size` too, which takes seconds: it compares equal submissions, and counts how
        often the test rejects.

    Raises
    ------
    AssertionError
        Names the test, the law and the smallest counterexample.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import SignificanceTest
    >>> from qeframe.testing import check_test
    >>> check_test(qeframe.load().get(SignificanceTest, "sign"), tries=2)
    """
    __tracebackhide__ = True
    _run(SignificanceTest, test, tries=tries, costly=costly)


def check_aggregation(aggregation: Given[Aggregation], *, tries: int = TRIES) -> None:
    """Hold an aggregation to its laws; see `check_metric`.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Aggregation
    >>> from qeframe.testing import check_aggregation
    >>> check_aggregation(qeframe.load().get(Aggregation, "mean"), tries=3)
    """
    __tracebackhide__ = True
    _run(Aggregation, aggregation, tries=tries)


def check_correction(correction: Given[Correction], *, tries: int = TRIES) -> None:
    """Hold a correction of p-values to its laws; see `check_metric`.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Correction
    >>> from qeframe.testing import check_correction
    >>> check_correction(qeframe.load().get(Correction, "holm"), tries=3)
    """
    __tracebackhide__ = True
    _run(Correction, correction, tries=tries)


def check_ranking_rule(rule: Given[RankingRule], *, tries: int = TRIES) -> None:
    """Hold a ranking rule to its laws; see `check_metric`.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import RankingRule
    >>> from qeframe.testing import check_ranking_rule
    >>> check_ranking_rule(qeframe.load().get(RankingRule, "clusters"), tries=3)
    """
    __tracebackhide__ = True
    _run(RankingRule, rule, tries=tries)


def check_attack(attack: Given[Attack], *, kind: BatchKind | None = None, tries: int = TRIES) -> None:
    """Hold an attack to its laws: it answers the same units, changes no gold, and uses only what its manner allows.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin.audit import Attack
    >>> from qeframe.testing import check_attack
    >>> check_attack(qeframe.load().get(Attack, "constant_median"), tries=3)
    """
    __tracebackhide__ = True
    _run(Attack, attack, kind=kind, tries=tries)


def parametrize_with_checks(
    brought: Any,
    *,
    kinds: Mapping[type[Any], BatchKind] = MappingProxyType({}),
    tries: int = TRIES,
    costly: bool = False,
) -> Callable[[Any], Any]:
    """Decorate a test function with one argument ``check``: it runs once for each law of each component.

    The options ``--qeframe-fail-on-undeclared``, ``--qeframe-fail-above`` and ``--qeframe-require`` of pytest add gates
    for each metric, see `check_gaming`.

    Parameters
    ----------
    brought : Registry, plugin, component, or sequence of components
        A plugin is the module or object that its entry point names. Families, and functions that return a component,
        are taken with their default parameters;
        give components with others yourself: ``[my_metric(beta=1), my_metric(beta=2)]``.
    kinds : mapping of type to BatchKind
        In place of the registered kinds.
    tries : int
        How many examples of each law.
    costly : bool
        Whether to try the law `size` of significance tests too.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import TiePolicy
    >>> from qeframe.testing import parametrize_with_checks
    >>> @parametrize_with_checks([qeframe.load().get(TiePolicy, "wmt14")])
    ... def test_laws(check):
    ...     check()
    """
    import pytest

    components = components_of(brought)
    if not components:
        raise DataError(
            f"{in_short(brought)} brings no component that has laws", remedy="bring some by its hooks, or give some"
        )
    checks: list[Check | GateCheck] = [
        check
        for component in components
        for check in checks_of(
            component,
            kind=kinds.get(component.kind) if isinstance(component, (Metric, Attack)) else None,
            tries=tries,
            costly=costly,
        )
    ]
    checks += [gate for component in components if isinstance(component, Metric) for gate in gates_asked(component)]
    return typing.cast("Callable[[Any], Any]", pytest.mark.parametrize("check", checks, ids=str))
