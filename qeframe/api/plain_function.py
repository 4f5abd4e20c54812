"""A plain function of two sides as a metric: everything that needs weights recomputes it."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.kinds.registered import kind_named, kind_of


def metric_from(
    function: Callable[..., float],
    *,
    kind: type[Batch] | None = None,
    name: str = "",
    summary: str = "",
    higher_is_better: bool = True,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    smooth: bool = False,
) -> Metric:
    """Make a metric of a plain function, such as one of scipy or scikit-learn.

    Parameters
    ----------
    function : callable
        From the gold and the predicted side to a number; NaN where the score is undefined. The sides are arrays of
        numbers, or for other kinds of batch the plain values that `score` takes, such as lists of sentences of tags.
        For a kind without a gold side, a function of the predicted side.
    kind : type of Batch, optional
        `Scores`, `Tags`, `Detections`, ...: a kind of batch that has plain values; by default `Scores`.
    name : str
        By default the name of the function. Lower case with underscores.
    summary : str
        By default the first line of its docstring.
    higher_is_better : bool
    bounds : (float, float)
        The smallest and the largest possible score.
    smooth : bool
        Whether the score changes little when one unit is left out. Only then do tests by the jackknife apply.

    Returns
    -------
    Metric
        For `score`, `compare` and `audit`. Warnings of the function (about constants in a draw, say) are
        not shown: NaN says that a score is undefined. A plain function takes no weights: a draw of the bootstrap gives
        it every unit as often as it was drawn, and each draw is one call. A plugin with sums of units is hundreds of
        times faster: see the how-to "Write a plugin". The metric pickles where its function does, so that processes can
        compute with a function of a module, not with a lambda.

    Raises
    ------
    DataError
        If the name is no name, or the kind of batch has no plain values. At work: for weights that are not whole
        numbers, and for a function that does not return a number.

    Examples
    --------
    >>> from scipy.stats import theilslopes
    >>> import qeframe
    >>> slope = qeframe.metric_from(lambda gold, predicted: theilslopes(gold, predicted).slope, name="theil_slope")
    >>> round(qeframe.score(slope, [1, 2, 3, 4], [2, 4, 6, 9]), 2)
    0.46
    """
    called = name or getattr(function, "__name__", "")
    if not called.isidentifier():
        raise DataError(f"'{called}' is not the name of a metric", remedy="give name= in lower case with underscores")
    kind = kind or kind_named("Scores").batch
    if kind_of(kind).plain is None:
        raise DataError(f"a batch of {kind.__name__} has no plain values", remedy="write a plugin for this kind")
    described = (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return Metric(
        name=called,
        summary=summary or described or f"the function {called}",
        kind=kind,
        bind=_Recompute(function, called),
        higher_is_better=higher_is_better,
        bounds=bounds,
        smooth=smooth,
    )


@frozen
class _Recompute:
    """The ``bind`` of a plain function: a value, which pickles where the function does."""

    function: Callable[..., float]
    name: str

    def __call__(self, batch: Batch) -> "_Recomputed":
        return _Recomputed(batch, self.function, self.name)


@frozen(eq=False)
class _Recomputed:
    """A statistic that calls a plain function with every unit as often as its weight says."""

    batch: Batch
    function: Callable[..., float]
    name: str

    @property
    def units(self) -> int:
        return len(self.batch)

    @property
    def unit(self) -> str:
        return self.batch.unit

    def __call__(self, weights: FloatArray) -> FloatArray:
        counts = np.asarray(weights).reshape(-1, self.units)
        whole = np.rint(counts).astype(np.int64)
        if (whole != counts).any() or (whole < 0).any():
            what = f"{self.name} is a plain function, which is defined on whole units"
            raise DataError(what, remedy="weights must be whole numbers, none negative")
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            scores = np.array([self._score(row) for row in whole])
        return scores.reshape(np.shape(weights)[:-1])

    def _score(self, counts: Any) -> float:
        if not counts.any():
            return math.nan
        drawn = self.batch if (counts == 1).all() else self.batch.take(np.repeat(np.arange(self.units), counts))
        score = self.function(*_sides(drawn))
        if isinstance(score, bool) or np.ndim(score) or not isinstance(score, (int, float, np.number)):
            raise DataError(f"{self.name} returned {score!r:.60}, not a number", remedy="let the function return one")
        return float(score)


def _sides(batch: Batch) -> list[Any]:
    """Return the gold and the predicted side as a plain function gets them; without gold the predicted side alone."""
    kind = kind_of(type(batch))
    plain = kind.plain(batch) if kind.plain else {}
    sides = kind.sides(batch) if kind.sides else (plain.get("gold"), plain.get("predicted"))
    arrays = (getattr(batch, name, None) for name in ("gold", "predicted"))
    return [
        array if isinstance(array, np.ndarray) and _has_numbers(side) else side
        for array, side in zip(arrays, sides, strict=True)
        if side is not None
    ]


def _has_numbers(value: Any) -> bool:
    """Return whether a plain value is a number, or a list that begins with numbers; an empty list does."""
    return isinstance(value, (int, float)) or (isinstance(value, list) and (not value or _has_numbers(value[0])))
