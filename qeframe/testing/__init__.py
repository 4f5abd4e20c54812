"""For authors of plugins: the laws that every component keeps, strategies to try them on, and locked numbers.

A plugin's whole test file may be ::

    import my_plugin
    from qeframe.testing import parametrize_with_checks

    @parametrize_with_checks(my_plugin)
    def test_laws(check):
        check()

`verdicts_on` tries all claims on a metric, also those that it does not make. `error_rate` measures how often a test
rejects where all submissions are equally good. The package needs the optional
dependencies ``qeframe[test]``. What the laws need of a kind of batch belongs to `qeframe.kinds`, attacks on metrics to
`qeframe.gaming`, by which `check_gaming` finds metrics that can be gamed further than they declare. The package
below is `qeframe.kinds`.
"""

from qeframe.core.batch_kind import BatchKind
from qeframe.kinds.registered import kind_of, registered_kinds
from qeframe.testing.checking import (
    check_aggregation,
    check_attack,
    check_correction,
    check_metric,
    check_ranking_rule,
    check_test,
    check_tie_policy,
    parametrize_with_checks,
)
from qeframe.testing.error_rates import ErrorRate, error_rate, error_weights, normal_scores
from qeframe.testing.gates import check_gaming
from qeframe.testing.laws.checks import Check, checks_of
from qeframe.testing.laws.claim import expected_oriented_score, honest_chance
from qeframe.testing.strategies import (
    detections_batches,
    grids_batches,
    judgments_batches,
    preferences_batches,
    scores_batches,
    spans_batches,
    tags_batches,
    texts_batches,
    token_scores_batches,
    values_batches,
    weights,
)
from qeframe.testing.verdicts import Verdict, verdicts_on

__all__ = [
    "BatchKind",
    "Check",
    "ErrorRate",
    "Verdict",
    "check_aggregation",
    "check_attack",
    "check_correction",
    "check_gaming",
    "check_metric",
    "check_ranking_rule",
    "check_test",
    "check_tie_policy",
    "checks_of",
    "detections_batches",
    "error_rate",
    "error_weights",
    "expected_oriented_score",
    "grids_batches",
    "honest_chance",
    "judgments_batches",
    "kind_of",
    "normal_scores",
    "parametrize_with_checks",
    "preferences_batches",
    "registered_kinds",
    "scores_batches",
    "spans_batches",
    "tags_batches",
    "texts_batches",
    "token_scores_batches",
    "values_batches",
    "verdicts_on",
    "weights",
]
