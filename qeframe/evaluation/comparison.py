"""Score one submission, compare several: functions of values that read and write nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from qeframe.batches.base import Batch, BoolArray, FloatArray
from qeframe.components.checks.significance import adjust, adjust_jointly, run
from qeframe.components.comparable import Comparable, Pairwise
from qeframe.components.loading.loader import load
from qeframe.components.loading.registry import Registry
from qeframe.components.metric import Metric
from qeframe.components.significance import Correction, Sided, SignificanceTest
from qeframe.errors import DataError, counted
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.comparison_rules import ComparisonRules, check_capability, comparison_rules
from qeframe.evaluation.result import Comparison
from qeframe.evaluation.scored_task import ScoredTask
from qeframe.evaluation.supplements.equivalence import PairEquivalence, equivalence_of_pairs
from qeframe.frames.columns import in_one_order
from qeframe.profiles.defaults import DEFAULT, chosen_correction, chosen_test
from qeframe.resampling.draws import seed_key
from qeframe.resampling.parallel import Runner

__all__ = [
    "ComparisonRules",
    "SignedComparable",
    "bind_submissions",
    "check_capability",
    "compare",
    "compare_pairs",
    "comparison_rules",
    "score",
]


def score(metric: str | Metric, gold: Any, predicted: Any, *, registry: Registry | None = None) -> float:
    """Return the score of one submission under a metric.

    Parameters
    ----------
    metric : str or Metric
        A name, with parameters where needed: ``"delta_avg(best=high)"``.
    gold, predicted : sequence, array, or Batch as `gold` with `predicted` None
        The two sides of the metric's kind of batch. Metrics on numbers take two sequences of numbers. Metrics on tags
        take two lists of sentences, each a list of tags, ``[["OK", "BAD"], ["OK"]]``, or of 0 (OK) and 1 (BAD). Metrics
        on spans take two lists of segments, each a list of (start, end, severity). Columns of data frames are put into
        one order by their index; labels that do not match are an error.
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
    truth, answers = in_one_order(gold, {"predicted": predicted})
    batch = gold if isinstance(gold, Batch) else chosen.kind.from_plain(truth, answers["predicted"])
    return float(ScoredTask(metrics=(chosen,), batches=(batch,), key=()).scores[0, 0])


def compare(
    metric: str | Metric,
    gold: Any,
    submissions: Mapping[str, Any],
    *,
    test: str | SignificanceTest = DEFAULT,
    sided: Sided | None = None,
    correction: str | Correction = DEFAULT,
    alpha: float = 0.05,
    strict: bool = True,
    equivalence: float | None = None,
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
        At least two. A data frame of submissions is such a mapping: ``{name: frame[name] for name in columns}``.
    test : str or SignificanceTest
        "default": `jackknife` for metrics that are smooth in the weights of units, `bootstrap_t` for the others.
    sided : {"one", "two"}, optional
        "one": p is for the claim that a is better than b. By default two-sided if the test can be.
    correction : str or Correction
        For the family of all pairs. "default": `romano_wolf` with `jackknife` and `bootstrap_t`, `holm` with other
        tests.
    alpha : float
        In (0, 1).
    strict : bool
        Whether significant means adjusted p < alpha; otherwise it means p <= alpha.
    equivalence : float, optional
        The smallest difference that matters. Every pair is then also tested for equivalence: see `PairEquivalence`.
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
        If the metric lacks a capability that the test needs: some tests need a correlation, and equivalence needs a
        score that is smooth in the weights of units.
    DataError
        If the values cannot be used.
    """
    known = registry or load()
    chosen = known.get(Metric, metric)
    gold, submissions = in_one_order(gold, submissions)
    if not 0 < alpha < 1:
        raise DataError(f"alpha must lie between 0 and 1, not {alpha}", remedy="common values are 0.05 and 0.01")
    comparable = bind_submissions(chosen, gold, submissions, seed=seed, runner=runner)
    chosen_for_metric = chosen_test(test, chosen, known)
    rules = ComparisonRules(
        test=chosen_for_metric,
        sided=sided or "",
        correction=chosen_correction(correction, chosen_for_metric, known),
        alpha=alpha,
        strict=strict,
        equivalence=equivalence,
    )
    return compare_pairs(comparable, list(submissions), rules, metric=chosen.name)


def bind_submissions(
    metric: Metric, gold: Any, submissions: Mapping[str, Any], *, seed: int = 0, runner: Runner | None = None
) -> ComparableInTask:
    """Bind a metric to at least two submissions of the same units: see `compare`."""
    if seed < 0:
        raise DataError(f"seed must not be negative, it is {seed}", remedy="give 0 or a positive number")
    batches = tuple(_batch_of(metric, gold, name, answers) for name, answers in submissions.items())
    if len(batches) < 2:
        raise DataError(f"{counted(len(batches), 'submission')} cannot be compared", remedy="give at least two")
    _check_same_units(submissions, batches)
    key = seed_key(np.random.default_rng(seed))
    return ComparableInTask(ScoredTask(metrics=(metric,), batches=batches, key=key, runner=runner or Runner()))


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


class SignedComparable(Comparable, Protocol):
    """A `Comparable` that says how its scores were turned."""

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""


def _adjusted(comparable: Comparable, pairwise: Pairwise, rules: ComparisonRules) -> FloatArray:
    """Return the adjusted p of all pairs, NaN where p is. The family holds the pairs that could be tested."""
    tested = ~np.isnan(pairwise.p)
    if rules.correction.adjust_jointly is not None and tested.any():
        return np.where(tested, adjust_jointly(rules.correction, comparable, pairwise, rules.side), np.nan)
    adjusted = np.full_like(pairwise.p, np.nan)
    adjusted[tested] = adjust(rules.correction, pairwise.p[tested])
    return adjusted


def _equivalences(
    comparable: SignedComparable, significant: BoolArray, rules: ComparisonRules
) -> Sequence[PairEquivalence]:
    """Return the equivalence of every pair; empty if it was not asked for."""
    if rules.equivalence is None:
        return ()
    return equivalence_of_pairs(
        comparable,
        significant,
        rules.equivalence,
        sign=comparable.sign,
        alpha=rules.alpha,
        strict=rules.strict,
        correction=rules.correction,
    )


def compare_pairs(
    comparable: SignedComparable,
    names: Sequence[str],
    rules: ComparisonRules,
    *,
    metric: str,
    task: str = "",
) -> list[Comparison]:
    """Run a test on all pairs of submissions and correct the p-values.

    The corrected family holds the pairs that could be tested. A pair could not be tested if one of its submissions has
    no score or if the test is undefined for it: its p is NaN, and it is not significant. A test by resampling (one that
    needs 'bind') is undefined for all pairs if a task has fewer than two units.

    Parameters
    ----------
    comparable : SignedComparable
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
    adjusted = _adjusted(comparable, pairwise, rules)
    significant = rules.significant(adjusted)
    equivalences = _equivalences(comparable, significant, rules)
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
            reason=pairwise.reasons[pair] if pairwise.reasons else "",
            equivalence=equivalences[pair] if equivalences else None,
        )
        for pair, (i, j) in enumerate(zip(first, second, strict=True))
    ]
