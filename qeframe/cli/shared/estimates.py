"""Estimates before long work: ``qeframe run --dry-run``, and the line that a long run begins with."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from qeframe.core.evaluation.result import Evaluation
    from qeframe.core.profiles.schema import Profile
    from qeframe.core.tasks.task import Task
    from qeframe.execution.estimates import Estimate, Probe

LONG = 30.0
"""Seconds: a run that should take longer says so before it starts."""
_PATIENCE = 5.0
"""Seconds of processor time after which the probe of a run that was not asked for an estimate ends."""


def duration(seconds: float) -> str:
    """Return a duration in words, rounded to what an estimate can promise: "0.4 s", "12 s", "3 min", "5.5 h"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86400:.0f} days"


def announce(
    profile: Profile, tasks: Sequence[Task], evaluate: Callable[..., Evaluation], workers: int
) -> float | None:
    """Say on standard error how long an evaluation takes, if it is long; return the seconds.

    An evaluation whose size lets expect less than half a minute is not probed: it returns None. So does a probe that
    fails: the evaluation itself says what is wrong, if it fails too.
    """
    from qeframe.execution.estimates import Probe, estimate, expected_seconds

    if expected_seconds(rules_with_draws(profile), tasks) < LONG:
        return None
    try:
        estimated = estimate(evaluate, Probe(_PATIENCE))
    except Exception:
        return None
    seconds = estimated.seconds(min(workers, _processors()))
    if seconds < LONG and estimated.complete:
        return None
    most = "about" if estimated.complete else "more than"
    longest = seconds + _near_alpha(profile, estimated, min(workers, _processors()))
    more = f", up to {duration(longest)} where p is near alpha," if longest > seconds else ""
    what = f"this takes {most} {duration(seconds)}{more} and {estimated.memory:.0f} MB"
    click.echo(f"qeframe: {what}; 'qeframe run --dry-run' says how to make it shorter", err=True)
    return seconds if estimated.complete else None


def dry_run(
    profile: Profile,
    tasks: Sequence[Task],
    evaluate: Callable[..., Evaluation],
    *,
    probe: Probe,
    workers: int,
    shards: int,
    as_json: bool,
    as_lines: bool = False,
) -> None:
    """Print what an evaluation takes, on standard output.

    Parameters
    ----------
    profile : Profile
    tasks : sequence of Task
    evaluate : callable
        Evaluates the tasks by a runner.
    probe : Probe
        What was used while the tasks were read.
    workers, shards : int
    as_json, as_lines : bool
        Print JSON, or one record on one line, instead of text.
    """
    from qeframe.cli.shared.json_lines import write_line
    from qeframe.core.evaluation.canonical_json import canonical_json
    from qeframe.execution.estimates import estimate

    once = max(0.0, time.process_time() - probe.spent)  # start and reading; nothing else was done in this process
    estimated = estimate(evaluate, probe)
    if as_json or as_lines:
        record = _record(profile, tasks, estimated, once, workers, shards)
        if as_lines:
            write_line("estimate", record)
        else:
            click.echo(canonical_json(record), nl=False)
        return
    for line in _lines(profile, tasks, estimated, once, workers, shards):
        click.echo(line)


def rules_with_draws(profile: Profile) -> list[str]:
    """Return the rules of a profile whose parameter ``draws`` says how much is computed, each ``KEY=VALUE``."""
    from qeframe.core.components.loading.loader import load
    from qeframe.core.profiles.assemblers import rules_of_parts

    rules = {key: getattr(profile, key) for key in ("test", "interval", "correction")}
    named = [f"{key}={value}" for key, value in rules.items() if value and "draws=" in str(value)]
    parts = {part.test for part in rules_of_parts(profile, load()) if part.test and "draws=" in part.test}
    return [*named, *(f"test of parts={test}" for test in sorted(parts))]


def _near_alpha(profile: Profile, found: Estimate, workers: int) -> float:
    """Return how many seconds more the draws of families with an adjusted p near alpha take at most; 0 if none do.

    They are drawn where all blocks are known: not by shards, but by the merge.
    """
    from qeframe.core.components.loading.loader import load
    from qeframe.core.profiles.resolved import resolve

    first, _, more = resolve(profile, load(), reads=False).draws.partition("+")
    if not more:
        return 0.0
    steps = [found.of(what) for what in ("draws", "exchanges")]
    return sum(int(more) / int(first) * step.seconds / min(workers, max(1, step.blocks)) for step in steps)


def _record(
    profile: Profile, tasks: Sequence[Task], found: Estimate, once: float, workers: int, shards: int
) -> dict[str, Any]:
    sorts = {what: found.of(what) for what in ("scores", "draws", "exchanges")}
    return {
        "profile": profile.name,
        "tasks": [{"name": task.name, "units": task.units, "submissions": len(task.batches)} for task in tasks],
        "rules": rules_with_draws(profile),
        "steps": {
            what: {"draws": step.draws, "blocks": step.blocks, "seconds": step.seconds} for what, step in sorts.items()
        },
        "seconds": once + found.seconds(min(workers, _processors()), shards),
        "seconds_near_alpha": _near_alpha(profile, found, min(workers, _processors())),
        "megabytes": None if math.isnan(found.memory) else found.memory,
    }


def _lines(
    profile: Profile, tasks: Sequence[Task], found: Estimate, once: float, workers: int, shards: int
) -> Iterator[str]:
    from qeframe.core.components.loading.loader import load
    from qeframe.core.errors import counted
    from qeframe.core.profiles.assemblers import rules_of_parts

    submissions = {submission.name for task in tasks for submission in task.batches}
    cells = sum(task.units * len(task.batches) for task in tasks)
    parts = len(rules_of_parts(profile, load()))
    metrics = counted(len(profile.secondary) + 1, "metric") if not parts else counted(parts, "rule") + " of parts"
    yield (
        f"{profile.name}: {counted(len(tasks), 'task')}, {counted(len(submissions), 'submission')}, "
        f"{metrics}, {cells:,} answers"
    )
    for rule in rules_with_draws(profile):
        yield f"  rule {rule}"
    yield f"  start and reading      {duration(once):>8}"
    for what, name in (("scores", "metrics of texts"), ("draws", "draws"), ("exchanges", "exchanges")):
        step = found.of(what)
        if step.blocks:
            size = f"{step.draws:,} in {counted(step.blocks, 'block')}" if step.draws else counted(step.blocks, "block")
            yield f"  {name:<22} {duration(step.seconds):>8}   {size}"
    yield f"  scores, ranks and else {duration(found.rest):>8}"
    used = min(workers, _processors())
    whole = once + found.seconds(used, shards)
    each = "" if shards == 1 else f" for each of {shards} shards"
    memory = "" if math.isnan(found.memory) else f", {found.memory:.0f} MB"
    yield f"  in all            about {duration(whole):>8}{each}{memory}"
    if more := _near_alpha(profile, found, used):
        where = "" if shards == 1 else ", in the merge"
        yield f"  near alpha      up to {duration(more):>8} more{where}, for families that draw on"
    yield from _shorter(profile, found, once, whole, used, shards)


def _shorter(profile: Profile, found: Estimate, once: float, whole: float, workers: int, shards: int) -> Iterator[str]:
    """Yield what makes an evaluation shorter by a tenth or more, and what it then takes."""
    several = found.seconds(_processors(), shards) + once
    if workers < _processors() and several < 0.9 * whole:
        yield f"  shorter: --workers {_processors()}, about {duration(several)} at best"
    drawn = found.of("draws").seconds + found.of("exchanges").seconds
    fewer = whole - 0.9 * drawn / max(1, workers * shards)
    if rules_with_draws(profile) and fewer < 0.9 * whole:
        yield f"  shorter: a tenth of the draws by --set, about {duration(fewer)}; p and intervals are less exact"
    parts = found.seconds(workers, 4 * shards) + once
    if whole > LONG and parts < 0.9 * whole:
        yield f"  shorter: {4 * shards} machines with --shard I/{4 * shards}, about {duration(parts)} each"


def _processors() -> int:
    return os.cpu_count() or 1
