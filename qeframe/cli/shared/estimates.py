"""Estimates before long work: ``qeframe run --dry-run``, and the line that a long run begins with."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

import qeframe
from qeframe.cli.shared.json_lines import write_json, write_line
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import counted
from qeframe.execution.announced import LONG, announcement, duration, processors, rules_with_draws

if TYPE_CHECKING:
    from qeframe.execution.estimates import Estimate, Probe


def announce(
    profile: qeframe.Profile, tasks: Sequence[qeframe.Task], evaluate: Callable[..., qeframe.Evaluation], workers: int
) -> float | None:
    """Say on standard error how long an evaluation takes, if it is long; return the seconds."""
    announced = announcement(
        evaluate,
        rules_with_draws(profile),
        (batch for task in tasks for batch in task.batches.values()),
        workers=workers,
        more=lambda estimated: _near_alpha(profile, tasks, estimated, min(workers, processors())),
    )
    if announced is None:
        return None
    say(f"{announced.text}; 'qeframe run --dry-run' says how to make it shorter")
    return announced.seconds


def dry_run(
    profile: qeframe.Profile,
    tasks: Sequence[qeframe.Task],
    evaluate: Callable[..., qeframe.Evaluation],
    *,
    probe: Probe,
    workers: int,
    shards: int,
    as_json: bool,
    as_lines: bool = False,
) -> None:
    """Print what an evaluation takes, on standard output.

    `evaluate`: evaluates the tasks by a runner.
    `probe`: what was used while the tasks were read.
    `as_json`, `as_lines`: print JSON, or one record on one line, instead of text.
    """
    from qeframe.execution.estimates import estimate

    once = max(0.0, time.process_time() - probe.spent)  # start and reading; nothing else was done in this process
    estimated = estimate(evaluate, probe)
    if as_json or as_lines:
        record = _record(profile, tasks, estimated, once, workers, shards)
        if as_lines:
            write_line("estimate", record)
        else:
            write_json(record)
        return
    for line in _lines(profile, tasks, estimated, once, workers, shards):
        click.echo(line)


def _near_alpha(profile: qeframe.Profile, tasks: Sequence[qeframe.Task], estimate: Estimate, workers: int) -> float:
    """Return how many seconds more the draws of families with an adjusted p near alpha take at most; 0 if none do.

    They are drawn where all blocks are known: not by shards, but by the merge.
    """
    import attrs

    from qeframe.core.evaluation.run import may_draw_on
    from qeframe.core.profiles.resolved import resolve

    resolved = resolve(profile, qeframe.load(), reads=False)
    first, _, more = attrs.evolve(resolved, adaptive=may_draw_on(resolved, tasks)).draws.partition("+")
    if not more:
        return 0.0
    steps = [estimate.of(what) for what in ("draws", "exchanges")]
    return sum(int(more) / int(first) * step.seconds / min(workers, max(1, step.blocks)) for step in steps)


def _record(
    profile: qeframe.Profile, tasks: Sequence[qeframe.Task], estimate: Estimate, once: float, workers: int, shards: int
) -> dict[str, Any]:
    sorts = {what: estimate.of(what) for what in ("scores", "draws", "exchanges")}
    return {
        "profile": profile.name,
        "tasks": [{"name": task.name, "units": task.units, "submissions": len(task.batches)} for task in tasks],
        "rules": rules_with_draws(profile),
        "steps": {
            what: {"draws": step.draws, "blocks": step.blocks, "seconds": step.seconds} for what, step in sorts.items()
        },
        "seconds": once + estimate.seconds(min(workers, processors()), shards),
        "seconds_near_alpha": _near_alpha(profile, tasks, estimate, min(workers, processors())),
        "megabytes": None if math.isnan(estimate.memory) else estimate.memory,
    }


def _lines(
    profile: qeframe.Profile, tasks: Sequence[qeframe.Task], estimate: Estimate, once: float, workers: int, shards: int
) -> Iterator[str]:
    from qeframe.core.profiles.assemblers import rules_of_parts

    submissions = {submission.name for task in tasks for submission in task.batches}
    cells = sum(task.units * len(task.batches) for task in tasks)
    parts = len(rules_of_parts(profile, qeframe.load()))
    metrics = counted(len(profile.secondary) + 1, "metric") if not parts else counted(parts, "rule") + " of parts"
    yield (
        f"{profile.name}: {counted(len(tasks), 'task')}, {counted(len(submissions), 'submission')}, "
        f"{metrics}, {cells:,} answers"
    )
    for rule in rules_with_draws(profile):
        yield f"  rule {rule}"
    yield f"  start and reading      {duration(once):>8}"
    for what, name in (("scores", "metrics of texts"), ("draws", "draws"), ("exchanges", "exchanges")):
        step = estimate.of(what)
        if step.blocks:
            size = f"{step.draws:,} in {counted(step.blocks, 'block')}" if step.draws else counted(step.blocks, "block")
            yield f"  {name:<22} {duration(step.seconds):>8}   {size}"
    yield f"  scores, ranks and else {duration(estimate.rest):>8}"
    used = min(workers, processors())
    whole = once + estimate.seconds(used, shards)
    of_each = "" if shards == 1 else f" for each of {shards} shards"
    memory = "" if math.isnan(estimate.memory) else f", {estimate.memory:.0f} MB"
    yield f"  in all            about {duration(whole):>8}{of_each}{memory}"
    if more := _near_alpha(profile, tasks, estimate, used):
        where = "" if shards == 1 else ", in the merge"
        yield f"  near alpha      up to {duration(more):>8} more{where}, for families that draw on"
    yield from _shorter(profile, estimate, once, whole, used, shards)


def _shorter(
    profile: qeframe.Profile, estimate: Estimate, once: float, whole: float, workers: int, shards: int
) -> Iterator[str]:
    """Yield what makes an evaluation shorter by a tenth or more, and what it then takes."""
    several = estimate.seconds(processors(), shards) + once
    if workers < processors() and several < 0.9 * whole:
        yield f"  shorter: --workers {processors()}, about {duration(several)} at best"
    drawn = estimate.of("draws").seconds + estimate.of("exchanges").seconds
    fewer = whole - 0.9 * drawn / max(1, workers * shards)
    if rules_with_draws(profile) and fewer < 0.9 * whole:
        yield f"  shorter: a tenth of the draws by --set, about {duration(fewer)}; p and intervals are less exact"
    parts = estimate.seconds(workers, 4 * shards) + once
    if whole > LONG and parts < 0.9 * whole:
        yield f"  shorter: {4 * shards} machines with --shard I/{4 * shards}, about {duration(parts)} each"
