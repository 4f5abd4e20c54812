"""Gates in test files: a test fails if a metric can be gamed further than is allowed.

The attacks are tried by `qeframe.gaming`, which is above this package: it is imported by its name, on first use.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from attrs import frozen

from qeframe.core.component import Component
from qeframe.core.errors import DataError, PluginError
from qeframe.core.metric import CLAIMS, Metric
from qeframe.core.registry import Registry
from qeframe.kinds.registered import find_kind
from qeframe.testing.failures import failure
from qeframe.testing.laws.checks import components_of, in_short
from qeframe.testing.laws.claim import CLAIM_LAWS


def gaming_gate() -> Any:
    """Return the module that measures how far a metric can be gamed."""
    return import_module("qeframe.gaming.gaming_gate")


def check_gaming(
    metric: Metric | Any,
    *,
    above: float | None = None,
    attacks: Sequence[Any] = (),
    strict: bool = False,
    seed: int = 0,
    registry: Registry | None = None,
) -> None:
    """Hold a metric to what it declares of gaming: no attack gains more than its author knows.

    An attack may have a gaming index of .05, or what the metric declares for it in `known_weaknesses`. No attack may
    refute one of its `claims`. An attack fails the metric where the lower end of the 95 % interval of its index, which
    holds for all attacks on the metric at once, is above the bound.

    Parameters
    ----------
    metric : Metric, Parametric, function, or plugin
        A plugin is the module that its entry point names: each of its metrics is tried, with its default parameters;
        so is what a `Parametric` or a function returns. Anything without a metric is refused.
    above : float, optional
        The gaming index of the metric may be so large, whatever the metric declares.
    attacks : sequence of str or Attack
        By default all that are installed for its kind of batch.
    strict : bool
        Whether to fail too where the bound is within the interval.
    seed : int
        Of the generated gold.
    registry : Registry, optional
        Where the attacks come from; by default all installed plugins.

    Raises
    ------
    AssertionError
        Names the metric, the attack and its index; or what the metric returned that it must not.
    DataError
        If what is given brings no metric.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> from qeframe.testing import check_gaming
    >>> check_gaming(qeframe.load().get(Metric, "pearson"), attacks=["constant_median"])
    """
    __tracebackhide__ = True
    if not isinstance(metric, Metric):
        metrics = [brought for brought in components_of(metric, registry) if isinstance(brought, Metric)]
        if not metrics:
            remedy = "give a Metric, a Parametric, a function that returns one, or the module of the plugin"
            raise DataError(f"{in_short(metric)} brings no metric, so nothing can be tested", remedy=remedy)
        for brought in metrics:
            check_gaming(brought, above=above, attacks=attacks, strict=strict, seed=seed, registry=registry)
        return
    try:
        lines = _gamed(metric, above, attacks, strict, seed, registry)
    except PluginError as error:  # as where a score is out of bounds: the traceback would be that of the framework
        raise failure([f"Metric '{metric.name}' cannot be attacked", f"  {error}"]) from error
    if lines:
        raise failure(lines)


def _gamed(
    metric: Metric, above: float | None, attacks: Sequence[Any], strict: bool, seed: int, registry: Registry | None
) -> list[str]:
    """Return what a gate tells of a metric that fails; nothing if it passes."""
    gates = gaming_gate()
    if above is None:
        gate = gates.declared_gate(metric, registry, attacks=attacks, seed=seed)
        remedy = "change the metric, or declare a bound: known_weaknesses={ATTACK: INDEX}"
    else:
        audited = gates.audited_for_gate(metric, registry, attacks=attacks, seed=seed)
        if audited is None:
            raise DataError(f"metric '{metric.name}' cannot be attacked: its kind of batch has no gold")
        gate, remedy = gates.index_gate(audited, above), "change the metric, or allow more"
    if not gate.fails(strict=strict):
        return []
    verdict = "can be gamed" if gate.outcome == "broken" else "may be gamed, which is not determined"
    return [f"Metric '{metric.name}' {verdict}", *(f"  {reason}" for reason in gate.what.split("; ")), remedy]


def required_claims(claims: str | Iterable[str]) -> tuple[str, ...]:
    """Return the claims that a text names, separated by commas.

    Raises DataError for a claim that has no law.
    """
    names = claims.split(",") if isinstance(claims, str) else claims
    required = tuple(dict.fromkeys(name.strip() for name in names))
    for claim in required:
        if claim not in CLAIMS:
            raise DataError(f"there is no law for the claim '{claim}'", remedy=f"the claims are {', '.join(CLAIMS)}")
    return required


def check_required(metric: Metric, claim: str) -> None:
    """Raise an error if a metric does not make a claim that has a law for its kind of batch."""
    __tracebackhide__ = True
    kind = find_kind(metric.kind)
    has_law = any(law.name == claim and law.fits(kind) for law in CLAIM_LAWS) if kind else False
    if has_law and claim not in metric.claims:
        raise failure([f"Metric '{metric.name}' does not claim '{claim}', which is required"])


@frozen
class GateCheck:
    """One gate for one metric: call it."""

    component: Component
    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        """Raise an AssertionError if the metric fails."""
        __tracebackhide__ = True
        self.run()

    def __str__(self) -> str:
        return f"{self.component.name}-{self.name}"


def gates_asked(metric: Metric) -> list[GateCheck]:
    """Return the gates that the options of pytest ask for."""
    asked = getattr(sys.modules.get("qeframe.pytest_options"), "asked", {})
    strict = bool(asked.get("strict"))
    above, require = asked.get("fail_above"), asked.get("require")
    checks = []
    if above is not None:
        checks.append(GateCheck(metric, "fail-above", partial(check_gaming, metric, above=above, strict=strict)))
    if asked.get("fail_on_undeclared"):
        checks.append(GateCheck(metric, "fail-on-undeclared", partial(check_gaming, metric, strict=strict)))
    for claim in required_claims(require) if require else ():
        checks += [GateCheck(metric, f"require-{claim}", partial(check_required, metric, claim))]
    return checks
