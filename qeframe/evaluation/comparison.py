"""Scoring one submission and comparing several: pure functions on values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.batches.base import Batch, BoolArray, FloatArray
from qeframe.components.loader import load
from qeframe.components.metric import Metric
from qeframe.components.registry import Registry
from qeframe.components.significance import Correction, Sided, SignificanceTest
from qeframe.errors import CapabilityError, DataError, counted
from qeframe.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.result import Comparison
from qeframe.evaluation.scored_task import ScoredTask
from qeframe.resampling.draws import seed_key
from qeframe.resampling.parallel import Runner

__all__ = ["ComparisonRules", "check_capability", "compare", "compare_pairs", "score"]


def score(metric: str | Metric, gold: Any, predicted: Any, *, registry: Registry | None = None) -> float:
    """Return one score.

    Parameters
    ----------
    metric : str or Metric
        A name, with parameters if need be: ``"delta_avg(best=high)"``.
    gold, predicted : sequence, array, or Batch as `gold` with `predicted` None
        What the metric's kind of batch is made from. Sentence-level metrics: two sequences of numbers. Metrics on tags:
        two lists of sentences, each a list of tags, ``[["OK", "BAD"], ["OK"]]``, or of 0 (OK) and 1 (BAD). Metrics on
        spans: two lists of segments, each a list of (start, end, severity).
    registry : Registry, optional
        By default all installed plugins.

    Returns
    -------
    float
        NaN (or the value that the metric states) where the score is undefined, as of no sentence at all.

    Raises
    ------
    DataError
        If the values cannot be used: different lengths, missing values, unknown tags, fewer than two numbers.
    UnknownNameError
        If there is no such metric or parameter.
    """
    found = (registry or load()).get(Metric, metric)
    batch = gold if isinstance(gold, Batch) else found.kind.from_plain(gold, predicted)
    return float(ScoredTask(metrics=(found,), batches=(batch,), key=()).scores[0, 0])


def compare(
    metric: str | Metric,
    gold: Any,
    submissions: Mapping[str, Any],
    *,
    test: str | SignificanceTest = "bootstrap",
    sided: Sided | None = None,
    correction: str | Correction = "holm",
    alpha: float = 0.05,
    strict: bool = True,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> list[Comparison]:
    """Compare submissions in pairs, all unordered pairs once, the better score as `a`.

    Parameters
    ----------
    metric : str or Metric
    gold : sequence or array
        Shared by all submissions; None for metrics without a gold side.
    submissions : mapping of str to sequence, array or Batch
        At least two.
    test : str or SignificanceTest
    sided : {"one", "two"}, optional
        one: p is for the claim that a is better than b. By default two-sided where the test can.
    correction : str or Correction
        Of the family of all pairs.
    alpha, strict
        Significant means adjusted p < alpha, or <= alpha if not strict.
    seed : int
        Equal seeds give equal p-values.

    Returns
    -------
    list of Comparison
        Best pair first: ordered by the score of a, then of b.

    Raises
    ------
    CapabilityError
        If the metric lacks what the test needs: Williams' test needs a correlation.
    DataError
        If the values cannot be used.
    """
    known = registry or load()
    measure, judge = known.get(Metric, metric), known.get(SignificanceTest, test)
    if not 0 < alpha < 1:
        raise DataError(f"alpha must lie between 0 and 1, not {alpha}")
    if seed < 0:
        raise DataError(f"seed must not be negative, it is {seed}")
    batches = tuple(_batch_of(measure, gold, name, answers) for name, answers in submissions.items())
    if len(batches) < 2:
        raise DataError(f"{counted(len(batches), 'submission')} cannot be compared", remedy="give at least two")
    _check_same_units(submissions, batches)
    key = seed_key(np.random.default_rng(seed))
    comparable = ComparableInTask(ScoredTask(metrics=(measure,), batches=batches, key=key, runner=runner or Runner()))
    rules = ComparisonRules(
        test=judge, sided=sided or "", correction=known.get(Correction, correction), alpha=alpha, strict=strict
    )
    return compare_pairs(comparable, list(submissions), rules, metric=measure.name)


def _batch_of(metric: Metric, gold: Any, name: str, answers: Any) -> Batch:
    """Make the batch of one submission, whose name stands before what is wrong with it."""
    if isinstance(answers, Batch):
        return answers
    try:
        return metric.kind.from_plain(gold, answers)
    except DataError as error:
        raise DataError(f"submission '{name}': {error}") from error


def _check_same_units(submissions: Mapping[str, Any], batches: Sequence[Batch]) -> None:
    for name, batch in zip(submissions, batches, strict=True):
        if len(batch) != len(batches[0]) or (batch.ids != batches[0].ids).any():
            first = next(iter(submissions))
            units = f"'{name}' has {counted(len(batch), 'unit')}, '{first}' has {len(batches[0])}"
            raise DataError(f"length mismatch: {units}", remedy="all submissions answer the same units")


@frozen(kw_only=True)
class ComparisonRules:
    """How pairs are compared.

    Parameters
    ----------
    sided : {"", "one", "two"}
        Empty: two-sided where the test can be.
    alpha, strict
        Significant means adjusted p < alpha, or <= alpha if not strict.
    """

    test: SignificanceTest
    sided: Sided | Literal[""] = ""
    correction: Correction
    alpha: float = 0.05
    strict: bool = True

    @property
    def side(self) -> Sided:
        """The kind of p-value, as asked for or as the test prefers."""
        if not self.sided:
            return "two" if "two" in self.test.sides else "one"
        if self.sided not in self.test.sides:
            can = " or ".join(sorted(self.test.sides))
            raise CapabilityError(f"test '{self.test.name}' is {can}-sided, not {self.sided}-sided")
        return self.sided

    def significant(self, adjusted: FloatArray) -> BoolArray:
        """Say which adjusted p-values are significant; NaN is not."""
        return adjusted < self.alpha if self.strict else adjusted <= self.alpha


def check_capability(metric: Metric, test: SignificanceTest) -> None:
    """Raise a `CapabilityError` that says why a test cannot be run on a metric."""
    wanting = {
        "vectors": (metric.vectors, "a correlation of two vectors"),
        "per_unit": (metric.per_unit, "a mean of one value a unit"),
        "outcomes": (metric.outcomes or metric.per_unit, "a mean of outcomes of pairs or of one value a unit"),
    }
    capability, what = wanting.get(test.needs, (True, ""))
    if capability is None:
        raise CapabilityError(
            f"test '{test.name}' needs {what}, metric '{metric.name}' is none; "
            "'bootstrap' and 'randomization' work for every metric"
        )


def compare_pairs(
    comparable: ComparableInTask | ComparableAcrossTasks,
    names: Sequence[str],
    rules: ComparisonRules,
    *,
    metric: str,
    task: str = "",
) -> list[Comparison]:
    """Run a test over all pairs of a comparable; `names` are those of its submissions.

    The family that is corrected has the pairs that could be tested: not those of a submission
    without a score, nor those for which the test is undefined; their p is NaN, and they are not significant.
    """
    if isinstance(comparable, ComparableInTask):
        check_capability(comparable.metric, rules.test)
    first, second = comparable.pairs
    found = rules.test.run(comparable, rules.side)
    p, least_p = found.p, rules.test.least_p if found.least_p is None else found.least_p
    tested = ~np.isnan(p)
    adjusted = np.full_like(p, np.nan)
    adjusted[tested] = rules.correction.adjust(p[tested])
    significant = rules.significant(adjusted)
    differences = comparable.sign * (comparable.oriented[first] - comparable.oriented[second]) + 0.0
    return [
        Comparison(
            a=names[i],
            b=names[j],
            metric=metric,
            task=task,
            test=rules.test.name,
            sided=rules.side,
            difference=float(differences[pair]),
            p=float(p[pair]),
            p_adjusted=float(adjusted[pair]),
            significant=bool(significant[pair]),
            least_p=least_p,
        )
        for pair, (i, j) in enumerate(zip(first, second, strict=True))
    ]
