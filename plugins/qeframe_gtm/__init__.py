"""The General Text Matcher: precision, recall and F-measure of texts (Turian, Shen and Melamed 2003)."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_METRICS = {"measures": ["gtm_f", "gtm_precision", "gtm_recall"]}
__getattr__, _names = lazy_names(__name__, _METRICS)
__all__ = [*_names(), "qeframe_metrics", "qeframe_published_tables"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Return precision, recall and F-measure."""
    return places(__name__, _METRICS)


@hookimpl
def qeframe_published_tables() -> Sequence[str]:
    """Return the published scores of the original program."""
    return places(__name__, {"published": ["gtm_wmt16"]})
