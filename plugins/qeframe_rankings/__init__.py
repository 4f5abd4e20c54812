"""How scores and comparisons become ranks, winners and clusters.

Ranks are always by score. They are never by the number of submissions that one outperforms, since significance is not
transitive: a submission can outperform many others without being best (Graham, 2015).
"""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_RULES = ["clusters", "not_outperformed", "not_worse_than_best", "ranges", "separated"]
__getattr__, _names = lazy_names(__name__, {"ranking_rules": [*_RULES, "competition_ranks", "rank_shares"]})
__all__ = [*_names(), "qeframe_ranking_rules"]


@hookimpl
def qeframe_ranking_rules() -> Sequence[str]:
    """Return the rules of the shared tasks."""
    return places(__name__, {"ranking_rules": _RULES})
