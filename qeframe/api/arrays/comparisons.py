"""What `compare` returns: lists of comparisons that know how they were corrected."""

from collections.abc import Iterable, Sequence

from qeframe.core.display import Drawn, Shown
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation


class Comparisons(Drawn, list[Comparison]):
    """A list of all pairs of submissions under one metric, ordered by the score of a, then by the score of b.

    Parameters
    ----------
    pairs : iterable of Comparison
    metric : str
    alpha : float, optional
        The threshold of adjusted p; None if it is not known.
    correction : str
        "none" if nothing was corrected; empty if it is not known. A plain list of `Comparison` knows neither: the
        comparisons of an evaluation are ``Comparisons.of(evaluation)``.
    metrics : int
        Under how many metrics the pairs were corrected together.
    warnings : sequence of str
        What limits the comparisons.

    Examples
    --------
    >>> import qeframe
    >>> answers = {"good": [1, 2, 3, 5, 4, 6, 8, 7], "poor": [3, 1, 2, 4, 8, 7, 5, 6]}
    >>> pairs = qeframe.compare("pearson", range(8), answers)
    >>> len(pairs), pairs.metric, pairs.alpha
    (1, 'pearson', 0.05)
    """

    def __init__(
        self,
        pairs: Iterable[Comparison] = (),
        *,
        metric: str = "",
        alpha: float | None = None,
        correction: str = "",
        metrics: int = 1,
        warnings: Sequence[str] = (),
    ) -> None:
        super().__init__(pairs)
        self.warnings = tuple(warnings)
        self.metric, self.alpha, self.correction, self.metrics = metric, alpha, correction, metrics

    @classmethod
    def of(cls, evaluation: Evaluation) -> "Comparisons":
        """Return the comparisons of an evaluation, with its threshold and its correction.

        They are those over all tasks, then those of each task. An evaluation without a test has none.
        """
        rules = evaluation.signature.rules
        return cls(
            evaluation.comparisons,
            metric=evaluation.primary,
            alpha=rules.get("alpha"),
            correction=rules.get("correction", ""),
            warnings=evaluation.warnings,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The submissions, best first."""
        return tuple(dict.fromkeys([*(pair.a for pair in self), *(pair.b for pair in self)]))

    @property
    def significance(self) -> str:
        """What a significant difference is, in words: no more than is known."""
        at = "" if self.alpha is None else f" at alpha = {self.alpha:g}"
        by = f", correction {self.correction}" if self.correction else ""
        together = f" of all pairs under {self.metrics} metrics" if self.metrics > 1 else ""
        return f"significant{at}{by}{together}"


class ComparisonsByMetric(Shown, list[Comparisons]):
    """A list with the comparisons under each of several metrics, in the order of the caller.

    Examples
    --------
    >>> import qeframe
    >>> answers = {"good": [1, 2, 3, 5, 4, 6, 8, 7], "poor": [3, 1, 2, 4, 8, 7, 5, 6]}
    >>> by_metric = qeframe.compare(["pearson", "mae"], range(8), answers)
    >>> by_metric[1]
    <Comparisons under mae: 1 pair of 2 submissions, 0 significant>
    """

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits the comparisons; under several metrics each begins with the name of its metric."""
        several = len(self) > 1
        return tuple(
            f"{comparison.metric}: {text}" if several else text for comparison in self for text in comparison.warnings
        )
