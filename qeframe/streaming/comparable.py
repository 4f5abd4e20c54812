"""The submissions of a corpus under one metric, as tests see them: scores and bootstrap draws, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NoReturn

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.checks.significance import interval
from qeframe.core.components.comparable import Comparable, IsExtreme, Scheme, ordered_pairs
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.comparison import compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules
from qeframe.core.resampling.exchange import Exchange
from qeframe.core.resampling.standard_errors.jackknife import GridLeftOut
from qeframe.core.resampling.standard_errors.working_scale import WorkingScale
from qeframe.streaming.second_pass import Drawing


@frozen(kw_only=True, eq=False)
class StreamedComparable:
    """The submissions of a corpus under one metric. `Comparable` documents what the methods return.

    What needs all units at a time (exchanges, the jackknife, values of units) is refused with a `CapabilityError`.

    Parameters
    ----------
    metric : Metric
    oriented : (S,) float64
    units : int
    drawn : mapping of Drawing to (draws, S) float64
        The oriented scores of every draw.
    """

    metric: Metric
    oriented: FloatArray
    units: int
    drawn: Mapping[Drawing, FloatArray]

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.metric.higher_is_better else -1.0

    @property
    def smooth(self) -> bool:
        """Whether the metric is smooth in the weights of units."""
        return self.metric.smooth

    @property
    def working_scale(self) -> WorkingScale:
        """The working scale of the metric."""
        return self.metric.working_scale

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The positions of both submissions of every unordered pair, the better first."""
        return ordered_pairs(self.oriented)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units, as a tuple of one."""
        return (self.units,)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores of every draw."""
        return self.drawn[Drawing(draws, scheme)]

    def covariances(self, draws: int) -> FloatArray:
        """Refuse: the infinitesimal jackknife needs the values of all units."""
        self._refuse("the jackknife")

    def without_groups(self, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
        """Refuse: groups of units are left out of every draw."""
        self._refuse("scores without groups of units")

    def jackknife(self) -> FloatArray:
        """Refuse: there is a score without each unit."""
        self._refuse("the jackknife")

    def left_out_of_grids(self) -> Sequence[GridLeftOut]:
        """Refuse: there are no grids."""
        self._refuse("grids")

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Refuse: exchanges are drawn for all units at a time."""
        self._refuse("exchanges of units")

    def exchanged_differences(self, draws: int, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Refuse: exchanges are drawn for all units at a time."""
        self._refuse("exchanges of units")

    def along(self, unit: str, *, standardize: bool = False) -> Comparable:
        """Refuse: exchanges are drawn for all units at a time."""
        self._refuse("exchanges of units")

    def exchanging(self, exchange: Exchange) -> Comparable:
        """Refuse: exchanges are drawn for all units at a time."""
        self._refuse("exchanges of units")

    def outcomes(self) -> FloatArray:
        """Refuse: there is an outcome of each unit."""
        self._refuse("outcomes of units")

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Refuse: there is a value of each unit."""
        self._refuse("values of units")

    def per_unit(self) -> FloatArray:
        """Refuse: there is a value of each unit."""
        self._refuse("values of units")

    def by_task(self) -> Sequence[tuple[Comparable, IntArray]]:
        """Refuse: what asks for tasks needs all units at a time."""
        self._refuse("the submissions of a task")

    def _refuse(self, what: str) -> NoReturn:
        raise CapabilityError(f"{what} cannot be computed in chunks; as test and interval, 'bootstrap(draws=1000)' can")


@frozen(kw_only=True, eq=False)
class _Probe(StreamedComparable):
    """Made-up submissions in the place of those to come: they note which draws are asked for."""

    asked: list[Drawing] = field(factory=list)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        self.asked.append(Drawing(draws, scheme))
        return self.oriented + np.random.default_rng(0).normal(size=(draws, len(self.oriented)))


def drawings_asked_for(
    metrics: Sequence[Metric], rules: ComparisonRules | None, intervals: SignificanceTest | None, confidence: float
) -> tuple[Drawing, ...]:
    """Return the draws that a test, its correction and intervals ask for, by trying them on two made-up submissions.

    Raises
    ------
    CapabilityError
        If one of them needs what cannot be computed in chunks.
    """
    asked: list[Drawing] = []
    for metric in metrics:
        probe = _Probe(metric=metric, oriented=np.array([0.5, 0.0]), units=1000, drawn={}, asked=asked)
        if rules is not None:
            compare_pairs(probe, ["a", "b"], rules, metric=metric.name)
        if intervals is not None:
            interval(intervals, probe, confidence)
    return tuple(dict.fromkeys(asked))
