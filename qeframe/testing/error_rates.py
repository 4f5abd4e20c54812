"""How often a test rejects where all submissions are equally good."""

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch
from qeframe.core.contest import Contest
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.sample import Sample
from qeframe.core.significance import Sided, SignificanceTest, run
from qeframe.kinds.scores.laws import error_weights, normal_scores

__all__ = ["DataLaw", "ErrorRate", "error_rate", "error_weights", "normal_scores"]

DataLaw: TypeAlias = Callable[[np.random.Generator, int, int], Sequence[Batch]]
"""From a generator, a number of units and a number of submissions to one batch for each, all on the same gold."""


@frozen(kw_only=True)
class ErrorRate:
    """How often a test rejects where all submissions are equally good.

    Parameters
    ----------
    value : float
        The share of data sets with p of at most alpha, among those in which p is defined; NaN if there is none.
    error : float
        The standard error of this share: sqrt(value (1 - value) / runs). It is 0 for a share of 0 or 1, where it says
        nothing.
    runs : int
        The number of data sets in which p is defined.
    undefined : float
        The share of data sets in which p is NaN.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric, SignificanceTest
    >>> from qeframe.testing import error_rate
    >>> registry = qeframe.load()
    >>> error_rate(registry.get(SignificanceTest, "williams"), registry.get(Metric, "pearson"), runs=20).runs
    20
    """

    value: float
    error: float
    runs: int
    undefined: float


def _check(test: SignificanceTest, metric: Metric, *, runs: int, units: int, alpha: float, sided: Sided) -> None:
    """Raise DataError for an argument that cannot be used."""
    for given, kind in ((test, SignificanceTest), (metric, Metric)):
        if not isinstance(given, kind):
            raise DataError(
                f"{given!r} is no {kind.__name__}", remedy=f"registry.get({kind.__name__}, NAME) returns one"
            )
    if sided not in test.sides:
        raise DataError(f"sided cannot be {sided!r}", remedy=f"test '{test.name}' has {', '.join(sorted(test.sides))}")
    for name, value, allowed, range_of in (
        ("alpha", alpha, 0 < alpha < 1, "between 0 and 1"),
        ("runs", runs, runs >= 1, "at least 1"),
        ("units", units, units >= 2, "at least 2"),
    ):
        if not allowed:
            raise DataError(f"{name} is {value}", remedy=f"give {name} {range_of}")


def error_rate(
    test: SignificanceTest,
    metric: Metric,
    *,
    law: DataLaw = normal_scores,
    runs: int = 1000,
    units: int = 100,
    alpha: float = 0.05,
    sided: Sided = "two",
    seed: int = 0,
) -> ErrorRate:
    """Return how often a test rejects a true null hypothesis: two submissions of a law are compared, again and again.

    Parameters
    ----------
    law : callable
        From a generator, a number of units and a number of submissions to one batch for each submission, all on the
        same gold. Under the law all submissions have the same true score. `normal_scores` and `error_weights` are two.
    runs : int
        The number of data sets. With 1000 of them the standard error of a rate of .05 is .007.
    units : int
        The number of units of each data set, at least 2.
    alpha : float
        Between 0 and 1. A test rejects where p is at most alpha.
    sided : {"one", "two"}
        One-sided is the test that the first submission is better.

    Returns
    -------
    ErrorRate
        Above alpha by more than about three standard errors, the test is too liberal on such data.

    Raises
    ------
    DataError
        If a number is out of range, or the law draws other batches than the metric scores.

    Examples
    --------
    Williams' test holds its level on normal scores, and not where most of the gold is 0:

    >>> import qeframe
    >>> from qeframe.plugin import Metric, SignificanceTest
    >>> from qeframe.testing import error_rate, error_weights
    >>> registry = qeframe.load()
    >>> williams, pearson = registry.get(SignificanceTest, "williams"), registry.get(Metric, "pearson")
    >>> error_rate(williams, pearson, runs=200).value < 0.1
    True
    >>> error_rate(williams, pearson, law=error_weights, runs=200).value > 0.15
    True
    """
    _check(test, metric, runs=runs, units=units, alpha=alpha, sided=sided)
    p = np.array([_p_value(test, metric, law, units, sided, (seed, number)) for number in range(runs)])
    defined = p[~np.isnan(p)]
    value = float((defined <= alpha).mean()) if defined.size else math.nan
    return ErrorRate(
        value=value,
        error=math.sqrt(value * (1 - value) / defined.size) if defined.size else math.nan,
        runs=defined.size,
        undefined=1 - defined.size / runs,
    )


def _p_value(
    test: SignificanceTest, metric: Metric, law: DataLaw, units: int, sided: Sided, key: tuple[int, int]
) -> float:
    """Return p of the first two submissions of the data set with this key, in the order in which they are drawn."""
    batches = tuple(law(np.random.default_rng(key), units, 2))
    for batch in batches:
        if not isinstance(batch, metric.kind):
            raise DataError(
                f"the law draws {type(batch).__name__}", remedy=f"metric '{metric.name}' scores {metric.kind.__name__}"
            )
    task = Sample(metrics=(metric,), batches=batches, key=key)
    return float(run(test, Contest.of(task, as_given=True), sided).p[0])
