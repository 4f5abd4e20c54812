"""The General Text Matcher: precision, recall and F-measure of texts (Turian, Shen and Melamed 2003)."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_METRICS = {"measures": ["gtm_f", "gtm_precision", "gtm_recall"]}
__getattr__, _names = lazy_names(__name__, _METRICS)
__all__ = [*_names(), "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Return precision, recall and F-measure."""
    return places(__name__, _METRICS)
