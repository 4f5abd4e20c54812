"""The gaming audit: every attack on every metric, and a search for counterexamples to every claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import field, frozen

from qeframe.batches.base import Batch
from qeframe.components.attack import Attack
from qeframe.components.loader import load
from qeframe.components.metric import CLAIMS, Metric
from qeframe.components.registry import Registry
from qeframe.errors import CapabilityError, DataError
from qeframe.evaluation.result import canonical_json
from qeframe.gaming.attacking import attack_metric
from qeframe.gaming.audit_gold import AuditGold, audit_golds_of, generated_audit_gold
from qeframe.gaming.index import Attacked, gaming_index
from qeframe.kinds.registered import find_kind
from qeframe.resampling.parallel import Runner

__all__ = ["Audit", "AuditedMetric", "audit"]

_TRIES = 30
_CLEAR = 0.01
"""An index that refutes a claim is above this and above five standard errors."""


@frozen(kw_only=True)
class AuditedMetric:
    """The result of an audit of one metric.

    Parameters
    ----------
    metric : str
        As the caller named it.
    gaming_index : float
        The largest of 0 and all blind and cosmetic indices; NaN if nothing could be measured.
    attacks : tuple of Attacked
    claims : tuple of mapping
        For each claim: whether the metric makes it (`claimed`), whether it `holds` (None if it was not tried, or its
        kind of batch has no such law), whether all cases were computed (`exact`), and how many were tried (`tries`).
    counterexamples : tuple of mapping
        For each claim that does not hold: the `claim`, the error (`what`), the `counterexample`, and the `exploit`.
    """

    metric: str
    gaming_index: float
    attacks: tuple[Attacked, ...]
    claims: tuple[Mapping[str, Any], ...] = ()
    counterexamples: tuple[Mapping[str, Any], ...] = ()

    @property
    def worst(self) -> Attacked | None:
        """The blind or cosmetic attack with the largest index; None if no index is above 0."""
        counted = [attacked for attacked in self.attacks if attacked.counts and attacked.index > 0]
        return max(counted, key=lambda attacked: attacked.index, default=None)


@frozen(kw_only=True)
class Audit:
    """The frozen result of an audit.

    Parameters
    ----------
    gold : mapping
        The golds that the attacks were tried on, and the seed.
    metrics : tuple of AuditedMetric
        In the order of the caller.
    notes : tuple of str
        The metrics and claims that were left out, and why.
    """

    gold: Mapping[str, Any]
    metrics: tuple[AuditedMetric, ...]
    notes: tuple[str, ...] = field(default=())

    def to_json(self) -> str:
        """Return canonical JSON: equal inputs, plugins and seed give equal bytes on one machine."""
        return canonical_json({"gold": self.gold, "metrics": self.metrics, "notes": self.notes})


def audit(
    metrics: str | Metric | Sequence[str | Metric] = (),
    gold: Any = None,
    *,
    attacks: Sequence[str | Attack] = (),
    claims: bool = True,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Audit:
    """Find out how far metrics can be gamed.

    Parameters
    ----------
    metrics : str, Metric or sequence of them
        A name may have parameters: ``"kendall(ties=wmt12)"``. By default all that the registry has for that gold.
    gold : Task, sequence of Task, Batch, or plain values, optional
        Given tasks, every attack is ranked among the real submissions, and cosmetic attacks transform the best of them.
        By default the generated gold of the metric's kind of batch.
    attacks : sequence of str or Attack
        By default all that the registry has for the kind of batch.
    claims : bool
        Whether to try the claims too. This needs ``qeframe[test]``; without it, a note states that they were not tried.
    seed : int
        The seed of the generated gold and of all draws. The result does not depend on the runner.

    Returns
    -------
    Audit

    Raises
    ------
    DataError
        If a metric that was asked for has no gold side, or another kind of batch than the gold.
    UnknownNameError
        If there is no such metric or attack.
    """
    registry = registry or load()
    asked = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    chosen = [registry.get(Attack, attack) for attack in attacks] or registry.all(Attack)
    known = {str(one): registry.get(Metric, one) for one in (asked or registry.all(Metric))}
    golds: dict[type[Batch], list[AuditGold]] = {}
    tried_on: dict[str, list[AuditGold]] = {}
    notes: list[str] = []
    for name, metric in known.items():
        try:
            tried_on[name] = _golds_for(metric, gold, seed, golds)
        except (DataError, CapabilityError) as error:
            if asked:
                raise
            notes.append(f"{name} was left out: {error}")
    search = _claim_search() if claims else None
    if search is not None:
        notes += [
            f"the claims of {name} were not tried: {_NO_STRATEGY}"
            for name in tried_on
            if not _has_strategy(known[name])
        ]
    if claims and search is None:
        notes.append('the claims were not tried: hypothesis is not installed; pip install "qeframe[test]"')
    work = partial(_attacked, known=known, golds=tried_on, attacks=chosen, seed=seed)
    attacked = (runner or Runner()).map(work, list(tried_on))
    results = [_audited(name, known[name], results, search) for name, results in zip(tried_on, attacked, strict=True)]
    descriptions = {each.name: each.description for golds_of_one in tried_on.values() for each in golds_of_one}
    return Audit(gold={"seed": seed, "sets": descriptions}, metrics=tuple(results), notes=tuple(notes))


def _golds_for(metric: Metric, gold: Any, seed: int, known: dict[type[Batch], list[AuditGold]]) -> list[AuditGold]:
    if gold is not None:
        return audit_golds_of(gold, metric)
    if metric.kind not in known:
        known[metric.kind] = [generated_audit_gold(metric.kind, seed)]
    return known[metric.kind]


_NO_STRATEGY = "the kind of its batches has no strategy"


def _has_strategy(metric: Metric) -> bool:
    """Return whether the laws can be tried on the batches of a metric."""
    kind = find_kind(metric.kind)
    return kind is not None and kind.submissions is not None


ClaimSearch = Callable[[Metric], Sequence[Any]]


def _claim_search() -> ClaimSearch | None:
    """Return the search for broken claims, None if what it needs is not installed."""
    try:
        from qeframe.testing.verdicts import verdicts_on
    except ImportError:
        return None
    return partial(verdicts_on, tries=_TRIES)


def _attacked(
    name: str,
    *,
    known: Mapping[str, Metric],
    golds: Mapping[str, Sequence[AuditGold]],
    attacks: Sequence[Attack],
    seed: int,
) -> tuple[Attacked, ...]:
    return attack_metric(known[name], attacks, golds[name], seed=seed)


def _audited(name: str, metric: Metric, attacked: tuple[Attacked, ...], search: ClaimSearch | None) -> AuditedMetric:
    claims, counterexamples = _tried_claims(metric, attacked, search)
    return AuditedMetric(
        metric=name,
        gaming_index=gaming_index(attacked),
        attacks=attacked,
        claims=claims,
        counterexamples=counterexamples,
    )


def _tried_claims(
    metric: Metric, attacked: Sequence[Attacked], search: ClaimSearch | None
) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
    """Return the claims and what refutes them: a counterexample of the search, or else an attack."""
    search = search if _has_strategy(metric) else None
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
