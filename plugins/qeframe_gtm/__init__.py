"""The General Text Matcher: precision, recall and F-measure of texts (Turian, Shen and Melamed 2003)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

if TYPE_CHECKING:
    from qeframe.plugin.data import PublishedTable

_METRICS = {"measures": ["gtm_f", "gtm_precision", "gtm_recall"]}
__getattr__, _names = lazy_names(__name__, _METRICS)
__all__ = [*_names(), "qeframe_metrics", "qeframe_published_tables"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Return precision, recall and F-measure."""
    return places(__name__, _METRICS)


@hookimpl
def qeframe_published_tables() -> "Sequence[PublishedTable]":
    """Return the published scores of the original program."""
    from qeframe_gtm.published import published_tables

    return published_tables()
