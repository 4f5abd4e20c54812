"""Significance tests between submissions, and corrections of families of p-values.

Every test is also a documented function of plain numbers and arrays: `williams`, `bootstrap`, `randomization`,
`sign_p_values`, `t_test`, `wilcoxon`.
"""

from collections.abc import Sequence
from typing import Any

from qeframe.plugin import Correction, Parametric, SignificanceTest, hookimpl
from qeframe.plugin.calls import warn_former
from qeframe_significance import components, corrections
from qeframe_significance.approximate_randomization import RandomizationResult, randomization
from qeframe_significance.bootstrap_t import bootstrap_t
from qeframe_significance.correlations.by_normal_theory import hittner, meng, steiger
from qeframe_significance.correlations.by_normal_theory import williams as williams_test
from qeframe_significance.correlations.dependent_correlations import dependent_correlations_z
from qeframe_significance.correlations.williams_formula import WilliamsResult, williams
from qeframe_significance.families.exchanged import max_t
from qeframe_significance.families.romano_wolf import romano_wolf
from qeframe_significance.grids.two_way import two_way_jackknife
from qeframe_significance.jackknife_and_exchange import exchange, jackknife_and_exchange, romano_wolf_and_max_t
from qeframe_significance.jackknife_t import jackknife
from qeframe_significance.metric_permutation import permutation
from qeframe_significance.outcome_signs import sign, sign_p_values
from qeframe_significance.paired_bootstrap import BootstrapResult, bootstrap
from qeframe_significance.stouffer import stouffer_wilcoxon
from qeframe_significance.t_and_wilcoxon import TestResult, t_test, wilcoxon
from qeframe_significance.two_t_tests import either_t_test

__all__ = [
    "BootstrapResult",
    "RandomizationResult",
    "TestResult",
    "WilliamsResult",
    "bootstrap",
    "dependent_correlations_z",
    "either_t_test",
    "qeframe_corrections",
    "qeframe_significance_tests",
    "randomization",
    "sign_p_values",
    "stouffer_wilcoxon",
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
        jackknife,
        Parametric(exchange),
        Parametric(jackknife_and_exchange),
        Parametric(bootstrap_t),
        two_way_jackknife,
        components.wilcoxon,
        either_t_test,
        stouffer_wilcoxon,
        sign,
        williams_test,
        steiger,
        meng,
        hittner,
    ]


@hookimpl
def qeframe_corrections() -> Sequence[Correction | Parametric[Correction]]:
    """Return the corrections."""
    return [
        corrections.none,
        corrections.bonferroni,
        corrections.holm,
        corrections.bh,
        Parametric(romano_wolf),
        Parametric(max_t),
        Parametric(romano_wolf_and_max_t),
    ]


_FORMER = {"randomisation": "randomization", "RandomisationResult": "RandomizationResult"}
"""Former spellings of public names."""


def __getattr__(name: str) -> Any:
    """Return a public name by its former spelling, with a warning."""
    if name not in _FORMER:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    warn_former(f"name in {__name__}", name, _FORMER[name])
    return globals()[_FORMER[name]]
