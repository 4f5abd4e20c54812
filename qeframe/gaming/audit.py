"""The gaming audit: every attack on every metric, and every claim tried."""

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
from qeframe.gaming.audit_gold import AuditGold, audit_golds_of, generated_audit_gold
from qeframe.gaming.index import Attacked, attack_metric, gaming_index
from qeframe.resampling.parallel import Runner

__all__ = ["Audit", "AuditedMetric", "audit"]

_TRIES = 30
_CLEAR = 0.01
"""An index that refutes a claim is above this, and five standard errors."""


@frozen(kw_only=True)
class AuditedMetric:
    """What the audit found out about one metric.

    Parameters
    ----------
    metric : str
        As it was asked for.
    gaming_index : float
        The largest of 0 and all blind and cosmetic indices; NaN if nothing could be measured.
    attacks : tuple of Attacked
    claims : tuple of mapping
        For each claim: whether the metric makes it (`claimed`), whether it `holds` (None if it was not tried, or there
        is no such law for its kind of batch), whether all cases were computed (`exact`), and how many were tried.
    counterexamples : tuple of mapping
        For each claim that does not hold: `claim`, `what` is wrong, the `counterexample`, and the `exploit`.
    """

    metric: str
    gaming_index: float
    attacks: tuple[Attacked, ...]
    claims: tuple[Mapping[str, Any], ...] = ()
    counterexamples: tuple[Mapping[str, Any], ...] = ()

    @property
    def worst(self) -> Attacked | None:
        """The blind or cosmetic attack with the largest index, None if none gains anything."""
        counted = [attacked for attacked in self.attacks if attacked.counts and attacked.index > 0]
        return max(counted, key=lambda attacked: attacked.index, default=None)


@frozen(kw_only=True)
class Audit:
    """The frozen result of an audit.

    Parameters
    ----------
    gold : mapping
        What the attacks were tried on.
    metrics : tuple of AuditedMetric
        In the order in which they were asked for.
    notes : tuple of str
        What was left out, and why.
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
        With parameters if need be: ``"kendall(ties=wmt12)"``. By default all that the registry has for that gold.
    gold : Task, sequence of Task, Batch, or plain values, optional
        Tasks rank every attack among their real submissions, and cosmetic attacks transform the best of those. By
        default the generated gold of the metric's kind of batch.
    attacks : sequence of str or Attack
        By default all that the registry has for the kind of batch.
    claims : bool
        Whether the claims are tried, too; that needs ``qeframe[test]``, and is left out with a note without it.
    seed : int
        Of the generated gold and of everything that is drawn. The result does not depend on the runner.

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
    found = registry or load()
    asked = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    chosen = [found.get(Attack, attack) for attack in attacks] or found.all(Attack)
    known = {str(one): found.get(Metric, one) for one in (asked or found.all(Metric))}
    golds: dict[type[Batch], list[AuditGold]] = {}
    arenas: dict[str, list[AuditGold]] = {}
    notes: list[str] = []
    for name, metric in known.items():
        try:
            arenas[name] = _arenas(metric, gold, seed, golds)
        except (DataError, CapabilityError) as error:
            if asked:
                raise
            notes.append(f"{name} was left out: {error}")
    judge = _claim_search() if claims else None
    if claims and judge is None:
        notes.append('the claims were not tried: hypothesis is not installed; pip install "qeframe[test]"')
    work = partial(_attacked, known=known, arenas=arenas, attacks=chosen, seed=seed)
    attacked = (runner or Runner()).map(work, list(arenas))
    results = [_audited(name, known[name], found, judge) for name, found in zip(arenas, attacked, strict=True)]
    told = {arena.name: arena.told for of in arenas.values() for arena in of}
    return Audit(gold={"seed": seed, "sets": told}, metrics=tuple(results), notes=tuple(notes))


def _arenas(metric: Metric, gold: Any, seed: int, known: dict[type[Batch], list[AuditGold]]) -> list[AuditGold]:
    if gold is not None:
        return audit_golds_of(gold, metric)
    if metric.kind not in known:
        known[metric.kind] = [generated_audit_gold(metric.kind, seed)]
    return known[metric.kind]


Judge = Callable[[Metric], Sequence[Any]]


def _claim_search() -> Judge | None:
    """Return the search for broken claims, None if what it needs is not installed."""
    try:
        from qeframe.testing.laws.verdicts import verdicts_on
    except ImportError:
        return None
    return partial(verdicts_on, tries=_TRIES)


def _attacked(
    name: str,
    *,
    known: Mapping[str, Metric],
    arenas: Mapping[str, Sequence[AuditGold]],
    attacks: Sequence[Attack],
    seed: int,
) -> tuple[Attacked, ...]:
    return attack_metric(known[name], attacks, arenas[name], seed=seed)


def _audited(name: str, metric: Metric, attacked: tuple[Attacked, ...], judge: Judge | None) -> AuditedMetric:
    claims, counterexamples = _judged(metric, attacked, judge)
    return AuditedMetric(
        metric=name,
        gaming_index=gaming_index(attacked),
        attacks=attacked,
        claims=claims,
        counterexamples=counterexamples,
    )


def _judged(
    metric: Metric, attacked: Sequence[Attacked], judge: Judge | None
) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
    """Return what became of the claims: refuted by the search for a counterexample, or else by an attack."""
    verdicts = judge(metric) if judge else [_Untried(claim, claim in metric.claims) for claim in CLAIMS]
    claims, broken = [], []
    for verdict in verdicts:
        found = _by_search(verdict) if verdict.holds is False else _by_attack(verdict.claim, attacked)
        holds = False if found else verdict.holds
        tried = {"exact": verdict.exact, "tries": verdict.tries}
        claims.append({"claim": verdict.claim, "claimed": verdict.claimed, "holds": holds, **tried})
        broken += [found] if found else []
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
    """Return the attack that refutes a claim, the most successful one: by more than chance in the gold explains."""
    refuting = [a for a in attacked if a.refutes == claim and a.index > max(_CLEAR, 5 * a.error)]
    best = max(refuting, key=lambda a: a.index, default=None)
    if best is None:
        return None
    told = f"{best.attack}({best.setting})" if best.setting else best.attack
    worth = f"where {best.base:.3g} is honest and {best.perfect:.3g} perfect"
    return {
        "claim": claim,
        "what": f"the attack {told} scores {best.score:.3g}, {worth}",
        "counterexample": {"attack": best.attack, "setting": best.setting, "index": best.index, "error": best.error},
        "exploit": f"The attack knows: {best.knowledge}.",
    }
