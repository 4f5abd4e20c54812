"""Wilcoxon's test in every task, combined by Stouffer: the human evaluation of 2024, whose tasks are domains."""

import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import Contest, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe_significance.t_and_wilcoxon import wilcoxon_of_pairs


def stouffer(p: ArrayLike) -> FloatArray:
    """Combine p-values of independent samples over the last axis: 1 - Phi(sum Phi^-1(1 - p) / sqrt(k)).

    `p` (..., k): NaN where there is no test; these are left out and not counted in k. Result: 1 if a p-value is 1: it
    weighs infinitely much. NaN without any p-value, or with both 0 and 1.

    References
    ----------
    Stouffer et al. (1949), The American Soldier.
    """
    from scipy.special import ndtr, ndtri

    p = np.asarray(p, dtype=np.float64)
    known = ~np.isnan(p)
    with np.errstate(invalid="ignore"):
        # -Phi^-1(p) for Phi^-1(1 - p), which would lose a small p; an unknown p takes .5 and is left out
        z = np.where(known, -ndtri(np.where(known, p, 0.5)), 0.0).sum(axis=-1)
    count = known.sum(axis=-1)
    return np.where(count > 0, ndtr(-z / np.sqrt(np.maximum(count, 1))), np.nan)


def _run(contest: Contest, sided: Sided) -> Pairwise:
    first, second = contest.pairs
    tasks = contest.by_task()
    p = np.full((len(first), len(tasks)), np.nan)
    for number, (task, positions) in enumerate(tasks):
        values, row = task.per_unit(), np.full(len(contest.oriented), -1)
        row[positions] = np.arange(len(positions))
        compared = np.flatnonzero((row[first] >= 0) & (row[second] >= 0))
        p[compared, number] = wilcoxon_of_pairs(values, row[first[compared]], row[second[compared]], sided)[1]
    return Pairwise(p=stouffer(p))


stouffer_wilcoxon = SignificanceTest(
    name="stouffer_wilcoxon",
    summary="Wilcoxon's signed ranks in every task, two-sided, combined by Stouffer without the directions",
    source="WMT24 general MT task, human evaluation",
    needs="per_unit",
    run=_run,
    null="exchangeable answers",
    sides=("two",),
    combines_tasks=True,
    measured="false-positive rate .05 to .06 at .05 in a single task; not measured over several",
)
"""Directions are lost: opposite differences in two tasks add up to one claim, for the system with the higher mean. One
task in which all differences are zero, p = 1, makes the whole p 1.
"""
