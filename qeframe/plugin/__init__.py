"""The first door for authors of plugins: what a metric, a tie policy, an aggregation, a test or a ranking rule needs.

A plugin is a module that an entry point of the group ``qeframe.v2`` names. Its functions are marked with `hookimpl` and
return components. Each further door has what one task needs:

* `qeframe.plugin.kinds`: kinds of batch, and the parts of batches;
* `qeframe.plugin.resampling`: draws, exchanges, ranks, correlations, the jackknife and power;
* `qeframe.plugin.readers`: readers of files, and what they return;
* `qeframe.plugin.texts`: tokens, tokenizers and alignments of words;
* `qeframe.plugin.audit`: attacks;
* `qeframe.plugin.calls`: names with parameters, messages;
* `qeframe.plugin.report`: tables, and a page of them;
* `qeframe.plugin.results`: an evaluation, what it returns, and the steps that compute another one;
* `qeframe.plugin.commands`: commands of the command line.

The doors define nothing, and nothing in qeframe imports them. The built-in plugins import nothing else of qeframe.
"""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.batch import Batch, Best, BoolArray, FloatArray, IntArray
    from qeframe.core.calls import Parametric
    from qeframe.core.contest import Contest
    from qeframe.core.errors import CapabilityError, DataError
    from qeframe.core.hookspecs import hookimpl
    from qeframe.core.metric import Claim, Metric, TiePolicy, segment_scores
    from qeframe.core.ragged import Ragged
    from qeframe.core.ranking import Aggregation, Ranking, RankingInput, RankingRule
    from qeframe.core.significance import Correction, Pairwise, Sided, SignificanceTest
    from qeframe.core.statistic import Additive, Score, Statistic, additive, mean_of_sums, ratio
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

__all__ = [
    "Additive",
    "Aggregation",
    "Batch",
    "Best",
    "BoolArray",
    "CapabilityError",
    "Claim",
    "Contest",
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
    "mean_of_sums",
    "ratio",
    "segment_scores",
]


_NAMES = {
    "qeframe.core.batch": ["Batch", "Best", "BoolArray", "FloatArray", "IntArray"],
    "qeframe.core.calls": ["Parametric"],
    "qeframe.core.contest": ["Contest"],
    "qeframe.core.errors": ["CapabilityError", "DataError"],
    "qeframe.core.hookspecs": ["hookimpl"],
    "qeframe.core.metric": ["Claim", "Metric", "TiePolicy", "segment_scores"],
    "qeframe.core.ragged": ["Ragged"],
    "qeframe.core.ranking": ["Aggregation", "Ranking", "RankingInput", "RankingRule"],
    "qeframe.core.significance": ["Correction", "Pairwise", "Sided", "SignificanceTest"],
    "qeframe.core.statistic": ["Additive", "Score", "Statistic", "additive", "mean_of_sums", "ratio"],
    "qeframe.kinds.detections.batch": ["Detections"],
    "qeframe.kinds.grid.batch": ["Grid"],
    "qeframe.kinds.judgments.batch": ["Judgments"],
    "qeframe.kinds.post_edits.batch": ["PostEdits"],
    "qeframe.kinds.preferences.batch": ["Preferences"],
    "qeframe.kinds.scores.batch": ["Scores", "Values"],
    "qeframe.kinds.spans": ["Spans"],
    "qeframe.kinds.tags.batch": ["Tags"],
    "qeframe.kinds.texts.batch": ["Texts"],
    "qeframe.kinds.token_scores.batch": ["TokenScores"],
}
__getattr__, _names = lazy_names(__name__, _NAMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
