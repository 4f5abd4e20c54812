"""Significance tests between submissions, and corrections of families of p-values.

Every test is also a documented function of plain numbers and arrays: `williams`, `bootstrap`, `randomization`,
`sign_p_values`, `t_test`, `wilcoxon`.
"""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_TESTS = {
    "bca_bootstrap": ["bca_bootstrap"],
    "bootstrap_t": ["bootstrap_t"],
    "components": ["bootstrap", "randomization", "t_test", "wilcoxon"],
    "correlations.by_normal_theory": ["hittner", "meng", "steiger", "williams"],
    "grids.two_way": ["two_way_jackknife"],
    "jackknife_and_exchange": ["exchange", "jackknife_and_exchange"],
    "jackknife_t": ["jackknife"],
    "metric_permutation": ["permutation"],
    "outcome_signs": ["sign"],
    "stouffer": ["stouffer_wilcoxon"],
    "exchange_of_differences": ["studentized_exchange"],
    "t_and_wilcoxon": ["either_t_test"],
}
_CORRECTIONS = {
    "corrections": ["none", "bonferroni", "holm", "hochberg", "bh", "by"],
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
    "exchange_of_differences": ["studentized_exchange"],
    "t_and_wilcoxon": ["TestResult", "either_t_test", "t_test", "wilcoxon"],
}
__getattr__, _names = lazy_names(__name__, _FUNCTIONS)
__all__ = [*_names(), "qeframe_corrections", "qeframe_significance_tests"]


@hookimpl
def qeframe_significance_tests() -> Sequence[str]:
    """Return the tests."""
    return places(__name__, _TESTS)


@hookimpl
def qeframe_corrections() -> Sequence[str]:
    """Return the corrections."""
    return places(__name__, _CORRECTIONS)
