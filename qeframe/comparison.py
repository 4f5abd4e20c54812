"""Scoring one submission and comparing several: pure functions on values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.across import AcrossTrial
from qeframe.batch import Batch, BoolArray, FloatArray
from qeframe.bench import Bench, TaskTrial
from qeframe.components import Correction, Metric, Sided, SignificanceTest
from qeframe.errors import CapabilityError, DataError, counted
from qeframe.evaluation import Comparison
from qeframe.parallel import Runner
from qeframe.registry import Registry, load
from qeframe.weights import seed_key

__all__ = ["Rules", "check_capability", "compare", "compare_pairs", "remarks_on_family", "score", "too_few_draws"]


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
    return float(Bench(metrics=(found,), batches=(batch,), key=()).scores[0, 0])


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
    trial = Bench(metrics=(measure,), batches=batches, key=key, runner=runner or Runner()).trial()
    rules = Rules(
        test=judge, sided=sided or "", correction=known.get(Correction, correction), alpha=alpha, strict=strict
    )
    return compare_pairs(trial, list(submissions), rules, metric=measure.name)


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
class Rules:
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


def remarks_on_family(rules: Rules, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Say what a reader of comparisons under a correction should know.

    Yields
    ------
    str
        For each family, the pairs of a task or of all tasks together: if some of its pairs could not be tested, since a
        score is undefined. If the correction of a family makes even the smallest p that the test can give too large, so
        that no difference could ever be significant: once for the largest family where exchanges are drawn, and for
        all families whose few exchanges were enumerated.
    """
    families: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        families.setdefault(comparison.task, []).append(comparison)
    for task, family in families.items():
        without = [c for c in family if np.isnan(c.difference)]
        if without:
            names = ", ".join(dict.fromkeys(c.b for c in without))
            yield (
                f"{len(without)} of {counted(len(family), 'pair')}{f' on {task}' if task else ''} cannot be tested and "
                f"do not count in the correction: there is no score of {names}"
            )
    drawn, enumerated = 0, dict[tuple[float, int], list[str]]()
    for task, family in families.items():
        tested = [c.least_p for c in family if not np.isnan(c.p)]
        if tested and max(tested) > rules.test.least_p:
            enumerated.setdefault((max(tested), len(tested)), []).append(task)
        else:
            drawn = max(drawn, len(tested))
    yield from filter(None, [too_few_draws(rules, drawn)])
    for (least, pairs), tasks in enumerated.items():
        yield from filter(None, [too_few_draws(rules, pairs, least, tasks=tasks)])


def too_few_draws(rules: Rules, pairs: int, enumerated: float = 0.0, *, tasks: Sequence[str] = ()) -> str:
    """Say if no difference among so many pairs can ever be significant: the test has too few draws, or units.

    Parameters
    ----------
    rules : Rules
    pairs : int
    enumerated : float
        The smallest p where all exchanges of the few units were enumerated; 0: that of the test's draws.
    tasks : sequence of str
        Where that was; an empty name is not told.
    """
    least = enumerated or rules.test.least_p
    if not (pairs and least):
        return ""
    corrected = rules.correction.adjust(np.full(pairs, least))
    if rules.significant(corrected).any():
        return ""
    tiny = 1e-12
    factor = float(rules.correction.adjust(np.full(pairs, tiny)).min()) / tiny
    where = f" on {', '.join(tasks)}" if any(tasks) else ""
    remedy = f"ask for at least {round(factor / rules.alpha)} draws"
    return (
        f"no difference can be significant{where}: the smallest p of {rules.test.name} is {least:.2g}, and "
        f"{corrected.min():.2g} with the correction '{rules.correction.name}' of {counted(pairs, 'pair')}, alpha is "
        f"{rules.alpha:g}; {'all exchanges were enumerated: there are too few units' if enumerated else remedy}"
    )


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
            "'bootstrap' and 'randomisation' work for every metric"
        )


def compare_pairs(
    trial: TaskTrial | AcrossTrial, names: Sequence[str], rules: Rules, *, metric: str, task: str = ""
) -> list[Comparison]:
    """Run a test over all pairs of a trial; `names` are those of its submissions.

    The family that is corrected has the pairs that could be tested: not those of a submission
    without a score, nor those for which the test is undefined; their p is NaN, and they are not significant.
    """
    if isinstance(trial, TaskTrial):
        check_capability(trial.metric, rules.test)
    first, second = trial.pairs
    found = rules.test.run(trial, rules.side)
    p, least_p = found.p, rules.test.least_p if found.least_p is None else found.least_p
    tested = ~np.isnan(p)
    adjusted = np.full_like(p, np.nan)
    adjusted[tested] = rules.correction.adjust(p[tested])
    significant = rules.significant(adjusted)
    differences = trial.sign * (trial.goodness[first] - trial.goodness[second]) + 0.0
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
