"""Resampling: draws, exchanges, ranks, correlations, the jackknife, power."""

from qeframe.core.draws import (
    CELLS_IN_CACHE,
    all_masks,
    bootstrap_counts,
    bounded_slices,
    draw_blocks,
    exchange_blocks,
    exchange_masks,
    mix_bits,
    seed_key,
)
from qeframe.core.exchange import Exchange, RowExchange, Standardize, Swap, additive_exchange, exchange_rows
from qeframe.core.ranking import ROUNDING, rounding_slack, shared_positions
from qeframe.core.standard_errors import IntervalScale, WorkingScale
from qeframe.core.statistic import flatten_draws
from qeframe.core.statistic_stack import StatisticStack
from qeframe.statistics.correlation import (
    NOISE,
    from_first,
    moments,
    pearson_matrix,
    pearson_of_moments,
    pearson_of_rows,
    spearman_of_submissions,
)
from qeframe.statistics.differences_of_pairs import (
    DifferencesOfPairs,
    jackknife_of_pairs,
    over_pairs,
    parts_of_pairs,
    slack_of_pairs,
    two_way_of_pairs,
    two_way_of_scores,
)
from qeframe.statistics.jackknife_variance import FEWEST_UNITS, jackknife_variance
from qeframe.statistics.leave_one_out_ranks import spearman_without_each
from qeframe.statistics.pair_exchange import ExchangeByWeights, OutcomeExchange
from qeframe.statistics.ranks import (
    TieGroups,
    mid_ranks,
    mid_ranks_by_pairs,
    running_sums,
    tie_groups,
    weighted_mid_ranks,
)
from qeframe.statistics.scale_transforms import from_working_scale, magnitude_of, on_working_scale, size_on_scale

__all__ = [
    "CELLS_IN_CACHE",
    "FEWEST_UNITS",
    "NOISE",
    "ROUNDING",
    "DifferencesOfPairs",
    "Exchange",
    "ExchangeByWeights",
    "IntervalScale",
    "OutcomeExchange",
    "RowExchange",
    "Standardize",
    "StatisticStack",
    "Swap",
    "TieGroups",
    "WorkingScale",
    "additive_exchange",
    "all_masks",
    "bootstrap_counts",
    "bounded_slices",
    "draw_blocks",
    "exchange_blocks",
    "exchange_masks",
    "exchange_rows",
    "flatten_draws",
    "from_first",
    "from_working_scale",
    "jackknife_of_pairs",
    "jackknife_variance",
    "magnitude_of",
    "mid_ranks",
    "mid_ranks_by_pairs",
    "mix_bits",
    "moments",
    "on_working_scale",
    "over_pairs",
    "parts_of_pairs",
    "pearson_matrix",
    "pearson_of_moments",
    "pearson_of_rows",
    "rounding_slack",
    "running_sums",
    "seed_key",
    "shared_positions",
    "size_on_scale",
    "slack_of_pairs",
    "spearman_of_submissions",
    "spearman_without_each",
    "tie_groups",
    "two_way_of_pairs",
    "two_way_of_scores",
    "weighted_mid_ranks",
]
