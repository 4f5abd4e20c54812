"""How often a test rejects a true null hypothesis: a share of data sets of exchanged answers."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from attrs import evolve, frozen

from qeframe.core.components.checks.significance import run
from qeframe.core.components.significance import Sided, SignificanceTest
from qeframe.core.resampling.parallel import Runner
from qeframe.studies.simulation import Share, Simulation, share_of


@frozen(kw_only=True)
class ErrorRate:
    """How often a test claims a difference between equal submissions.

    `rejected`: of the data sets in which p is defined. `undefined`: the share of the others.
    """

    rejected: Share
    undefined: float


def error_rate(
    test: SignificanceTest, simulation: Simulation, *, alpha: float, sided: Sided, leader: bool, runner: Runner
) -> ErrorRate:
    """Measure how often a test rejects a true null hypothesis.

    `alpha`: in (0, 1). A p-value that is not larger rejects.
    `leader`: whether the pairs are ordered by their scores, so that the data choose the direction of a one-sided test.
    `runner`: Runs the data sets and reports progress.
    """
    work = partial(_p_values, test, simulation, sided, leader)
    p = np.array([value for part in runner.imap(work, simulation.parts) for value in part])
    defined = p[~np.isnan(p)]
    rejected = share_of(float((defined <= alpha).sum()), len(defined))
    return ErrorRate(rejected=rejected, undefined=float(np.isnan(p).mean()) if p.size else math.nan)


def _p_values(
    test: SignificanceTest, simulation: Simulation, sided: Sided, leader: bool, numbers: Sequence[int]
) -> list[float]:
    """Return p of the first pair of each data set."""
    return [
        float(run(test, evolve(simulation.comparable(number), as_given=not leader), sided).p[0]) for number in numbers
    ]
