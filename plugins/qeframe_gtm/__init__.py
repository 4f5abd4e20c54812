"""The General Text Matcher: precision, recall and F-measure of texts (Turian, Shen and Melamed 2003)."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe.plugin.data import PublishedTable
from qeframe_gtm.measures import gtm_f, gtm_precision, gtm_recall
from qeframe_gtm.published import published_tables

__all__ = ["gtm_f", "gtm_precision", "gtm_recall", "qeframe_metrics", "qeframe_published_tables"]


@hookimpl
def qeframe_metrics() -> Sequence[Parametric[Metric]]:
    """Return precision, recall and F-measure."""
    return [Parametric(build) for build in (gtm_f, gtm_precision, gtm_recall)]


@hookimpl
def qeframe_published_tables() -> Sequence[PublishedTable]:
    """Return the published scores of the original program."""
    return published_tables()
