"""The claims of an audited metric: what a search of counterexamples, or else an attack, refutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from qeframe.core.components.metric import CLAIMS, Metric
from qeframe.gaming.index import Attacked
from qeframe.kinds.registered import find_kind

_TRIES = 30
_CLEAR = 0.01
"""An index that refutes a claim is above this and above five standard errors."""
NO_STRATEGY = "the kind of its batches has no strategy"


def has_strategy(metric: Metric) -> bool:
    """Return whether the laws can be tried on the batches of a metric."""
    kind = find_kind(metric.kind)
    return kind is not None and kind.submissions is not None


ClaimSearch = Callable[[Metric], Sequence[Any]]


def claim_search() -> ClaimSearch | None:
    """Return the search for broken claims, None if what it needs is not installed."""
    try:
        from qeframe.testing.verdicts import verdicts_on
    except ImportError:
        return None
    return partial(verdicts_on, tries=_TRIES)


def tried_claims(
    metric: Metric, attacked: Sequence[Attacked], search: ClaimSearch | None
) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
    """Return the claims and what refutes them: a counterexample of the search, or else an attack."""
    search = search if has_strategy(metric) else None
    verdicts = search(metric) if search else [_Untried(claim, claim in metric.claims) for claim in CLAIMS]
    claims, broken = [], []
    for verdict in verdicts:
        refutation = _by_search(verdict) if verdict.holds is False else _by_attack(verdict.claim, attacked)
        holds = False if refutation else verdict.holds
        tried = {"exact": verdict.exact, "tries": verdict.tries}
        claims.append({"claim": verdict.claim, "claimed": verdict.claimed, "holds": holds, **tried})
        broken += [refutation] if refutation else []
    return tuple(claims), tuple(broken)


@frozen
class _Untried:
    """A claim that was not searched for counterexamples."""

    claim: str
    claimed: bool
    holds: bool | None = None
    exact: bool = False
    tries: int = 0


def _by_search(verdict: Any) -> dict[str, Any]:
    return {
        "claim": verdict.claim,
        "what": verdict.what,
        "counterexample": verdict.counterexample,
        "exploit": verdict.exploit,
    }


def _by_attack(claim: str, attacked: Sequence[Attacked]) -> dict[str, Any] | None:
    """Return the most successful attack that refutes a claim beyond what sampling error explains."""
    refuting = [a for a in attacked if a.refutes == claim and a.index > max(_CLEAR, 5 * a.error)]
    best = max(refuting, key=lambda a: a.index, default=None)
    if best is None:
        return None
    name = f"{best.attack}({best.setting})" if best.setting else best.attack
    worth = f"where {best.base:.3g} is honest and {best.perfect:.3g} perfect"
    return {
        "claim": claim,
        "what": f"the attack {name} scores {best.score:.3g}, {worth}",
        "counterexample": {"attack": best.attack, "setting": best.setting, "index": best.index, "error": best.error},
        "exploit": f"The attack knows: {best.knowledge}.",
    }
