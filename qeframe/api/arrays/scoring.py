"""Score one submission, with an interval if it is asked for."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, overload
from warnings import warn

import attrs
from attrs import frozen

from qeframe.api.arrays.given import GROUPED, check_groups, groups_of_task, refuse_tasks
from qeframe.api.arrays.remarks import on_score
from qeframe.api.frames.labeled import groups_in_order, in_one_order, with_named_groups
from qeframe.core.batch import Batch
from qeframe.core.comparison import details_of, score_contest
from qeframe.core.component import class_word
from qeframe.core.contest import Contest
from qeframe.core.draws import checked_seed, named_key
from qeframe.core.errors import CapabilityError, DataError, ResultWarning, UnknownNameError
from qeframe.core.loader import load
from qeframe.core.metric import Metric
from qeframe.core.profile import DEFAULT
from qeframe.core.profile_checks import choose_interval, missing_capability
from qeframe.core.registry import Registry
from qeframe.core.result import Result
from qeframe.core.runner import Runner
from qeframe.core.sample import Sample
from qeframe.core.significance import SignificanceTest
from qeframe.core.task import Task
from qeframe.kinds.plain_files import metrics_named_like


@overload
def score(
    metric: str | Metric,
    gold: Task,
    predicted: None = None,
    *,
    interval: str | SignificanceTest | None = None,
    confidence: float = 0.95,
    groups: Any = None,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> dict[str, Any]: ...


@overload
def score(
    metric: str | Metric, gold: Any, predicted: Any, *, interval: None = None, registry: Registry | None = None
) -> float: ...


@overload
def score(
    metric: str | Metric,
    gold: Any,
    predicted: Any,
    *,
    interval: str | SignificanceTest,
    confidence: float = 0.95,
    groups: Any = None,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Result: ...


def score(
    metric: str | Metric,
    gold: Any,
    predicted: Any = None,
    *,
    interval: str | SignificanceTest | None = None,
    confidence: float = 0.95,
    groups: Any = None,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> float | Result | dict[str, Any]:
    """Return the score of one submission under a metric, with an interval if it is asked for.

    Parameters
    ----------
    metric : str or Metric
        A name, with parameters where needed: ``"delta_avg(best=high)"``.
    gold, predicted : sequence, array, or Batch or Task as `gold` with `predicted` None
        The two sides of the metric's kind of batch. Metrics on numbers take two sequences of numbers. Metrics on tags
        take two lists of sentences, each a list of tags, ``[["OK", "BAD"], ["OK"]]``, or of 0 (OK) and 1 (BAD). Metrics
        on spans take two lists of segments, each a list of (start, end, severity). Columns of data frames are put into
        one order by their index; labels that do not match are an error. Metrics on grids of segments by systems take
        data frames too: long, with the columns system, segment and score, or with a row for each segment, whose name is
        in a column ``segment`` or the index, and a column for each system. Rows and columns are matched by their names.
    interval : str or SignificanceTest, optional
        A test that gives intervals, with its number of draws where it draws: ``"bootstrap(draws=5000)"``. "default" is
        what `evaluate` takes: `jackknife_and_exchange` for metrics that are smooth in the weights of units, whose
        intervals are those of the jackknife on the interval scale of the metric, and the percentiles of
        `bootstrap(draws=1000)` for the others.
    confidence : float
        The level of the interval, in (0, 1).
    groups : sequence, column or str, optional
        The group of every unit, such as its document; with a task or a data frame as gold also the name of one of its
        groupings or columns. Whole groups are then resampled, and the interval holds for other groups of this kind. By
        default single units are.
    seed : int
        Equal seeds give equal intervals: those of `evaluate` on a task with the same values. For metrics such as
        `delta_avg`, which depend on what end of the gold is the best, that must be the same too.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Runs the draws and reports their progress.

    Returns
    -------
    float
        Without `interval`. NaN, or the degenerate value that the metric declares, if the score is undefined (no
        sentence at all).
    dict of str to float or Result
        For a task: of each of its submissions.
    Result
        With `interval`: `value`, `low` and `high`; `warnings` says what limits the score. Both ends are NaN where there
        is no interval, such as that of the jackknife on fewer than 7 units or groups; `details` then has the reason as
        ``no_interval``. `details` also has what the metric reports, and as ``undefined_draws`` the number of draws
        without a score, which do not count.

    Raises
    ------
    CapabilityError
        If the metric lacks a capability that the interval needs.
    DataError
        If the values cannot be used: different lengths, missing values, unknown tags, no number; if a test
        gives no intervals; and for `groups` without `interval`.
    UnknownNameError
        If there is no such metric, test or parameter.

    Warns
    -----
    ResultWarning
        For each of these warnings, also without `interval`.

    Examples
    --------
    >>> import qeframe
    >>> round(qeframe.score("pearson", [1, 2, 3, 4], [1, 2, 3, 5]), 3)
    0.983
    >>> qeframe.score("mcc", [["OK", "BAD"]], [["OK", "BAD"]])
    1.0
    """
    loaded = registry or load()
    chosen = loaded.get(Metric, metric)
    if isinstance(gold, Task):
        if predicted is not None:
            raise DataError("a task has submissions of its own", remedy="leave out 'predicted', or give the gold")
        batches = {submission.name: batch for submission, batch in gold.batches.items()}
        first, groups = None, None if groups is None else groups_of_task(gold, groups)
    else:
        refuse_tasks(gold, "score")
        gold, groups = with_named_groups(gold, groups)
        first = predicted if gold is None else gold
        truth, answers = in_one_order(gold, {"predicted": predicted}, crossed=chosen.kind.crossed)
        batch = gold if isinstance(gold, Batch) else chosen.kind.from_plain(truth, answers["predicted"])
        _check_kind(batch, chosen, loaded)
        batches = {"predicted": batch}
    if interval is None and groups is not None:
        raise DataError("'groups' change the interval, and none is asked for", remedy='give interval="default"')
    if not 0 < confidence < 1:
        raise DataError(f"confidence must lie between 0 and 1, not {confidence}", remedy="a common value is 0.95")
    wanted = None
    if interval is not None:
        wanted = _Interval(
            test=_interval_test(interval, chosen, loaded),
            confidence=confidence,
            groups=None if groups is None else groups_in_order(first, groups),
            key=named_key(checked_seed(seed), ""),  # as `evaluate` draws for a single task
            runner=runner or Runner(),
        )
    results = {name: _scored(chosen, batch, name, wanted) for name, batch in batches.items()}
    if not isinstance(gold, Batch | Task) and len(batches["predicted"]) == 1:
        _refuse_single(chosen, answers["predicted"][0], results["predicted"][0])
    for text in dict.fromkeys(text for _, texts in results.values() for text in texts):
        warn(text, ResultWarning, stacklevel=2)
    scores = {name: of_submission for name, (of_submission, _) in results.items()}
    return scores if isinstance(gold, Task) else scores["predicted"]


def _refuse_single(metric: Metric, answer: Any, result: float | Result) -> None:
    """Refuse a single number under a metric that needs more, such as a correlation; an error is that of the number."""
    if isinstance(answer, Real) and math.isnan(result.value if isinstance(result, Result) else result):
        what = f"too few values: '{metric.name}' is undefined on a single one"
        raise DataError(what, remedy="at least 2 are needed")


def _check_kind(batch: Batch, metric: Metric, registry: Registry) -> None:
    """Refuse a batch of another kind; name the metrics on such batches with a like name."""
    if isinstance(batch, metric.kind):
        return
    like = [n for n in metrics_named_like(metric, registry) if isinstance(batch, registry.get(Metric, n).kind)]
    if like:
        what = f"metric '{metric.name}' works on {metric.kind.__name__}, not on {type(batch).__name__}"
        raise DataError(what, remedy=f"choose {' or '.join(like)}")


@frozen(kw_only=True, eq=False)
class _Interval:
    """The interval that is asked for: the test that gives it, the groups that are resampled, and the draws."""

    test: SignificanceTest
    confidence: float
    groups: Sequence[str] | None
    key: tuple[int, ...]
    runner: Runner

    def of(self, metric: Metric, batch: Batch) -> Result:
        """Return the score of a batch with its interval."""
        if self.groups is not None:
            check_groups(self.groups, len(batch))
        sample = Sample(
            metrics=(metric,),
            batches=(batch,),
            key=self.key,
            groups={GROUPED: list(self.groups or ())},
            resample=GROUPED if self.groups else "unit",
            runner=self.runner,
        )
        contest = Contest.of(sample)
        (result,) = score_contest(contest, self.test, self.confidence, details_of(contest)).results
        if "no_interval" in result.details or not math.isnan(result.low + result.high):
            return result
        why = f"'{self.test.name}' is undefined on these values"
        why = "the score is undefined" if math.isnan(result.value) else why
        return attrs.evolve(result, details={**result.details, "no_interval": why})


def _scored(metric: Metric, batch: Batch, name: str, interval: _Interval | None) -> tuple[float | Result, list[str]]:
    """Return the score of a submission, with an interval if it is asked for, and what limits it."""
    if interval is None:
        value = float(Sample(metrics=(metric,), batches=(batch,), key=()).scores[0, 0])
        return value, list(on_score(metric.name, name, batch.gold_warning(), value, {}))
    result = interval.of(metric, batch)
    warnings = list(on_score(metric.name, name, batch.gold_warning(), result.value, result.details))
    return attrs.evolve(result, details={**result.details, **({"warnings": warnings} if warnings else {})}), warnings


def _interval_test(interval: str | SignificanceTest, metric: Metric, registry: Registry) -> SignificanceTest:
    name = choose_interval(interval, smooth=metric.smooth)
    try:
        test = registry.get(SignificanceTest, name)
    except UnknownNameError as error:
        if error.kind != class_word(SignificanceTest):
            raise
        raise UnknownNameError("interval", error.name, [DEFAULT, *registry.names(SignificanceTest)]) from None
    if test.interval is None:
        able = [component.name for component in registry.all(SignificanceTest) if component.interval is not None]
        raise DataError(f"test '{test.name}' gives no intervals", remedy=f"these do: {', '.join(able)}")
    if why := missing_capability(metric, test):
        raise CapabilityError(f"interval {why}")
    return test
