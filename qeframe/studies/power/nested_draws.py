"""The power in samples of other sizes, drawn from the units that there are: a check of power curves."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import attrs
import numpy as np
from attrs import frozen

from qeframe.assembly.scoreboard import Scoreboard, scoreboard_of
from qeframe.core.batch import FloatArray
from qeframe.core.draws import DrawBlock, Key, bootstrap_counts, draw_blocks
from qeframe.core.errors import DataError
from qeframe.core.profile import Profile
from qeframe.core.registry import Registry
from qeframe.core.resolve import resolve, with_names_of_tasks
from qeframe.core.runner import Runner
from qeframe.core.task import Task, check_task_names

Weighted = Callable[[FloatArray], FloatArray]


@frozen(kw_only=True)
class PowerInDraws:
    """The share of drawn samples in which the difference of a pair is large enough.

    Parameters
    ----------
    size : int
        How many units a sample has, over all tasks.
    power : float
        The share.
    error : float
        Its standard error from the number of draws.
    """

    size: int
    power: float
    error: float


def nested_scores(
    weighted: Weighted, sizes: Sequence[int], drawn: Sequence[int], *, draws: int, key: Key, runner: Runner
) -> FloatArray:
    """Return the oriented scores in samples that are drawn with replacement, (draws, S).

    `weighted`: from weights (b, n) to oriented scores (b, S); n is the sum of `sizes`.
    `sizes`: how many units each task has.
    `drawn`: how many units of each task a sample has.
    `key`: of the stream of draws.
    """
    # the number of draws in a block is bounded by the widest array of a task, and is the same for all tasks
    widest = max(sum(sizes), *drawn)
    streams = [list(draw_blocks((*key, nth), draws, widest)) for nth in range(len(sizes))]
    work = partial(_scores_of_blocks, weighted, tuple(sizes), tuple(drawn))
    return np.concatenate(runner.map(work, list(zip(*streams, strict=True))))


def _scores_of_blocks(
    weighted: Weighted, sizes: Sequence[int], drawn: Sequence[int], blocks: Sequence[DrawBlock]
) -> FloatArray:
    counts = [bootstrap_counts(block, units, size) for block, units, size in zip(blocks, sizes, drawn, strict=True)]
    return weighted(np.concatenate(counts, axis=1))


def share_above(differences: FloatArray, thresholds: FloatArray, size: int) -> list[PowerInDraws]:
    """Return the share of draws in which each difference exceeds its threshold.

    `differences` (draws, pairs): Undefined ones do not exceed anything.
    `thresholds` (pairs,).
    `size`: of the samples.
    """
    with np.errstate(invalid="ignore"):
        shares = (differences > thresholds).mean(axis=0)
    errors = [math.sqrt(share * (1 - share) / len(differences)) for share in shares]
    return [PowerInDraws(size=size, power=float(s), error=e) for s, e in zip(shares, errors, strict=True)]


def ranked_scoreboard(
    profile: Profile, tasks: Sequence[Task], registry: Registry, *, seed: int, runner: Runner
) -> Scoreboard:
    """Return the ranked submissions of tasks under the scores of a profile.

    Raises DataError if there is no submission, two tasks have one name, or a task set has no overall score.
    """
    check_task_names(tasks)
    honest = [task.only(lambda s: s.is_ranked) for task in tasks]
    resolved = resolve(profile, registry, reads=False)
    if profile.parts and profile.overall != "mean":
        what = f"the overall score of '{profile.name}' is a mean of cluster ranks, which has no standard error"
        raise DataError(what, remedy="run a profile with the metric of one part")
    resolved, _ = with_names_of_tasks(resolved, [task.name for task in tasks])
    scoreboard = scoreboard_of(attrs.evolve(resolved, test=None), honest, seed, runner)  # nothing is exchanged
    if scoreboard is None:
        raise DataError("there is no submission to compare", remedy="give a task with submissions")
    return scoreboard
