"""Metrics of agreement with human comparisons: the Kendall family, accuracies of pairs, correlations on grids.

The package also has the functions that prepare their data: pairs from rankings and from direct assessments, human
scores of systems, the curve of tie calibration. Tie policies belong to qeframe_ties, significance tests to
qeframe_significance. Each folder holds one family of metrics; `grids` and `exchanges` are what they share.
"""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe.plugin.kinds import PairedSystems, pairs_from_ranks, pairs_from_scores, pairs_of_rankings
from qeframe_agreement.accuracy.outcomes import count_outcomes
from qeframe_agreement.accuracy.tie_calibration import calibrate, calibration_curve
from qeframe_agreement.accuracy.within_items import acc_eq
from qeframe_agreement.correlation.absolute import segment_pearson_absolute, system_pearson_absolute
from qeframe_agreement.correlation.differences import pairwise_difference_pearson
from qeframe_agreement.correlation.segments import segment_pearson, segment_spearman
from qeframe_agreement.kendall_tau.cells import confusion, kendall
from qeframe_agreement.kendall_tau.pairs_of_items import correct_rank_f1, kendall_like, tie_f1
from qeframe_agreement.kendall_tau.taus import tau_b, tau_c
from qeframe_agreement.soft_accuracy.combined import spa_acc_eq
from qeframe_agreement.soft_accuracy.statistic import spa
from qeframe_agreement.systems.bradley_terry import bradley_terry
from qeframe_agreement.systems.from_judgments import judged_pearson, judged_spearman
from qeframe_agreement.systems.human_scores import count_wins, expected_wins, standardize_by_judge, win_ratio
from qeframe_agreement.systems.means import (
    pairwise_accuracy,
    system_means,
    system_pearson,
    system_spearman,
    system_tau_b,
)

__all__ = [
    "PairedSystems",
    "acc_eq",
    "bradley_terry",
    "calibrate",
    "calibration_curve",
    "confusion",
    "correct_rank_f1",
    "count_outcomes",
    "count_wins",
    "expected_wins",
    "judged_pearson",
    "judged_spearman",
    "kendall",
    "kendall_like",
    "pairs_from_ranks",
    "pairs_from_scores",
    "pairs_of_rankings",
    "pairwise_accuracy",
    "pairwise_difference_pearson",
    "qeframe_metrics",
    "segment_pearson",
    "segment_pearson_absolute",
    "segment_spearman",
    "spa",
    "spa_acc_eq",
    "standardize_by_judge",
    "system_means",
    "system_pearson",
    "system_pearson_absolute",
    "system_spearman",
    "system_tau_b",
    "tau_b",
    "tau_c",
    "tie_f1",
    "win_ratio",
]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Bring the metrics of agreement."""
    by_cells = (segment_pearson, segment_spearman, tau_b, tau_c, kendall_like, tie_f1, correct_rank_f1)
    parametric = (acc_eq, judged_pearson, judged_spearman, *by_cells, spa)
    judged = Parametric(kendall, always_named=("ties",))
    of_systems = (pairwise_accuracy, system_pearson, system_pearson_absolute, system_spearman, system_tau_b)
    of_cells = (segment_pearson_absolute, pairwise_difference_pearson)
    return [judged, *(Parametric(build) for build in parametric), *of_cells, *of_systems, spa_acc_eq]
