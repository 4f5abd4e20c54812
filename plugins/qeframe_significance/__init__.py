"""Significance tests between submissions, and corrections of families of p-values.

Every test is also a documented function of plain numbers and arrays: `williams`, `bootstrap`, `randomization`,
`sign_p_values`, `t_test`, `wilcoxon`.
"""

from collections.abc import Sequence
from typing import Any

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_TESTS = {
    "bootstrap_t": ["bootstrap_t"],
    "components": ["bootstrap = BOOTSTRAP", "randomization = RANDOMIZATION [randomisation]", "t_test", "wilcoxon"],
    "correlations.by_normal_theory": ["hittner", "meng", "steiger", "williams"],
    "grids.two_way": ["two_way_jackknife"],
    "jackknife_and_exchange": ["exchange", "jackknife_and_exchange"],
    "jackknife_t": ["jackknife"],
    "metric_permutation": ["permutation = PERMUTATION"],
    "outcome_signs": ["sign"],
    "stouffer": ["stouffer_wilcoxon"],
    "t_and_wilcoxon": ["either_t_test"],
}
_CORRECTIONS = {
    "corrections": ["none", "bonferroni", "holm", "bh"],
    "families.max_t": ["max_t"],
    "families.romano_wolf": ["romano_wolf"],
    "jackknife_and_exchange": ["romano_wolf_and_max_t"],
}
_FUNCTIONS = {
    "approximate_randomization": ["RandomizationResult", "randomization"],
    "correlations.dependent_correlations": ["dependent_correlations_z"],
    "correlations.williams_formula": ["WilliamsResult", "williams"],
    "outcome_signs": ["sign_p_values"],
    "paired_bootstrap": ["BootstrapResult", "bootstrap"],
    "stouffer": ["stouffer_wilcoxon"],
    "t_and_wilcoxon": ["TestResult", "either_t_test", "t_test", "wilcoxon"],
}
_FORMER = {"randomisation": "randomization", "RandomisationResult": "RandomizationResult"}
"""Former spellings of public names."""


def _former(name: str) -> Any:
    """Return a public name by its former spelling, with a warning."""
    from qeframe.plugin.calls import warn_former

    if name not in _FORMER:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    warn_former(f"name in {__name__}", name, _FORMER[name])
    return __getattr__(_FORMER[name])


__getattr__, _names = lazy_names(__name__, _FUNCTIONS, _former)
__all__ = [*_names(), "qeframe_corrections", "qeframe_significance_tests"]


@hookimpl
def qeframe_significance_tests() -> Sequence[str]:
    """Return the tests."""
    return places(__name__, _TESTS)


@hookimpl
def qeframe_corrections() -> Sequence[str]:
    """Return the corrections."""
    return places(__name__, _CORRECTIONS)
