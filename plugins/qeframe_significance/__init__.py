"""Significance tests between submissions, and corrections of families of p-values.

Every test is also a documented function of plain numbers and arrays: `williams`, `bootstrap`, `randomization`,
`sign_p_values`, `t_test`, `wilcoxon`.
"""

from collections.abc import Sequence
from typing import Any

from qeframe.plugin import Correction, Parametric, SignificanceTest, hookimpl, warn_former
from qeframe_significance import components, corrections
from qeframe_significance.bootstrap_test import BootstrapResult, bootstrap
from qeframe_significance.location import TestResult, t_test, wilcoxon
from qeframe_significance.permutation_test import permutation
from qeframe_significance.randomization_test import RandomizationResult, randomization
from qeframe_significance.sign_test import sign, sign_p_values
from qeframe_significance.williams_test import WilliamsResult, williams

__all__ = [
    "BootstrapResult",
    "RandomizationResult",
    "TestResult",
    "WilliamsResult",
    "bootstrap",
    "qeframe_corrections",
    "qeframe_significance_tests",
    "randomization",
    "sign_p_values",
    "t_test",
    "wilcoxon",
    "williams",
]


@hookimpl
def qeframe_significance_tests() -> Sequence[SignificanceTest | Parametric[SignificanceTest]]:
    """Return the tests."""
    return [
        Parametric(components.bootstrap, former_values={"p": {"centred": "centered"}}),  # codespell:ignore centred
        Parametric(
            permutation,
            former_parameters={"standardise": "standardize"},  # codespell:ignore standardise
            former_values={"unit": {"judgement": "judgment"}},  # codespell:ignore judgement
        ),
        Parametric(components.randomization, formerly=("randomisation",)),
        Parametric(components.t_test),
        components.wilcoxon,
        sign,
        components.williams,
    ]


@hookimpl
def qeframe_corrections() -> Sequence[Correction | Parametric[Correction]]:
    """Return the corrections."""
    return [corrections.none, corrections.bonferroni, corrections.holm, corrections.bh]


_FORMER = {"randomisation": "randomization", "RandomisationResult": "RandomizationResult"}
"""Former spellings of public names."""


def __getattr__(name: str) -> Any:
    """Return a public name by its former spelling, with a warning."""
    if name not in _FORMER:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    warn_former(f"name in {__name__}", name, _FORMER[name])
    return globals()[_FORMER[name]]
