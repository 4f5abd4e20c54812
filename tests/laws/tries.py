"""How many examples of a law are tried on a component of the project: fewer where an example takes long.

The numbers are declared, not measured, so that what is tried is the same everywhere. A component belongs to `SLOW`
if its laws take seconds with `MOST` examples: ``pytest tests/laws --durations=20`` shows it.
"""

from collections.abc import Iterator

import attrs
from hypothesis import settings

from qeframe.core.component import Component
from qeframe.core.significance import SignificanceTest
from qeframe.testing import Check, checks_of

__all__ = ["SLOW", "checks_to_try"]

MOST, FEW, OF_FORM = 10, 6, 3
FORM = {"shape", "input", "determinism", "broadcasting", "stack"}
"""Laws of metrics and others about the form of what is returned, which hardly depend on the example."""
SLOW = {
    "nist",
    *("bleu", "sentence_bleu", "chrf", "ter", "cder", "edit_rate"),
    *("annotation_f1", "annotation_precision", "annotation_recall"),
    *("mpp_f", "mpp_precision", "mpp_recall"),
    *("auroc", "token_auroc", "judged_pearson", "judged_spearman", "acc_eq", "spa_acc_eq"),
}


def checks_to_try(component: Component) -> Iterator[Check]:
    """Yield the checks of a component; a significance test is slow as well, since it scores many draws."""
    is_test = isinstance(component, SignificanceTest)
    usual = FEW if is_test or component.name.partition("(")[0] in SLOW else MOST
    for check in checks_of(component):
        tries = OF_FORM if check.law.name in FORM and not is_test else usual
        yield attrs.evolve(check, tries=min(tries, settings().max_examples), presupposed=())
