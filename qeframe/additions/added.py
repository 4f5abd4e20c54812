"""An evaluation with all additions."""

from __future__ import annotations

import attrs

from qeframe.additions.column_ranks import with_columns
from qeframe.additions.valid_clusters import valid_clusters_of
from qeframe.additions.warnings_on_results import remarks_on_evaluation
from qeframe.core.evaluation.result import Evaluation
from qeframe.core.evaluation.run import Evaluated


def with_additions(evaluation: Evaluation, of: Evaluated) -> Evaluation:
    """Return an evaluation with its warnings, with valid clusters, and with the aggregate over columns if asked for."""
    board, rules, registry = of.scoreboard, of.rules, of.registry
    valid = valid_clusters_of(of.resolved, of.overall, rules, registry)
    remarks = remarks_on_evaluation(
        board, rules, of.results, evaluation.comparisons, registry, valid, overall=of.overall
    )
    added = attrs.evolve(evaluation, warnings=tuple(remarks), valid_clusters=valid)
    return added if of.resolved.across_columns is None else with_columns(added, board, of.results, of.resolved)
