"""The tails of the gold: what a submission does on the worst, or on the best, share of the units."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, Metric, Scores, ratio
from qeframe.plugin.resampling import ExchangeByWeights, TieGroups, bounded_slices, flatten_draws, tie_groups

End = Literal["worst", "best"]
_SLACK = 1e-9
"""Of a number of units that is whole up to rounding: .1 of 30 units are 3."""

_ARRAYS = 8
"""How many arrays of one number a unit and draw live at once."""

_SOURCE = "After Moreau and Vogel (2014), who have recall and precision at a quantile; Graham (2015), section 2.2"
_SYMBOLS = (
    r"$k = \max(1, \lfloor q n \rfloor)$, where $n$ is the number of units and $q$ the parameter `share`. $G$ are the "
    "units whose gold is at least as bad as the $k$-th worst, so that there are more than $k$ where the gold is tied; "
    "with `end=best`, at least as good as the $k$-th best."
)
_TOP = (
    " $T$ are the $k$ units with the worst predictions. Of units tied at the border, each counts with the share of "
    "them that is within."
)


@frozen(eq=False)
class _Sides:
    """What a score is made of, in some draws, (n, draws) or (groups, draws).

    `count` (draws,): k.
    `weights`, `errors` (n, draws), (n, 1): the weight of each unit, and its absolute error.
    `tail` (n, draws): whether the unit is in the tail of the gold.
    `by_prediction`: the units by their predictions, the worst first.
    """

    count: FloatArray
    weights: FloatArray
    errors: FloatArray
    tail: BoolArray
    by_prediction: TieGroups

    @property
    def tailed(self) -> FloatArray:
        """The weight of each unit in the tail, (n, draws)."""
        return self.weights * self.tail

    def hits(self) -> FloatArray:
        """Return the weight of the tail among the k worst predictions, (draws,)."""
        inside, every = self.by_prediction.sum(self.tailed), self.by_prediction.sum(self.weights)
        room = np.clip(self.count - (every.cumsum(axis=0) - every), 0.0, every)
        hits: FloatArray = (inside * np.divide(room, every, out=np.zeros_like(every), where=every > 0)).sum(axis=0)
        return hits


TailScore = Callable[[_Sides], FloatArray]


def _precision(sides: _Sides) -> FloatArray:
    return ratio(sides.hits(), sides.count)


def _recall(sides: _Sides) -> FloatArray:
    return ratio(sides.hits(), sides.tailed.sum(axis=0))


def _area(sides: _Sides) -> FloatArray:
    inside = sides.by_prediction.sum(sides.tailed)
    outside = sides.by_prediction.sum(sides.weights) - inside
    worse = inside.cumsum(axis=0) - inside / 2
    return ratio((worse * outside).sum(axis=0), inside.sum(axis=0) * outside.sum(axis=0))


def _error(sides: _Sides) -> FloatArray:
    return ratio((sides.tailed * sides.errors).sum(axis=0), sides.tailed.sum(axis=0))


@frozen(eq=False)
class _Tail:
    """A score of a tail as a statistic: the tail is that of the weighted units."""

    gold: TieGroups
    predicted: TieGroups
    errors: FloatArray
    share: float
    score: TailScore
    unit: str

    @property
    def units(self) -> int:
        return len(self.errors)

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.full(len(flat), np.nan)
        for part in bounded_slices(len(flat), _ARRAYS * self.units) if self.units else []:
            scores[part] = self.score(self.sides(np.ascontiguousarray(flat[part].T)))
        return scores.reshape(weights.shape[:-1])

    def sides(self, columns: FloatArray) -> _Sides:
        """Return what the score is made of, from the weights (n, draws)."""
        whole = columns.sum(axis=0)
        count = np.minimum(np.maximum(1.0, np.floor(self.share * whole + _SLACK)), whole)
        groups = self.gold.sum(columns)
        begun = groups.cumsum(axis=0) - groups < count
        return _Sides(count, columns, self.errors[:, None], begun[self.gold.group_of_unit], self.predicted)


def _tail(end: End, share: float, score: TailScore, batch: Scores) -> _Tail:
    first = (batch.best == "low") == (end == "worst")  # whether the tail has the high values
    gold, predicted = (tie_groups(-side if first else side) for side in (batch.gold, batch.predicted))
    return _Tail(gold, predicted, np.abs(batch.predicted - batch.gold), share, score, batch.unit)


def _details(end: End, share: float, batch: Scores) -> Mapping[str, Any]:
    """Return k, the number of units in the tail, and the mean signed error in it."""
    sides = _tail(end, share, _error, batch).sides(np.ones((len(batch), 1)))
    tail = sides.tail[:, 0]
    bias = float((batch.predicted - batch.gold)[tail].mean()) if tail.any() else float("nan")
    return {"k": int(sides.count[0]), "tail": int(tail.sum()), "bias": bias}


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "tail_precision": {"cosmetic": 0.05},
    "tail_recall": {"cosmetic": 0.05},
    "tail_auc": {"cosmetic": 0.05},
    "tail_mae": {"blind": 0.85, "cosmetic": 0.05},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(name: str, summary: str, end: End, share: float, score: TailScore, formula: str, symbols: str) -> Metric:
    if not 0 < share < 1:
        raise DataError(f"{name}: share must be above 0 and below 1, not {share:g}", remedy="set share=0.1")
    bind = partial(_tail, end, share, score)
    bounded = score is not _error
    return Metric(
        name=name,
        summary=summary,
        source=_SOURCE,
        formula=formula,
        symbols=f"{_SYMBOLS}{symbols}",
        kind=Scores,
        bind=bind,
        exchange=ExchangeByWeights(bind),
        details=partial(_details, end, share),
        bounds=(0.0, 1.0) if bounded else (0.0, np.inf),
        higher_is_better=bounded,
        smooth=False,
        claims=("constant_proof", "blind_proof") if bounded else ("monotone",),
        known_weaknesses=_KNOWN[name],
    )


def tail_precision(*, end: End = "worst", share: float = 0.1) -> Metric:
    """Share of the k worst predictions that are in the worst tail of the gold.

    Mean errors reward answers near the mean, which are of no use where the worst, or the best, translations are sought.
    The definition is qeframe's own: no measure of the tails was published with all its rules.

    Parameters
    ----------
    end : {"worst", "best"}
        Which end of the gold; the batch declares whether low or high values are good.
    share : float
        The share of the units in the tail, above 0 and below 1. k is this share of the units, rounded down; at least 1.

    Returns
    -------
    Metric
        On `Scores`, in [0, 1]; higher is better. Predictions that are tied at the border count in proportion, so that a
        constant has the size of the tail over the number of units. 1 for a constant gold; undefined (NaN) only without
        units.

    Raises
    ------
    DataError
        For a share out of range.

    References
    ----------
    Moreau and Vogel (2014), COLING; Graham (2015), ACL.
    """
    summary = "Share of the k worst predictions that are in the worst tail of the gold; a constant has its size"
    formula = r"\frac{|T \cap G|}{k}"
    return _metric("tail_precision", summary, end, share, _precision, formula, _TOP)


def tail_recall(*, end: End = "worst", share: float = 0.1) -> Metric:
    """Share of the worst tail of the gold that is among the k worst predictions.

    Parameters
    ----------
    end, share
        See `tail_precision`.

    Returns
    -------
    Metric
        On `Scores`, in [0, 1]; higher is better. It equals `tail_precision` but where the gold is tied at the border:
        the tail has then more than k units, and the gold itself has a recall below 1. A constant has k over the number
        of units. Undefined (NaN) only without units.

    Raises
    ------
    DataError
        For a share out of range.

    References
    ----------
    Moreau and Vogel (2014), COLING; Graham (2015), ACL.
    """
    summary = "Share of the worst tail of the gold that is among the k worst predictions"
    formula = r"\frac{|T \cap G|}{|G|}"
    return _metric("tail_recall", summary, end, share, _recall, formula, _TOP)


def tail_auc(*, end: End = "worst", share: float = 0.1) -> Metric:
    """How often a unit of the worst tail of the gold has a worse prediction than another one; ties count one half.

    Parameters
    ----------
    end, share
        See `tail_precision`.

    Returns
    -------
    Metric
        On `Scores`, in [0, 1]; higher is better. 1/2 for a constant prediction. Undefined (NaN) where all units are in
        the tail, as with a constant gold.

    Raises
    ------
    DataError
        For a share out of range.

    References
    ----------
    Moreau and Vogel (2014), COLING; Graham (2015), ACL.
    """
    summary = "How often a unit of the worst tail of the gold is ranked as worse than another; a constant has 1/2"
    formula = (
        r"\frac{1}{|G| (n - |G|)} \sum_{i \in G} \; \sum_{j \notin G} \left( [x_i \succ x_j] + \frac{1}{2} [x_i = x_j] "
        r"\right)"
    )
    symbols = (
        r" $x_i$ is the prediction for unit $i$; $\succ$ is worse. A bracket is 1 where its condition holds, else 0."
    )
    return _metric("tail_auc", summary, end, share, _area, formula, symbols)


def tail_mae(*, end: End = "worst", share: float = 0.1) -> Metric:
    """Mean absolute error in the worst tail of the gold.

    It shows what `mae` hides: predictions near the mean have small errors in the middle and large ones in the tail. By
    itself it is gamed by a constant within the tail, `constant_tail`, so read it with `mae`. Its details have the bias,
    the mean of prediction minus gold in the tail.

    Parameters
    ----------
    end, share
        See `tail_precision`.

    Returns
    -------
    Metric
        On `Scores`; 0 is perfect, lower is better. `mae` for a constant gold; undefined (NaN) only without units.

    Raises
    ------
    DataError
        For a share out of range.

    References
    ----------
    Moreau and Vogel (2014), COLING; Graham (2015), ACL.
    """
    summary = "Mean absolute error in the worst tail of the gold; gamed by a constant within it"
    formula = r"\frac{1}{|G|} \sum_{i \in G} \left| x_i - y_i \right|"
    symbols = " $x_i$ is the prediction for unit $i$, and $y_i$ its gold value."
    return _metric("tail_mae", summary, end, share, _error, formula, symbols)
