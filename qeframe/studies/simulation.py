"""Data sets of real answers that are exchanged at random, and shares of them with their simulation error."""

import hashlib
import math
from collections.abc import Sequence

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batches.base import Batch
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask

_RUNS_AT_ONCE = 20
"""How many data sets one piece of work draws: enough that its overhead is small, few enough to show progress."""


@frozen
class Share:
    """A share of simulated data sets.

    `value`: NaN without a data set.
    `error`: the standard error of the simulation: sqrt(p (1 - p) / runs), 0 for a share of 0 or 1, where it says
      nothing; with `truth`, the root of the sum of both squares.
    `runs`: the number of data sets.
    `truth`: what the error of an estimated true score adds to the error of a coverage; 0 if the true score is known.
    """

    value: float
    error: float
    runs: int = 0
    truth: float = 0.0

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return Wilson's interval of the true share, which has a width also at 0 and 1; NaN without a data set.

        The error of an estimated true score widens it: each half becomes the root of its square and that of z `truth`.

        References
        ----------
        Wilson (1927), Probable inference, the law of succession, and statistical inference; Brown, Cai and DasGupta
        (2001), Interval estimation for a binomial proportion; Zou and Donner (2008), Construction of confidence limits
        about effect measures.
        """
        from scipy.special import ndtri

        if not self.runs:
            return math.nan, math.nan
        z = float(ndtri((1 + confidence) / 2))
        z2 = z**2 / self.runs
        middle = (self.value + z2 / 2) / (1 + z2)
        half = math.sqrt(z2 * (self.value * (1 - self.value) + z2 / 4)) / (1 + z2)
        low, high = (math.hypot(self.value - end, z * self.truth) for end in (middle - half, middle + half))
        return max(0.0, self.value - low), min(1.0, self.value + high)


def share_of(count: float, runs: int, truth: float = 0.0) -> Share:
    """Return the share of runs, with its simulation error and what an estimated true score adds to it."""
    if not runs:
        return Share(math.nan, math.nan)
    value = count / runs
    return Share(value, math.hypot(math.sqrt(value * (1 - value) / runs), truth), runs, truth)


@frozen(kw_only=True)
class ExchangedAnswers:
    """Units of real data, in which two submissions exchange their answers at random: both are equally good.

    Units are drawn with replacement. Each data set has two submissions, chosen at random.
    """

    name: str
    batches: tuple[Batch, ...]

    def draw(self, rng: np.random.Generator, units: int) -> tuple[Batch, ...]:
        """Return two submissions on the same units."""
        taken, ids = rng.integers(len(self.batches[0]), size=units), np.arange(units)
        chosen = rng.choice(len(self.batches), size=2, replace=False)
        one, other = (attrs.evolve(self.batches[i].take(taken), ids=ids) for i in chosen)
        return one.swap_answers(other, rng.integers(0, 2, size=units) == 1)


def exchanged_answers(batches: Sequence[Batch], name: str) -> ExchangedAnswers:
    """Return exchanged answers of submissions on the same units.

    Raises DataError if there are fewer than two submissions.
    """
    if len(batches) < 2:
        raise DataError(f"{name}: answers of fewer than two submissions cannot be exchanged")
    return ExchangedAnswers(name=name, batches=tuple(batches))


@frozen(kw_only=True)
class Simulation:
    """What is simulated: two submissions under a metric.

    `units`: the number of units of a data set, at least 2.
    `runs`: the number of data sets.
    """

    metric: Metric
    null: ExchangedAnswers
    units: int
    runs: int
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        if self.units < 2 or self.runs < 1:
            raise DataError("a simulation needs at least 2 units and 1 run")

    @property
    def parts(self) -> list[range]:
        """The numbers of the data sets in pieces of work."""
        return [range(start, min(start + _RUNS_AT_ONCE, self.runs)) for start in range(0, self.runs, _RUNS_AT_ONCE)]

    def comparable(self, number: int) -> ComparableInTask:
        """Return one data set as the input of a test; its pair is in the order of the submissions."""
        digest = hashlib.sha256(f"{self.null.name}|{self.units}|2".encode()).digest()
        rng = np.random.default_rng([self.seed, number, int.from_bytes(digest[:8], "big")])
        batches = self.null.draw(rng, self.units)
        task = ScoredTask(metrics=(self.metric,), batches=batches, key=(self.seed, number))
        return ComparableInTask(task, as_given=True)
