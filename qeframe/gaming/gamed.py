"""How far one metric can be gamed on given tasks: the index, the best attacks, and where they would rank."""

import math
from collections.abc import Sequence

from attrs import frozen

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.resampling.parallel import Runner
from qeframe.core.short_repr import Brief
from qeframe.core.tasks.task import Task
from qeframe.gaming.audit import audit
from qeframe.gaming.gaming_index import Attacked

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
    low, high = (audited.gaming_index if math.isnan(end) else end for end in (audited.low, audited.high))
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
