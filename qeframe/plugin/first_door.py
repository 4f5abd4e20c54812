"""The names of the first door, `qeframe.plugin`, which imports them on first use."""

from qeframe.core.batches.base import Batch, Best, BoolArray, FloatArray, IntArray, labels_to_index
from qeframe.core.batches.ragged import Ragged
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.comparable import Comparable, Pairwise, Scheme, over_pairs
from qeframe.core.components.loading.hookspecs import hookimpl
from qeframe.core.components.metric import CLAIMS, Claim, Metric, TiePolicy, segment_scores
from qeframe.core.components.parametric import Parametric
from qeframe.core.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.core.components.significance import Correction, Sided, SignificanceTest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.resampling.statistic import Additive, Score, Statistic, additive, mean_of_sums, ratio
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe.kinds.post_edits.batch import PostEdits
from qeframe.kinds.preferences.batch import Preferences
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.token_scores.batch import TokenScores
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs

__all__ = [
    "CLAIMS",
    "Additive",
    "Aggregation",
    "Batch",
    "Best",
    "BoolArray",
    "CapabilityError",
    "Claim",
    "Comparable",
    "Correction",
    "DataError",
    "Detections",
    "FloatArray",
    "Grid",
    "IntArray",
    "Judgments",
    "Metric",
    "Pairwise",
    "Parametric",
    "PostEdits",
    "Preferences",
    "Ragged",
    "Ranking",
    "RankingInput",
    "RankingRule",
    "Scheme",
    "Score",
    "Scores",
    "Sided",
    "SignificanceTest",
    "Spans",
    "Statistic",
    "Tags",
    "Texts",
    "TiePolicy",
    "TokenScores",
    "Values",
    "additive",
    "hookimpl",
    "jackknife_of_pairs",
    "labels_to_index",
    "mean_of_sums",
    "over_pairs",
    "ratio",
    "segment_scores",
]
