"""How many examples of a law are tried on a component of the project: fewer where an example takes long.

The numbers are declared, not measured, so that what is tried is the same everywhere. A component belongs to `SLOW`
if its laws take seconds with `MOST` examples: ``pytest tests/laws --durations=20`` shows it.
"""

from hypothesis import settings

from qeframe.core.component import Component
from qeframe.core.significance import SignificanceTest

__all__ = ["tries_for"]

MOST, FEW = 12, 8
SLOW = {
    "nist",
    *("bleu", "sentence_bleu", "chrf", "ter", "cder"),
    *("annotation_f1", "annotation_precision", "annotation_recall"),
    *("mpp_f", "mpp_precision", "mpp_recall"),
    *("auroc", "token_auroc", "judged_pearson", "judged_spearman", "acc_eq", "spa_acc_eq"),
}


def tries_for(component: Component) -> int:
    """Return the number of examples of each law; a significance test is slow as well, since it scores many draws."""
    slow = component.name.partition("(")[0] in SLOW or isinstance(component, SignificanceTest)
    return min(FEW if slow else MOST, settings().max_examples)
