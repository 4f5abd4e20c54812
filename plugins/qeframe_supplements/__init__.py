"""What an evaluation has on request: explanations, equivalence of pairs, detectable differences, influential units.

All but slices follow from the leave-one-out scores of the jackknife. `influence` has the supplement and the tables of
influential units, and `influential_units` computes their values. Every other module has a supplement and its values.
"""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_SUPPLEMENTS = {
    "detectable_differences": ["detectable"],
    "equivalence": ["equivalence"],
    "explanation": ["explain"],
    "influence": ["influence"],
    "wmt26_rankings": ["wmt26_rankings"],
}
_VALUES = {
    "detectable_differences": ["Detectable"],
    "equivalence": ["PairEquivalence", "Verdict"],
    "influential_units": ["FewestUnits", "Influence", "MovedScore", "WinnerWithout"],
}
__getattr__, _names = lazy_names(__name__, _VALUES)
__all__ = [*_names(), "qeframe_supplements"]


@hookimpl
def qeframe_supplements() -> Sequence[str]:
    """Return the four supplements that `qeframe run` has options for, and the rankings of a human evaluation."""
    return places(__name__, _SUPPLEMENTS)
