"""The General Text Matcher: precision, recall and F-measure of texts (Turian, Shen and Melamed 2003)."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe_gtm.measures import gtm_f, gtm_precision, gtm_recall

__all__ = ["gtm_f", "gtm_precision", "gtm_recall", "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[Parametric[Metric]]:
    """Return precision, recall and F-measure."""
    return [Parametric(build) for build in (gtm_f, gtm_precision, gtm_recall)]
