"""How long work takes, in a line that is said before it begins, if it takes long."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import frozen

from qeframe.core.components.loading.loader import load
from qeframe.core.profiles.assemblers import rules_of_parts
from qeframe.core.profiles.schema import Profile
from qeframe.execution.estimates import Estimate, Probe, estimate, expected_seconds

LONG = 30.0
"""Seconds: work that should take longer is announced before it begins."""
_PATIENCE = 5.0
"""Seconds of processor time after which the probe of work ends whose estimate was not asked for."""


@frozen
class Announcement:
    """What is said before long work, and how many seconds it takes; None where the probe did not go through it."""

    text: str
    seconds: float | None


def announcement(
    work: Callable[..., Any],
    rules: Sequence[str],
    batches: Iterable[Any],
    *,
    workers: int = 1,
    more: Callable[[Estimate], float] = lambda _: 0.0,
) -> Announcement | None:
    """Return how long work takes, if that is long.

    Work whose size lets expect less than half a minute is not probed: it has none. So has work whose probe fails: the
    work itself says what is wrong, if it fails too.

    `work`: Does the work by the ``runner`` that it is given.
    `rules`, `batches`: as in `expected_seconds`.
    `more`: Returns how many more seconds the work takes at most where p is near alpha.
    """
    if expected_seconds(rules, batches) < LONG:
        return None
    try:
        estimated = estimate(work, Probe(_PATIENCE))
    except Exception:
        return None
    seconds = estimated.seconds(min(workers, processors()))
    if seconds < LONG and estimated.complete:
        return None
    most = "about" if estimated.complete else "more than"
    longest = seconds + more(estimated)
    up_to = f", up to {duration(longest)} where p is near alpha," if longest > seconds else ""
    text = f"this takes {most} {duration(seconds)}{up_to} and {estimated.memory:.0f} MB"
    return Announcement(text, seconds if estimated.complete else None)


def duration(seconds: float) -> str:
    """Return a duration in words, rounded to what an estimate can promise: "0.4 s", "12 s", "3 min", "5.5 h"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86400:.0f} days"


def rules_with_draws(profile: Profile) -> list[str]:
    """Return the rules of a profile whose parameter ``draws`` says how much is computed, each ``KEY=VALUE``."""
    rules = {key: getattr(profile, key) for key in ("test", "interval", "correction")}
    named = [f"{key}={value}" for key, value in rules.items() if value and "draws=" in str(value)]
    parts = {part.test for part in rules_of_parts(profile, load()) if part.test and "draws=" in part.test}
    return [*named, *(f"test of parts={test}" for test in sorted(parts))]


def processors() -> int:
    """Return how many processors the machine has."""
    return os.cpu_count() or 1
