"""For authors of plugins: the laws that every component keeps, and strategies to try them on.

A plugin's whole test file may be ::

    import my_plugin
    from qeframe.testing import parametrize_with_checks

    @parametrize_with_checks(my_plugin)
    def test_laws(check):
        check()

`verdicts_on` says of all claims, made or not, whether a metric keeps them. The package needs the optional dependencies
``qeframe[test]``.
"""

from __future__ import annotations

from qeframe.testing.kinds.materials import MATERIALS, Material, material_of
from qeframe.testing.kinds.strategies import (
    grids_batches,
    judgments_batches,
    scores_batches,
    spans_batches,
    tags_batches,
    texts_batches,
    values_batches,
    weights,
)
from qeframe.testing.laws.chance import expected_oriented_score, honest_chance
from qeframe.testing.laws.checks import (
    Check,
    check_aggregation,
    check_attack,
    check_correction,
    check_metric,
    check_ranking_rule,
    check_test,
    check_tie_policy,
    checks_of,
    parametrize_with_checks,
)
from qeframe.testing.laws.verdicts import Verdict, verdicts_on

__all__ = [
    "MATERIALS",
    "Check",
    "Material",
    "Verdict",
    "check_aggregation",
    "check_attack",
    "check_correction",
    "check_metric",
    "check_ranking_rule",
    "check_test",
    "check_tie_policy",
    "checks_of",
    "expected_oriented_score",
    "grids_batches",
    "honest_chance",
    "judgments_batches",
    "material_of",
    "parametrize_with_checks",
    "scores_batches",
    "spans_batches",
    "tags_batches",
    "texts_batches",
    "values_batches",
    "verdicts_on",
    "weights",
]
