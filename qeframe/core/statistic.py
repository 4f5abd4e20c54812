"""The one abstraction: a metric bound to a batch is a function from unit weights to scores.

Weights of 1 give the point estimate, multinomial counts the bootstrap, 1 - I the jackknife, zeros and ones a slice, a
vector of counts a pseudo-document. Most metrics are *additive*: a score of weighted sums of per-unit rows. Drawn
weights are then one matrix product, and the jackknife takes each row from the total.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch, FloatArray, IntArray, hold_rows, is_sparse
from qeframe.core.component import WrongReturnError, describe, numbers_of_shape
from qeframe.core.display import Brief
from qeframe.core.draws import bounded_slices
from qeframe.core.ragged import read_only

Score = Callable[[FloatArray], FloatArray]
Combine = Callable[[FloatArray, FloatArray], FloatArray]

_ARRAYS_OF_DENSE_ROWS = 8
"""How many arrays of one number a unit and column live at once: rows made dense, and what a score makes of them."""


@runtime_checkable
class Statistic(Protocol):
    """A metric bound to a batch.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Metric, Scores
    >>> statistic = qeframe.load().get(Metric, "mae").bind(Scores.from_plain([1, 2, 3], [1, 2, 6]))
    >>> float(statistic(np.ones(3))), statistic(np.array([[2.0, 0, 1], [1, 1, 0]])).tolist()
    (1.0, [1.0, 0.0])
    """

    @property
    def units(self) -> int:
        """How many units have a weight."""

    @property
    def unit(self) -> str:
        """What a unit is: "segment", "sentence", "judgment" ..."""

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Return the scores under unit weights, (..., n) -> (...); NaN where the score is undefined."""


def _matrix(rows: Any) -> Any:
    """Return rows as float64, read-only, copied if they can be written to elsewhere."""
    if is_sparse(rows):
        from scipy.sparse import csr_array

        return hold_rows(csr_array(numbers_of_shape(rows, "bind", (None, None), "units x columns"), dtype=np.float64))
    array = np.asarray(rows)
    if array.ndim not in (1, 2) or array.dtype.kind not in "biuf":
        raise WrongReturnError("bind", f"rows that are {describe(rows)}", "numbers of shape (n, k), units x columns")
    kept = read_only(np.asarray(array, dtype=np.float64))
    return kept[:, None] if kept.ndim == 1 else kept


@frozen(eq=False, repr=False)
class Additive(Brief):
    """A statistic that depends on weighted sums of per-unit rows only.

    Parameters
    ----------
    rows : (n, k) float64
        The sufficient statistics of every unit; row i depends on unit i alone. A scipy sparse array stays sparse,
        which suits many columns that are 0 for most units.
    score : callable
        From sums (..., k) to scores (...). Rows of several statistics are exchanged only if all have the very same
        function: one of the module or of the metric, not one that is made in every call of ``bind``.
    unit : str
        What a unit is.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Additive, mean_of_sums
    >>> mean = Additive(np.array([[1.0, 2.0], [1.0, 4.0]]), mean_of_sums)  # rows (1, x)
    >>> float(mean(np.array([1.0, 1.0]))), float(mean(np.array([3.0, 1.0])))
    (3.0, 2.5)
    """

    rows: FloatArray = field(converter=_matrix)
    score: Score
    unit: str = "unit"

    @property
    def units(self) -> int:
        """How many units there are."""
        return int(self.rows.shape[0])

    def __call__(self, weights: FloatArray) -> FloatArray:
        weight = np.asarray(weights, dtype=np.float64)
        if not is_sparse(self.rows):
            return self.score(weight @ self.rows)
        flat = weight.reshape(math.prod(weight.shape[:-1]), self.units)
        return self.score((flat @ self.rows).reshape(*weight.shape[:-1], self.rows.shape[1]))

    def unit_scores(self) -> FloatArray:
        """Return the score of every unit alone, (n,)."""
        rows: Any = self.rows
        if not is_sparse(rows):
            return np.asarray(self.score(rows), dtype=np.float64)
        parts = bounded_slices(self.units, _ARRAYS_OF_DENSE_ROWS * rows.shape[1])
        return np.concatenate([np.empty(0), *(np.array(self.score(rows[part].toarray())) for part in parts)])


def additive(
    *, columns: Sequence[str], extract: Callable[[Any], FloatArray], score: Score
) -> Callable[[Batch], Additive]:
    """Return a ``bind`` for the large class of metrics that are a score of sums.

    Parameters
    ----------
    columns : sequence of str
        What the k columns count; shown in error messages.
    extract : callable
        From a batch to its rows, (n, k). Metrics with the same function share its result.
    score : callable
        From sums (..., k) to scores (...), NaN or a stated value where undefined, without warnings.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Scores, additive, mean_of_sums
    >>> def rows(batch):
    ...     return np.stack([np.ones(len(batch)), batch.predicted == batch.gold], axis=1)
    >>> bind = additive(columns=("units", "equal"), extract=rows, score=mean_of_sums)
    >>> float(bind(Scores.from_plain([1, 2, 3, 4], [1, 2, 3, 5]))(np.ones(4)))
    0.75
    """
    return _BindAdditive(tuple(columns), extract, score)


@frozen
class _BindAdditive:
    """The ``bind`` of an additive metric: a value, so that it can be sent to other processes."""

    columns: tuple[str, ...]
    extract: Callable[[Any], FloatArray]
    score: Score

    def __call__(self, batch: Batch) -> Additive:
        shape, columns = (len(batch), len(self.columns)), f"units x columns {', '.join(self.columns)}"
        rows = numbers_of_shape(batch.rows(self.extract), "extract", shape, columns)
        return Additive(rows, self.score, batch.unit)


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return numerator / denominator, NaN where the denominator is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import ratio
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    undefined = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator > 0)


def mean_of_sums(sums: FloatArray) -> FloatArray:
    """Return the second sum over the first, (..., 2) -> (...): a mean from a count and a total; NaN without a count.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import mean_of_sums
    >>> mean_of_sums(np.array([[4.0, 3.0], [0.0, 0.0]])).tolist()
    [0.75, nan]
    """
    return ratio(sums[..., 1], sums[..., 0])


def flatten_draws(weights: FloatArray) -> FloatArray:
    """Return weights (..., n) as (draws, n), also for n = 0."""
    return np.asarray(weights, dtype=np.float64).reshape(math.prod(weights.shape[:-1]), weights.shape[-1])


@frozen(eq=False)
class Grouped:
    """A statistic whose units are groups of another's: the weight of a group is given to each of its members."""

    statistic: Statistic
    index: IntArray
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        return self.statistic(weights[..., self.index])


def by_group(statistic: Statistic, index: IntArray, groups: int, unit: str) -> Statistic:
    """Return the statistic with whole groups as units: documents, judges, rankings.

    Where every part of a `Sliced` statistic lies in one group, whole parts are drawn: their scores stay, and the draw
    weights them.

    Parameters
    ----------
    index : (n,) int64
        The group of every unit, from 0 to ``groups - 1``.
    """
    if isinstance(statistic, Sliced):
        group_of_part = np.array([index[units[0]] for units in statistic.members])
        if all((index[units] == group).all() for units, group in zip(statistic.members, group_of_part, strict=True)):
            return WholeParts(statistic.part_scores(), group_of_part, statistic.combine, groups, unit)
    if not isinstance(statistic, Additive):
        return Grouped(statistic, index, groups, unit)
    if is_sparse(statistic.rows):
        from scipy.sparse import csr_array

        members = csr_array((np.ones(len(index)), (index, np.arange(len(index)))), shape=(groups, len(index)))
        return Additive(members @ statistic.rows, statistic.score, unit)
    rows = np.zeros((groups, statistic.rows.shape[1]))
    np.add.at(rows, index, statistic.rows)
    return Additive(rows, statistic.score, unit)


@frozen(eq=False)
class Sliced:
    """A statistic that scores parts of the units and combines the scores, as macro averages do.

    Units are drawn: the parts are scored again in every draw, and all count 1.

    Parameters
    ----------
    parts : sequence of Statistic
        One for each part, on that part's units.
    members : sequence of (m,) int64
        The units of each part.
    combine : callable
        From scores (..., parts) and the weights of the parts (..., parts) to scores (...).
    """

    parts: tuple[Statistic, ...]
    members: tuple[IntArray, ...]
    combine: Combine
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        scores = np.stack(  # copies, since a part may write its next scores into the same array
            [np.array(part(weights[..., units])) for part, units in zip(self.parts, self.members, strict=True)], axis=-1
        )
        return self.combine(scores, np.ones(len(self.parts)))

    def part_scores(self) -> FloatArray:
        """Return the score of every part, (parts,), all units with weight one."""
        return np.array([float(part(np.ones(part.units))) for part in self.parts])


@frozen(eq=False)
class WholeParts:
    """A statistic that combines scores of parts. Whole parts are drawn: their scores stay, and the draw weights them.

    `scores` (parts,).
    `group_of_part` (parts,): the unit, a group of parts, that gives each part its weight.
    `combine`: from scores (..., parts) and the weights of the parts (..., parts) to scores (...).
    """

    scores: FloatArray
    group_of_part: IntArray
    combine: Combine
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        of_parts = np.asarray(weights, dtype=np.float64)[..., self.group_of_part]
        return self.combine(np.broadcast_to(self.scores, of_parts.shape), of_parts)
