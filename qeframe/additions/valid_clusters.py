"""The clusters by rules that control the chance of any false claim, beside those of a profile whose rules do not."""

from __future__ import annotations

from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.compared_tasks import valid_profile
from qeframe.core.evaluation.comparison import compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules, comparison_rules
from qeframe.core.evaluation.places import valid_clusters
from qeframe.core.evaluation.result import ValidClusters
from qeframe.core.evaluation.scoreboard import Scoreboard
from qeframe.core.profiles.resolved import ResolvedProfile


def valid_clusters_of(
    resolved: ResolvedProfile, scoreboard: Scoreboard, rules: ComparisonRules | None, registry: Registry
) -> ValidClusters | None:
    """Return the clusters by the valid rules of a profile; None where its own rules are valid, or these do not apply.

    `rules`: how the profile compares pairs; None if it does not.
    """
    valid = valid_profile(resolved, rules, registry)
    if valid is None:
        return None
    chosen, overall = comparison_rules(valid, valid.test), scoreboard.contests[0]
    if chosen is None or not chosen.works_on(overall):
        return None
    names = [submission.name for submission in scoreboard.submissions]
    try:
        compared = compare_pairs(overall, names, chosen, metric=scoreboard.metrics[0].name)
    except CapabilityError:
        return None
    return None if compared.is_untested else valid_clusters(valid, compared, is_tested=True)
