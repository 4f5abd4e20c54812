"""The gaming audit: every attack on every metric, attacks found by search, and counterexamples to every claim."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.display import Drawn, canonical_json
from qeframe.core.draws import checked_seed
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.loader import load
from qeframe.core.metric import CLAIMS, Attack, Metric
from qeframe.core.registry import Registry
from qeframe.core.runner import Runner
from qeframe.gaming.audit_gold import Case, audit_golds_of, generate_gold, within_knowledge
from qeframe.gaming.given_gold import attack_on_given_gold
from qeframe.gaming.indices import Attacked, bounds_of, gaming_index, interval_of
from qeframe.gaming.many_golds import GoldPlan, attack_on_many_golds
from qeframe.gaming.search import TRIES, Searched, halves_of, search_spaces
from qeframe.kinds.registered import find_kind

_TRIES = 30
_CLEAR = 0.01
"""An index that refutes a claim is above this and above five standard errors."""
FORMAT = 1
"""Of the JSON. It grows when a key is removed or says something else; new keys do not change it."""
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
        if verdict.holds is False:
            refutation = {name: getattr(verdict, name) for name in ("claim", "what", "counterexample", "exploit")}
        else:
            refutation = _by_attack(verdict.claim, attacked)
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


def _by_attack(claim: str, attacked: Sequence[Attacked]) -> dict[str, Any]:
    """Return the most successful attack that refutes a claim beyond what sampling error explains, if there is one."""
    refuting = [a for a in attacked if a.refutes == claim and a.index > max(_CLEAR, 5 * a.error)]
    best = max(refuting, key=lambda a: a.index, default=None)
    if best is None:
        return {}
    name = f"{best.attack}({best.setting})" if best.setting else best.attack
    base = "the honest submission" if best.kind == "cosmetic" else "honest chance"
    return {
        "claim": claim,
        "what": f"the attack {name} scores {best.score:.3g}, {base} {best.base:.3g}",
        "counterexample": {"attack": best.attack, "setting": best.setting, "index": best.index, "error": best.error},
        "exploit": f"The attack knows: {best.knowledge}.",
    }


@frozen(kw_only=True, repr=False)
class AuditedMetric:
    """The result of an audit of one metric.

    `metric`: as the caller named it.
    `gaming_index`: the largest of 0 and all blind and cosmetic indices, finds included; NaN if nothing could be
      measured.
    `low`, `high`: the interval of 95 % of that largest index. It holds for all attacks at once.
    `determined`: whether the largest index is known: no attack that is not determined may be above it.
    `finds`: the attacks that a search found, measured on other gold than they were found on.
    `searched`: what was searched, also where nothing was found.
    `claims`: for each claim: whether the metric makes it (`claimed`), whether it `holds` (None if it was not tried, or
      its kind of batch has no such law), whether all cases were computed (`exact`), and how many were tried (`tries`).
    `counterexamples`: for each claim that does not hold: the `claim`, the error (`what`), the `counterexample`, and the
      `exploit`.
    """

    metric: str
    gaming_index: float
    low: float = np.nan
    high: float = np.nan
    determined: bool = True
    attacks: tuple[Attacked, ...]
    finds: tuple[Attacked, ...] = ()
    searched: tuple[Searched, ...] = ()
    claims: tuple[Mapping[str, Any], ...] = ()
    counterexamples: tuple[Mapping[str, Any], ...] = ()

    def __repr__(self) -> str:
        return f"<AuditedMetric {self.metric}: gaming index {self.gaming_index:.3f}>"

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the gaming index; the index itself without one."""
        return interval_of(self.gaming_index, self.low, self.high)

    @property
    def worst(self) -> Attacked | None:
        """The blind or cosmetic attack with the largest index; None if no index is above 0."""
        counted = [attacked for attacked in (*self.attacks, *self.finds) if attacked.counts and attacked.index > 0]
        return max(counted, key=lambda attacked: attacked.index, default=None)


@frozen(kw_only=True, repr=False)
class Audit(Drawn):
    """The frozen result of an audit.

    Parameters
    ----------
    gold : mapping
        The golds that the attacks were tried on, and the seed.
    metrics : tuple of AuditedMetric
        In the order of the caller.
    notes : tuple of str
        The metrics and claims that were left out, and why.

    Examples
    --------
    >>> import qeframe
    >>> audit = qeframe.audit("f1_bad", attacks=["all_bad"], claims=False)
    >>> [metric] = audit.metrics
    >>> round(metric.gaming_index, 2) > 0
    True
    """

    gold: Mapping[str, Any]
    metrics: tuple[AuditedMetric, ...]
    notes: tuple[str, ...] = field(default=())

    def to_json(self) -> str:
        """Return canonical JSON with the number of its format: equal inputs, plugins and seed give equal bytes."""
        return canonical_json({"format": FORMAT, "gold": self.gold, "metrics": self.metrics, "notes": self.notes})


def audit(
    metrics: str | Metric | Sequence[str | Metric] = (),
    gold: Any = None,
    *,
    attacks: Sequence[str | Attack] = (),
    claims: bool = True,
    search: bool = False,
    tries: int = TRIES,
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
        By default many generated golds of the metric's kind of batch.
    attacks : sequence of str or Attack
        By default all that the registry has for the kind of batch.
    claims : bool
        Whether to try the claims too. This needs ``qeframe[test]``; without it, a note states that they were not tried.
    search : bool
        Whether to search the spaces that attacks declare. Each find is measured on other gold than it was found on. A
        gold that is given is divided: one half is searched, the other half is what everything is measured on.
    tries : int
        How many points of each space a search tries at most.
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

    Examples
    --------
    >>> import qeframe
    >>> audit = qeframe.audit("mae", attacks=["constant_median"], claims=False)
    >>> audit.metrics[0].gaming_index > 0.2
    True
    """
    registry, seed = registry or load(), checked_seed(seed)
    runner = runner or Runner()
    asked = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    chosen = [registry.get(Attack, attack) for attack in attacks] or registry.all(Attack)
    by_name = {str(metric): registry.get(Metric, metric) for metric in (asked or registry.all(Metric))}
    cases, descriptions, notes = _cases(by_name, gold, seed, must=bool(asked))
    chosen, left_out = within_knowledge(chosen, [case.metric.kind for case in cases], seed, must=bool(attacks))
    notes += left_out
    searched: list[Searched] = []
    if search:
        halves = [[halves_of(each, seed) for each in case.golds] for case in cases]
        first, cases = (
            [attrs.evolve(case, golds=[pair[i] for pair in of]) for case, of in zip(cases, halves, strict=True)]
            for i in (0, 1)
        )
        names = [attack.name.partition("(")[0] for attack in chosen] if attacks or left_out else []
        searched, complete = search_spaces(first, registry, names=names, tries=tries, seed=seed, runner=runner)
        notes += [] if complete else [f"the search was interrupted: {len(searched)} searches were finished"]
    found = {case.name: [s for s in searched if s.metric == case.name] for case in cases}
    cases = [
        attrs.evolve(
            case,
            attacks=[
                *filter(case.fits, chosen),
                *(registry.get(Attack, space.found) for space in found[case.name] if space.found),
            ],
        )
        for case in cases
    ]
    attacked = attack_cases(cases, seed, runner)
    claim_tries = claim_search() if claims else None
    if claims:
        notes += _notes_on_claims(cases, claim_tries)
    results = []
    for case in cases:
        results.append(_audited(case, attacked[case.name], found[case.name], claim_tries))
        runner.on_progress(len(results), len(cases))
    return Audit(gold={"seed": seed, "sets": descriptions}, metrics=tuple(results), notes=tuple(notes))


def _cases(
    known: Mapping[str, Metric], gold: Any, seed: int, *, must: bool
) -> tuple[list[Case], dict[str, str], list[str]]:
    """Return a case for each metric, without attacks; the descriptions of all golds; and notes on what has none.

    Raises DataError, CapabilityError if a metric has no gold, and it must have one.
    """
    cases: list[Case] = []
    descriptions: dict[str, str] = {}
    notes: list[str] = []
    for name, metric in known.items():
        try:
            golds = [] if gold is None else audit_golds_of(gold, metric)
            set_name = f"generated {metric.kind.__name__}"
            if gold is None and set_name not in descriptions:
                descriptions[set_name] = generate_gold(metric.kind, seed).description
        except (DataError, CapabilityError) as error:
            if must:
                raise
            notes.append(f"{name} was left out: {error}")
            continue
        descriptions |= {each.name: each.description for each in golds}
        cases.append(Case(name=name, metric=metric, golds=golds))
    return cases, {name: text for name, text in descriptions.items() if text}, notes


def attack_cases(cases: Sequence[Case], seed: int, runner: Runner) -> dict[str, tuple[Attacked, ...]]:
    """Return by the name of each case what its attacks gain.

    Cases with given golds are tried one by one. Generated golds are made once for all cases on a kind of batch.
    """
    given = [case for case in cases if case.golds]
    results = runner.map(partial(attack_on_given_gold, seed=seed), given) if given else []
    attacked = {case.name: result for case, result in zip(given, results, strict=True)}
    for kind in dict.fromkeys(case.metric.kind for case in cases if not case.golds):
        same = [case for case in cases if not case.golds and case.metric.kind is kind]
        plan = GoldPlan(kind, {case.name: case.metric for case in same}, seed)
        attacked |= attack_on_many_golds(plan, {case.name: case.attacks for case in same}, runner=runner)
    return attacked


def _notes_on_claims(cases: Sequence[Case], search: ClaimSearch | None) -> list[str]:
    if search is None:
        return ['the claims were not tried: hypothesis is not installed; pip install "qeframe[test]"']
    return [
        f"the claims of {case.name} were not tried: {NO_STRATEGY}" for case in cases if not has_strategy(case.metric)
    ]


def _audited(
    case: Case, attacked: tuple[Attacked, ...], searched: Sequence[Searched], search: ClaimSearch | None
) -> AuditedMetric:
    claims, counterexamples = tried_claims(case.metric, attacked, search)
    low, high = bounds_of(attacked)
    at_fixed_settings = len(attacked) - sum(1 for space in searched if space.found)
    return AuditedMetric(
        metric=case.name,
        gaming_index=gaming_index(attacked),
        low=low,
        high=high,
        # every attack that could be the best one is determined
        determined=all(attack.determined or not attack.counts or attack.high < low for attack in attacked),
        attacks=attacked[:at_fixed_settings],
        finds=attacked[at_fixed_settings:],
        searched=tuple(searched),
        claims=claims,
        counterexamples=counterexamples,
    )
