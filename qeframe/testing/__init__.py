"""For authors of plugins: the laws that every component keeps, and strategies to try them on.

A plugin's whole test file may be ::

    import my_plugin
    from qeframe.testing import parametrize_with_checks

    @parametrize_with_checks(my_plugin)
    def test_laws(check):
        check()

The package needs the optional dependencies ``qeframe[test]``.
"""

from __future__ import annotations

from qeframe.testing.laws import (
    Check,
    check_aggregation,
    check_correction,
    check_metric,
    check_ranking_rule,
    check_test,
    checks_of,
    parametrize_with_checks,
)
from qeframe.testing.materials import MATERIALS, Material, material_of
from qeframe.testing.strategies import scores_batches, values_batches, weights

__all__ = [
    "MATERIALS",
    "Check",
    "Material",
    "check_aggregation",
    "check_correction",
    "check_metric",
    "check_ranking_rule",
    "check_test",
    "checks_of",
    "material_of",
    "parametrize_with_checks",
    "scores_batches",
    "values_batches",
    "weights",
]
