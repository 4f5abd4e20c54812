"""Metrics of agreement with humans: the Kendall family, accuracies of pairs, preferences, ratings, grids.

The package also has the functions that prepare their data: pairs from rankings and from direct assessments, human
scores of systems, the curve of tie calibration. Tie policies belong to qeframe_ties, significance tests to
qeframe_significance. Each folder, and `ratings`, holds one family of metrics; `grids` and `exchanges` are shared.
"""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_ABSOLUTE = ["segment_pearson_absolute", "system_pearson_absolute"]
_SYSTEMS = ["pairwise_accuracy", "system_pearson", "system_spearman", "system_tau_b"]
_METRICS = {
    "accuracy.within_items": ["acc_eq"],
    "correlation.differences": ["pairwise_difference_pearson"],
    "correlation.segments": ["segment_pearson", "segment_spearman", *_ABSOLUTE],
    "kendall_tau.tau_of_judgments": ["kendall = KENDALL"],
    "kendall_tau.pairs_of_items": ["correct_rank_f1", "kendall_like", "tie_f1"],
    "kendall_tau.tau_b_and_c": ["tau_b", "tau_c"],
    "preferences.decisions": ["preference_accuracy", "preference_bias"],
    "preferences.section_tau": ["section_tau"],
    "ratings": ["krippendorff_alpha", "weighted_kappa"],
    "soft_accuracy.combined": ["spa_acc_eq"],
    "soft_accuracy.statistic": ["spa"],
    "systems.from_judgments": ["judged_pearson", "judged_spearman"],
    "systems.means": _SYSTEMS,
}
_FUNCTIONS = {
    "qeframe.plugin.kinds": ["PairedSystems", "pairs_from_ranks", "pairs_from_scores", "pairs_of_rankings"],
    "accuracy.tie_calibration": ["calibrate", "calibration_curve", "count_outcomes"],
    "kendall_tau.tau_of_judgments": ["confusion", "kendall"],
    "systems.human_scores": ["bradley_terry", "count_wins", "expected_wins", "standardize_by_judge", "win_ratio"],
    "systems.means": [*_SYSTEMS, "system_means"],
    "systems.trueskill": ["TrueSkill"],
}
__getattr__, _names = lazy_names(__name__, _METRICS | _FUNCTIONS)
__all__ = [*_names(), "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Bring the metrics of agreement."""
    return places(__name__, _METRICS)
