"""Significance tests between submissions, and corrections of families of p-values.

Every test is also a documented function on plain numbers and arrays: `williams`, `bootstrap`, `randomisation`,
`sign_p_values`, `t_test`, `wilcoxon`.
"""

from collections.abc import Sequence

from qeframe.plugin import Correction, Parametric, SignificanceTest, hookimpl
from qeframe_significance import components, corrections
from qeframe_significance.bootstrap import BootstrapResult, bootstrap
from qeframe_significance.location import TestResult, t_test, wilcoxon
from qeframe_significance.permutation import permutation
from qeframe_significance.randomisation import RandomisationResult, randomisation
from qeframe_significance.sign import sign, sign_p_values
from qeframe_significance.williams import WilliamsResult, williams

__all__ = [
    "BootstrapResult",
    "RandomisationResult",
    "TestResult",
    "WilliamsResult",
    "bootstrap",
    "qeframe_corrections",
    "qeframe_significance_tests",
    "randomisation",
    "sign_p_values",
    "t_test",
    "wilcoxon",
    "williams",
]


@hookimpl
def qeframe_significance_tests() -> Sequence[SignificanceTest | Parametric[SignificanceTest]]:
    """Bring the tests."""
    return [
        Parametric(components.bootstrap),
        Parametric(permutation),
        Parametric(components.randomisation),
        Parametric(components.t_test),
        components.wilcoxon,
        sign,
        components.williams,
    ]


@hookimpl
def qeframe_corrections() -> Sequence[Correction | Parametric[Correction]]:
    """Bring the corrections."""
    return [corrections.none, corrections.bonferroni, corrections.holm, corrections.bh]
