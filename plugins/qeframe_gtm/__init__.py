"""The General Text Matcher: precision, recall and F-measure of texts (Turian, Shen and Melamed 2003)."""

from collections.abc import Sequence

from qeframe import hookimpl
from qeframe.components import Family, Metric
from qeframe_gtm.measures import gtm_f, gtm_precision, gtm_recall

__all__ = ["gtm_f", "gtm_precision", "gtm_recall", "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[Family[Metric]]:
    """Bring precision, recall and F-measure."""
    return [Family(build) for build in (gtm_f, gtm_precision, gtm_recall)]
