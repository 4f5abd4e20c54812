"""Gates: whether a metric can be gamed further than a number allows, or than its author declared.

A gate compares the interval of an index, not the index: it fails where the lower end is above the bound, and is not
determined where the bound lies within the interval.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from qeframe.core.batch import Batch
from qeframe.core.display import Brief
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Attack, Metric
from qeframe.core.registry import Registry
from qeframe.core.runner import Runner
from qeframe.core.task import Task
from qeframe.gaming.audit import AuditedMetric, audit
from qeframe.gaming.audit_gold import has_generated_gold, within_knowledge
from qeframe.gaming.indices import COUNTING, Attacked
from qeframe.gaming.many_golds import GoldPlan, measured_index
from qeframe.gaming.one_gold import Variant

UNDECLARED = 0.05
"""The index up to which an attack need not be declared."""
_ROUNDING = 1e-9
_RECORDED = 3
"""The decimals of a recorded index."""
_RECORDED_GOLDS = 2
_MORE = 0.005
"""A metric is easier to game if its recorded index has grown by more; of an index above 1, by more than this share."""


@frozen(kw_only=True)
class Gate:
    """Whether a metric passes.

    `what`: the attacks that gain too much, or may do so; empty if it is kept. `attacks`: how many attacks were tried.
    """

    metric: str
    outcome: Literal["kept", "broken", "not determined"]
    what: str = ""
    attacks: int = 0

    def fails(self, *, strict: bool = False) -> bool:
        """Return whether it fails; with `strict` also where it is not determined."""
        return self.outcome == "broken" or (strict and self.outcome == "not determined")


def _compared(low: float, high: float, bound: float) -> Literal["kept", "broken", "not determined"]:
    if low > bound + _ROUNDING:
        return "broken"
    return "kept" if high <= bound + _ROUNDING else "not determined"


def _told(index: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{index:.3f}, 95 % interval {low:.3f} to {high:.3f}"


_NOTHING = "no blind or cosmetic attack could be measured on it"


def index_gate(audited: AuditedMetric, above: float) -> Gate:
    """Return whether the gaming index of a metric is at most a number, whatever the metric declares."""
    name, tried = audited.metric, len(audited.attacks) + len(audited.finds)
    if math.isnan(audited.gaming_index):
        return Gate(metric=name, outcome="not determined", what=_NOTHING, attacks=tried)
    outcome = _compared(*audited.interval, above)
    if outcome == "kept" and not audited.determined:
        outcome = "not determined"
    by = f" by the attack {audited.worst.attack}" if audited.worst else ""
    what = f"the gaming index is {_told(audited.gaming_index, audited.interval)}{by}, and {above:g} is allowed"
    return Gate(metric=name, outcome=outcome, what="" if outcome == "kept" else what, attacks=tried)


def audited_for_gate(
    metric: Metric, registry: Registry | None = None, *, attacks: Sequence[str | Attack] = (), seed: int = 0
) -> AuditedMetric | None:
    """Return the audit of one metric on generated gold; None if its kind of batch has no gold to attack."""
    try:
        (audited,) = audit([metric], attacks=attacks, claims=False, seed=seed, registry=registry).metrics
    except (DataError, CapabilityError):
        if attacks:
            raise
        return None
    return audited


def declared_gate(
    metric: Metric, registry: Registry | None = None, *, attacks: Sequence[str | Attack] = (), seed: int = 0
) -> Gate:
    """Return whether a metric can be gamed no further than it declares by its `claims` and `known_weaknesses`."""
    audited = audited_for_gate(metric, registry, attacks=attacks, seed=seed)
    tried = [a for a in audited.attacks if a.counts and not math.isnan(a.index)] if audited else []
    if audited is None or not tried:
        return Gate(metric=metric.name, outcome="not determined", what=_NOTHING)
    lines_of: dict[str, list[str]] = {"kept": [], "broken": [], "not determined": []}
    for attacked in sorted(tried, key=lambda item: -item.index):
        names = (attacked.attack, attacked.attack.partition("(")[0], attacked.kind)
        declared = next((metric.known_weaknesses[name] for name in names if name in metric.known_weaknesses), None)
        bound = UNDECLARED if declared is None else declared
        allowed = f"{bound:g} {'is allowed undeclared' if declared is None else 'is declared'}"
        what = f"the attack {attacked.attack} has the index {_told(attacked.index, attacked.interval)}, and {allowed}"
        lines_of[_compared(*attacked.interval, bound)].append(what)
    if not attacks:
        measured = {name for a in audited.attacks for name in (a.attack, a.attack.partition("(")[0], a.kind)}
        absent = sorted(set(metric.known_weaknesses) - measured)
        lines_of["broken"] += [f"it declares '{name}', and no attack of that name fits it" for name in absent]
    refuted = [case for case in audited.counterexamples if case["claim"] in metric.claims]
    lines_of["broken"] += [f"it claims '{case['claim']}', and {case['what']}" for case in refuted]
    outcome: Any = next((item for item in ("broken", "not determined") if lines_of[item]), "kept")
    told = lines_of["broken"] or lines_of["not determined"]
    return Gate(metric=metric.name, outcome=outcome, what="; ".join(told), attacks=len(tried))


def gaming_records(metrics: Sequence[Metric], registry: Registry) -> dict[str, dict[str, Any]]:
    """Return how far metrics can be gamed on the same two generated golds, by name.

    All attacks are tried with all settings. So few golds make an index that is coarse, and cheap; two records differ by
    what the code changed alone, since golds and draws are the same.

    Returns
    -------
    dict
        For each manner, blind or cosmetic, the largest ``index``, rounded, and ``by`` which attack; empty for a metric
        without an index.
    """
    records: dict[str, dict[str, Any]] = {metric.name: {} for metric in metrics}
    kinds: dict[type[Batch], dict[str, Metric]] = {}
    for metric in metrics:
        kinds.setdefault(metric.kind, {})[metric.name] = metric
    for kind, named in kinds.items():
        if not has_generated_gold(kind):
            continue
        attacks = [a for a in registry.all(Attack) if a.manner in COUNTING and a.changes_all_of(kind)]
        kept, _ = within_knowledge(attacks, [kind], 0, must=False)
        variants = [Variant(attack, setting) for attack in kept for setting in attack.settings or ("",)]
        wanted = dict.fromkeys(named, variants)
        measured = GoldPlan(kind, named).rows("recorded", range(_RECORDED_GOLDS), wanted, Runner())
        for (name, variant), rows in measured.items():
            index = round(measured_index(rows)[0], _RECORDED) + 0.0
            record, manner = records[name], variant.attack.manner
            if not math.isnan(index) and (manner not in record or index > record[manner]["index"]):
                record[manner] = {"index": index, "by": variant.name}
    return {name: dict(sorted(record.items())) for name, record in records.items()}


def easier_to_game(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return in words how a metric has become easier to game since a record; empty if it has not."""
    for manner in sorted(after):
        new, old = after[manner], before.get(manner)
        if old is None:
            return f"its {manner} gaming index {new['index']:.3f} is not recorded: 'qeframe lock --gaming' records it"
        if new["index"] > old["index"] + _MORE * max(1.0, abs(old["index"])):
            rise = f"the index {old['index']:.3f} became {new['index']:.3f}"
            return f"it is easier to game: {rise}, by the {manner} attack {new['by']}"
    return ""


_AS_GOOD = 2.0
"""Attacks are as good as the best one if their indices differ by no more than this many standard errors."""


@frozen(kw_only=True, repr=False)
class Gamed(Brief):
    """How far a metric can be gamed on given tasks.

    Parameters
    ----------
    index, low, high : float
        The gaming index with its interval of 95 %.
    attacks : tuple of str
        The blind and cosmetic attacks that are as good as the best one, up to the errors of their indices, by name;
        none if the interval holds 0.
    blind : bool
        Whether one of them is blind: worthless answers. Cosmetic ones transform the best submission.
    rank : int or None
        The best rank that a blind one would take among the submissions. None without a blind one: what transforms the
        best submission ranks where that ranks.
    submissions : int
    """

    index: float
    low: float
    high: float
    attacks: tuple[str, ...] = ()
    blind: bool = False
    rank: int | None = None
    submissions: int = 0


def gamed_on_tasks(
    metric: str | Metric,
    tasks: Sequence[Task],
    *,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Gamed | None:
    """Return how far a metric can be gamed on tasks; None if it has no gold that an attack is measured by there."""
    try:
        (audited,) = audit([metric], list(tasks), claims=False, seed=seed, registry=registry, runner=runner).metrics
    except (CapabilityError, DataError):
        return None
    if math.isnan(audited.gaming_index):
        return None
    low, high = audited.interval
    best = audited.worst
    alike = [] if best is None or low <= 0 else [a for a in audited.attacks if a.counts and _as_good(a, best)]
    blind = [attacked for attacked in alike if attacked.kind == "blind"]
    return Gamed(
        index=audited.gaming_index,
        low=low,
        high=high,
        attacks=tuple(sorted(attacked.attack for attacked in alike)),
        blind=bool(blind),
        rank=min((attacked.rank for attacked in blind if attacked.rank is not None), default=None),
        submissions=len({submission.name for task in tasks for submission in task.batches}),
    )


def _as_good(attacked: Attacked, best: Attacked) -> bool:
    return best.index - attacked.index <= _AS_GOOD * math.hypot(attacked.error, best.error)
