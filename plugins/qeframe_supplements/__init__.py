"""What an evaluation has on request: explanations, equivalence of pairs, detectable differences, influential units.

All but slices follow from the leave-one-out scores of the jackknife. A module has the frozen values that a result holds
and the function that computes them.
"""

from collections.abc import Sequence

from qeframe.plugin import Parametric, hookimpl
from qeframe.plugin.evaluation import Supplement
from qeframe_supplements.detectable_differences import Detectable, detectable
from qeframe_supplements.equivalence import PairEquivalence, Verdict, equivalence
from qeframe_supplements.explanation import explain
from qeframe_supplements.influence import FewestUnits, Influence, MovedScore, WinnerWithout, influence

__all__ = [
    "Detectable",
    "FewestUnits",
    "Influence",
    "MovedScore",
    "PairEquivalence",
    "Verdict",
    "WinnerWithout",
    "detectable",
    "equivalence",
    "explain",
    "influence",
    "qeframe_supplements",
]


@hookimpl
def qeframe_supplements() -> Sequence[Supplement | Parametric[Supplement]]:
    """Return the four supplements that `qeframe run` has options for."""
    return [Parametric(detectable), Parametric(equivalence), explain, Parametric(influence)]
