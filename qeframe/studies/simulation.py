"""Data sets under a null model, also one from real answers, and shares of them with their simulation error."""

import hashlib
import math
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import evolve, frozen

from qeframe.core.batches.base import Batch, FloatArray
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.extensions.null_model import NullModel
from qeframe.kinds.registered import kind_of

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
class Drawn:
    """The sizes of what is simulated.

    `units`: the number of units of a data set.
    `submissions`: at least 2.
    `runs`: the number of data sets.
    """

    null: NullModel
    units: int
    submissions: int = 2
    runs: int = 2000
    seed: int = 0
    at_once: ClassVar[int] = _RUNS_AT_ONCE

    @property
    def parts(self) -> list[range]:
        """The numbers of the data sets in pieces of work."""
        return [range(start, min(start + self.at_once, self.runs)) for start in range(0, self.runs, self.at_once)]

    def rng(self, number: int) -> np.random.Generator:
        """Return the generator of one data set: it depends on the null model, the sizes and its number alone."""
        digest = hashlib.sha256(f"{self.null.name}|{self.units}|{self.submissions}".encode()).digest()
        return np.random.default_rng([self.seed, number, int.from_bytes(digest[:8], "big")])


@frozen(kw_only=True)
class Simulation(Drawn):
    """What is simulated: submissions under a metric.

    `resample`: what is resampled and exchanged: "unit", or a grouping of the null model; "document/unit" draws within
      groups.
    """

    metric: Metric
    resample: str = "unit"

    def __attrs_post_init__(self) -> None:
        if not issubclass(self.null.kind, self.metric.kind):
            what = f"null model '{self.null.name}' draws {self.null.kind.__name__}"
            raise DataError(what, remedy=f"metric '{self.metric.name}' scores {self.metric.kind.__name__}")
        if self.null.equal_under and self.metric.name not in self.null.equal_under:
            what = f"under '{self.metric.name}' the submissions of null model '{self.null.name}' are not equal"
            raise DataError(what, remedy=f"choose a metric among {', '.join(sorted(self.null.equal_under))}")
        if self.units < 2 or self.submissions < 2 or self.runs < 1:
            raise DataError("a simulation needs at least 2 units, 2 submissions and 1 run")

    def batches(self, number: int) -> tuple[Batch, ...]:
        """Return the submissions of one data set."""
        return tuple(self.null.draw(self.rng(number), self.units, self.submissions))

    def comparable(self, number: int, batches: Sequence[Batch] | None = None) -> ComparableInTask:
        """Return one data set as the input of a test; its pairs are in the order of the submissions."""
        drawn = self.batches(number) if batches is None else tuple(batches)
        task = ScoredTask(
            metrics=(self.metric,),
            batches=drawn,
            key=(self.seed, number),
            groups=self.null.groups(self.units),
            resample=self.resample,
        )
        return ComparableInTask(task, as_given=True)


def unequal_batches(simulation: Simulation, number: int, shifts: FloatArray) -> list[Batch]:
    """Return a data set whose submissions differ by shifts, in standard errors."""
    batches = simulation.batches(number)
    values: list[Any] = [batch for batch in batches if _has_one_number(type(batch))]
    if len(values) < len(batches) or not (has_values(simulation.metric) or simulation.metric.vectors):
        raise DataError(
            "rank sets are simulated for means of one value per unit, and for correlations",
            remedy="choose such a metric and null model",
        )
    if simulation.metric.vectors is None:
        error = float(
            np.mean([float(batch.predicted.std(ddof=1)) / math.sqrt(len(batch.predicted)) for batch in values])
        )
        return [
            evolve(value, predicted=value.predicted + gap * error) for value, gap in zip(values, shifts, strict=True)
        ]
    z = float(np.arctanh(simulation.comparable(number, batches).oriented).mean())
    lowered = z - (shifts.max() - shifts) / math.sqrt(simulation.units)
    if lowered.min() <= 0:
        raise DataError("so few units cannot have correlations that far apart", remedy="simulate more units")
    spread = np.sqrt(np.maximum((math.tanh(z) / np.tanh(lowered)) ** 2 - 1, 0.0))
    noise = np.random.default_rng([simulation.seed, number, len(shifts)]).normal(size=(len(shifts), simulation.units))
    return [
        evolve(batch, predicted=batch.predicted + batch.predicted.std() * k * shift)
        for batch, k, shift in zip(values, spread, noise, strict=True)
    ]


def _has_one_number(kind: type[Batch]) -> bool:
    plain = kind_of(kind).plain_format
    return plain is not None and plain.one_number


def has_values(metric: Metric) -> bool:
    """Return whether a metric works on one number a unit, without a gold."""
    return _has_one_number(metric.kind) and kind_of(metric.kind).gold_answers is None


def exchanged_answers(batches: Sequence[Batch], name: str) -> NullModel:
    """Return a null model that draws units of real data, and exchanges the answers of submissions to each unit.

    `batches`: submissions on the same units; at least two. Each data set has some of them, chosen at random. `name`:
    the name of the null model. Result: units are drawn with replacement. The answers to each unit are given to the
    submissions in random order, so that the submissions can be exchanged. Each data set has a true score of its own,
    that of the chosen submissions. Raises DataError if there are fewer than two submissions, or more are drawn than
    there are.
    """
    if len(batches) < 2:
        raise DataError(f"{name}: answers of fewer than two submissions cannot be exchanged")
    return NullModel(
        name=name,
        summary="Answers of real submissions, exchanged at random unit by unit",
        kind=type(batches[0]),
        draw=partial(_exchanged, tuple(batches), name),
        one_truth=False,
    )


def _exchanged(
    batches: Sequence[Batch], name: str, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[Batch]:
    if submissions > len(batches):
        raise DataError(f"{name} has {len(batches)} submissions, not {submissions}", remedy="ask for a smaller family")
    taken, ids = rng.integers(len(batches[0]), size=units), np.arange(units)
    chosen = rng.choice(len(batches), size=submissions, replace=False)
    drawn = [attrs.evolve(batches[i].take(taken), ids=ids) for i in chosen]
    for i in range(submissions - 1):  # the shuffle of Fisher and Yates, for all units at once
        partner = rng.integers(i, submissions, size=units)
        for j in range(i + 1, submissions):
            drawn[i], drawn[j] = drawn[i].swap_answers(drawn[j], partner == j)
    return drawn
