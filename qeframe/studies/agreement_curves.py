"""Agreement with human judges as a function of document size: the curves, and tests between them."""

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen

from qeframe.api.arrays.comparing import compare
from qeframe.core.batch import FloatArray
from qeframe.core.findings import Comparison
from qeframe.core.registry import Registry

BETWEEN_JUDGES = "between judges"
"""The name of the curve that correlates judges with each other."""


@frozen(kw_only=True, eq=False)
class AgreementCurve:
    """The correlations of one metric, or of one judge, with a judge, by document size.

    Parameters
    ----------
    name : str
        A metric, or `BETWEEN_JUDGES`.
    scale : str
        The human scale.
    references : int
        Number of references given to the metric; 0 for judges.
    sizes : tuple of int
        Numbers of sentences in a document.
    values : (sizes, draws) float64
        Spearman's correlation over the systems in every document, in [-1, 1]. 0 where the metric gives all systems the
        same score, NaN where the judges do.
    """

    name: str
    scale: str
    references: int
    sizes: tuple[int, ...]
    values: FloatArray = field(repr=False)

    @property
    def label(self) -> str:
        """The name, and the number of references if there are several."""
        return f"{self.name}, {self.references} references" if self.references > 1 else self.name

    @property
    def mean(self) -> FloatArray:
        """(sizes,) float64: the mean over the documents with a defined correlation; NaN if there is none."""
        defined = np.isfinite(self.values)
        total = np.where(defined, self.values, 0).sum(axis=1)
        return np.divide(total, defined.sum(axis=1), out=np.full(len(total), np.nan), where=defined.any(axis=1))

    @property
    def spread(self) -> FloatArray:
        """(sizes,) float64: the standard deviation over documents; NaN for fewer than two."""
        count = np.isfinite(self.values).sum(axis=1)
        squares = np.nansum((self.values - self.mean[:, None]) ** 2, axis=1)
        return np.sqrt(np.divide(squares, count - 1, out=np.full(len(count), np.nan), where=count > 1))

    @property
    def undefined(self) -> FloatArray:
        """(sizes,) float64: the share of documents whose correlation is undefined."""
        return np.isnan(self.values).mean(axis=1)


def compare_curves(
    curves: Sequence[AgreementCurve],
    size: int,
    *,
    metric: str = "mean",
    test: str = "wilcoxon",
    correction: str = "holm",
    registry: Registry | None = None,
) -> list[Comparison]:
    """Test which metrics correlate higher with judges on documents of one size.

    Parameters
    ----------
    curves : sequence of AgreementCurve
        Of one scale. A document counts only if its correlation is defined in every curve of a metric.
    size : int
        One of the sizes of the curves.
    metric : str
        The metric on `Values` that combines the correlations of all documents; by default their mean.
    test : str
        By default Wilcoxon's signed-rank test, as in the paper.
    correction : str
        For the family of all pairs.
    registry : Registry, optional
        By default all installed plugins.

    Returns
    -------
    list of Comparison
        All pairs, the higher mean first; empty if there are fewer than two curves of metrics.

    Notes
    -----
    As in the paper, the units are documents drawn from the same sentences. The p-value therefore falls with the number
    of draws: it answers whether the draws are enough to separate two means, and does not extend to other sentences or
    other systems.
    """
    correlations = {curve.label: curve.values[curve.sizes.index(size)] for curve in curves if curve.references}
    if len(correlations) < 2:
        return []
    defined = np.isfinite(np.stack(list(correlations.values()))).all(axis=0)
    values = {label: row[defined] for label, row in correlations.items()}
    return compare(metric, None, values, test=test, correction=correction, registry=registry)
