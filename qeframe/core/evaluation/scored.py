"""The scores of a contest with their intervals, turned from oriented numbers to those of the metric in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.checks import metric as checked
from qeframe.core.components.checks.significance import interval, interval_details
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.evaluation.contest import Contest
from qeframe.core.evaluation.result import Result


@frozen(kw_only=True, eq=False)
class Scored:
    """The scores of all submissions of a contest.

    `values`, `low`, `high` (S,): not oriented; NaN where there is no score or no interval.
    `details`: of each score.
    `draws` (B, S): the oriented scores in the draws of the intervals; None without intervals.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray
    details: Sequence[Mapping[str, Any]]
    draws: FloatArray | None

    @property
    def results(self) -> list[Result]:
        """A value for each score."""
        columns = zip(self.values.tolist(), self.low.tolist(), self.high.tolist(), self.details, strict=True)
        return [Result(value=value, low=low, high=high, details=details) for value, low, high, details in columns]


def details_of(contest: Contest) -> list[dict[str, Any]]:
    """Return what the metric reports of each submission of a single task; nothing of a score over several."""
    if not contest.is_single:
        return [{} for _ in contest.oriented]
    (term,) = contest.terms
    return [dict(checked.details(term.metric, batch)) for batch in term.sample.batches]


def score_contest(
    contest: Contest, test: SignificanceTest | None, confidence: float, details: Sequence[Mapping[str, Any]] = ()
) -> Scored:
    """Return the scores of a contest.

    `test`: gives the intervals; None for none. `details`: of each score, to which those of intervals are added.
    """
    values, ends, draws = contest.sign * contest.oriented, np.full((2, len(contest.oriented)), np.nan), None
    if test is not None and test.interval is not None:
        low, high, draws = interval(test, contest, confidence)
        ends = contest.sign * np.stack([low, high] if contest.sign > 0 else [high, low]) + 0.0  # no zero is -0
        ends[:, np.isnan(values)] = np.nan  # draws can be defined where the score is not
    limits = interval_details(test, contest)
    undefined = np.zeros(len(values)) if draws is None else np.isnan(draws).sum(axis=0)
    lost = [{"undefined_draws": int(count)} if count else {} for count in undefined]
    stated = details or [{}] * len(values)
    merged = [{**own, **limit, **more} for own, limit, more in zip(stated, limits, lost, strict=True)]
    return Scored(values=values, low=ends[0], high=ends[1], details=merged, draws=draws)
