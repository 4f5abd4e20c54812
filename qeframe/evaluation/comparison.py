"""Score one submission, compare several: functions of values that read and write nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.batches.base import Batch, BoolArray, FloatArray
from qeframe.components.checks.significance import adjust, run
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
    """Return the score of one submission under a metric.

    Parameters
    ----------
    metric : str or Metric
        A name, with parameters where needed: ``"delta_avg(best=high)"``.
    gold, predicted : sequence, array, or Batch as `gold` with `predicted` None
        The two sides of the metric's kind of batch. Metrics on numbers take two sequences of numbers. Metrics on tags
        take two lists of sentences, each a list of tags, ``[["OK", "BAD"], ["OK"]]``, or of 0 (OK) and 1 (BAD). Metrics
        on spans take two lists of segments, each a list of (start, end, severity).
    registry : Registry, optional
        By default all installed plugins.

    Returns
    -------
    float
        NaN, or the degenerate value that the metric declares, if the score is undefined (no sentence at all).

    Raises
    ------
    DataError
        If the values cannot be used: different lengths, missing values, unknown tags, fewer than two numbers.
    UnknownNameError
        If there is no such metric or parameter.
    """
    chosen = (registry or load()).get(Metric, metric)
    batch = gold if isinstance(gold, Batch) else chosen.kind.from_plain(gold, predicted)
    return float(ScoredTask(metrics=(chosen,), batches=(batch,), key=()).scores[0, 0])


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
    """Compare every pair of submissions once, the one with the better score as `a`.

    Parameters
    ----------
    metric : str or Metric
    gold : sequence or array
        Shared by all submissions; None for metrics without a gold side.
    submissions : mapping of str to sequence, array or Batch
        At least two.
    test : str or SignificanceTest
    sided : {"one", "two"}, optional
        "one": p is for the claim that a is better than b. By default two-sided if the test can be.
    correction : str or Correction
        For the family of all pairs.
    alpha : float
        In (0, 1).
    strict : bool
        Whether significant means adjusted p < alpha; otherwise it means p <= alpha.
    seed : int
        Equal seeds give equal p-values.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Runs the computation and reports its progress.

    Returns
    -------
    list of Comparison
        Ordered by the score of a, then by the score of b, the best first.

    Raises
    ------
    CapabilityError
        If the metric lacks a capability that the test needs: some tests need a correlation.
    DataError
        If the values cannot be used.
    """
    known = registry or load()
    chosen = known.get(Metric, metric)
    if not 0 < alpha < 1:
        raise DataError(f"alpha must lie between 0 and 1, not {alpha}", remedy="common values are 0.05 and 0.01")
    if seed < 0:
        raise DataError(f"seed must not be negative, it is {seed}", remedy="give 0 or a positive number")
    batches = tuple(_batch_of(chosen, gold, name, answers) for name, answers in submissions.items())
    if len(batches) < 2:
        raise DataError(f"{counted(len(batches), 'submission')} cannot be compared", remedy="give at least two")
    _check_same_units(submissions, batches)
    key = seed_key(np.random.default_rng(seed))
    comparable = ComparableInTask(ScoredTask(metrics=(chosen,), batches=batches, key=key, runner=runner or Runner()))
    rules = ComparisonRules(
        test=known.get(SignificanceTest, test),
        sided=sided or "",
        correction=known.get(Correction, correction),
        alpha=alpha,
        strict=strict,
    )
    return compare_pairs(comparable, list(submissions), rules, metric=chosen.name)


def _batch_of(metric: Metric, gold: Any, name: str, answers: Any) -> Batch:
    """Make the batch of one submission; the message of an error begins with its name."""
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
    """How pairs of submissions are compared.

    Parameters
    ----------
    test : SignificanceTest
    sided : {"", "one", "two"}
        Empty: two-sided if the test can be.
    correction : Correction
    alpha : float
        In (0, 1).
    strict : bool
        Whether significant means adjusted p < alpha; otherwise it means p <= alpha.
    """

    test: SignificanceTest
    sided: Sided | Literal[""] = ""
    correction: Correction
    alpha: float = 0.05
    strict: bool = True

    @property
    def side(self) -> Sided:
        """The kind of p-value: `sided`, or the default of the test."""
        if not self.sided:
            return "two" if "two" in self.test.sides else "one"
        if self.sided not in self.test.sides:
            sides = " or ".join(sorted(self.test.sides))
            raise CapabilityError(f"test '{self.test.name}' is {sides}-sided, not {self.sided}-sided")
        return self.sided

    def significant(self, adjusted: FloatArray) -> BoolArray:
        """Return which adjusted p-values are significant; NaN is not."""
        return adjusted < self.alpha if self.strict else adjusted <= self.alpha


def check_capability(metric: Metric, test: SignificanceTest) -> None:
    """Raise a `CapabilityError` with the reason if a test cannot be run on a metric."""
    capabilities = {
        "vectors": (metric.vectors, "a correlation of two vectors"),
        "per_unit": (metric.per_unit, "a mean of one value per unit"),
        "outcomes": (metric.outcomes or metric.per_unit, "a mean of outcomes of pairs or of one value per unit"),
    }
    capability, what = capabilities.get(test.needs, (True, ""))
    if capability is None:
        raise CapabilityError(
            f"test '{test.name}' needs {what}, which metric '{metric.name}' is not; "
            "tests that resample (need 'bind') or exchange units (need 'exchange') work for every metric"
        )


def compare_pairs(
    comparable: ComparableInTask | ComparableAcrossTasks,
    names: Sequence[str],
    rules: ComparisonRules,
    *,
    metric: str,
    task: str = "",
) -> list[Comparison]:
    """Run a test on all pairs of submissions and correct the p-values.

    The corrected family holds the pairs that could be tested. A pair could not be tested if one of its submissions has
    no score or if the test is undefined for it: its p is NaN, and it is not significant.

    Parameters
    ----------
    comparable : ComparableInTask or ComparableAcrossTasks
    names : sequence of str
        The names of its submissions.
    rules : ComparisonRules
    metric, task : str
        Entered in the results. `task` is empty for all tasks together.

    Returns
    -------
    list of Comparison
        In the order of the pairs of `comparable`.

    Raises
    ------
    CapabilityError
        If the metric lacks a capability that the test needs.
    """
    if isinstance(comparable, ComparableInTask):
        check_capability(comparable.metric, rules.test)
    first, second = comparable.pairs
    pairwise = run(rules.test, comparable, rules.side)
    p, least_p = pairwise.p, rules.test.least_p if pairwise.least_p is None else pairwise.least_p
    tested = ~np.isnan(p)
    adjusted = np.full_like(p, np.nan)
    adjusted[tested] = adjust(rules.correction, p[tested])
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
