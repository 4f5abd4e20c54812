"""Everything that the author of a plugin imports, in one place.

A plugin is a module that an entry point of the group ``qeframe.v2`` names. Its functions are marked with `hookimpl` and
return components. The imports below are in the order of the packages:

* kinds of batch: `Scores`, `Tags`, `Spans`, `Judgments`, `Grid`, `Texts`, `Preferences`, their root `Batch`, and checks
  of values;
* components: `Metric`, `TiePolicy`, `Aggregation`, `SignificanceTest`, `Correction`, `RankingRule`, `Assembler`,
  `Attack`, `Reader`, `Writer`, `DataSource`, `PublishedTable`, and `Parametric`, a function of parameters that returns
  a component;
* errors: `DataError` for input, `CapabilityError` for a metric that lacks what a test needs;
* resampling: statistics (`additive`), draws (`bootstrap_counts`), exchanges (`exchange_rows`) and ranks;
* tasks: what a reader returns (`Reading`, `UnitValues`), and functions that read files (`read_text_lines`).

This module defines nothing, and no module of the core imports it. The built-in plugins import nothing else of qeframe.
"""

from qeframe.batches.base import (
    Batch,
    Best,
    BoolArray,
    FloatArray,
    IntArray,
    is_sparse,
    labels_to_index,
    take_units,
    unit_field,
)
from qeframe.batches.binary.detections import Detections
from qeframe.batches.binary.token_scores import TokenScores
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import RELATIONS, Judgments, relations
from qeframe.batches.numbers import LARGEST, check_same_length, finite_numbers
from qeframe.batches.pairs import PairedSystems, pairs_from_ranks, pairs_from_scores, pairs_of_rankings
from qeframe.batches.preferences import NO_DECISION, NOT_ASKED, UNKNOWN_LENGTH, Preferences, decisions_of
from qeframe.batches.ragged import Ragged
from qeframe.batches.scores import Scores, Values
from qeframe.batches.spans import (
    CATEGORY,
    END,
    FAULTS,
    NO_CODE,
    SEVERITIES,
    SEVERITY,
    START,
    AnnotatedSegments,
    SegmentSpans,
    Spans,
)
from qeframe.batches.tags import BINARY, SPELLINGS, SentenceTags, Tags, encode_tags, spelled_codes
from qeframe.batches.texts import TextArray, Texts, text_array
from qeframe.batches.tokenizers import Options, Tokenizer, sacrebleu_metric, tokenized
from qeframe.batches.tokens import Tokens, tokenize
from qeframe.batches.word_alignment import Alignment, MatchedBlock
from qeframe.components.aggregation import Aggregation
from qeframe.components.assembler import Assembler
from qeframe.components.attack import Attack
from qeframe.components.batch_kind import AuditAnswers, BatchKind, GeneratedGold, LineParser, PlainFormat, Relations
from qeframe.components.calls import Call, format_call, parse_call, parse_value
from qeframe.components.comparable import Comparable, IsExtreme, Pairwise, Scheme, over_pairs, parts_of_pairs
from qeframe.components.component import Component
from qeframe.components.component_hook import ComponentHook
from qeframe.components.differences import DifferencesOfPairs, jackknife_of_pairs, two_way_of_pairs, two_way_of_scores
from qeframe.components.loading.hookspecs import hookimpl
from qeframe.components.metric import CLAIMS, Claim, Metric, TiePolicy, group_scores, segment_scores
from qeframe.components.null_model import NullModel
from qeframe.components.parametric import Parametric
from qeframe.components.published.data_source import DataSource, SourceFile, SourceUse, data_sources_from_toml
from qeframe.components.published.published_table import (
    KnownDifference,
    PublishedColumn,
    PublishedTable,
    published_tables_from_toml,
)
from qeframe.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.components.reader import ExampleRequest, Files, Reader, SubmissionFormat
from qeframe.components.result_view import ResultView, View
from qeframe.components.significance import Correction, Sided, SignificanceTest
from qeframe.components.writer import Writer, Written
from qeframe.errors import (
    CapabilityError,
    DataError,
    FormerSpellingWarning,
    QeframeError,
    counted,
    did_you_mean,
    warn_former,
)
from qeframe.kinds.plain_files import parse_plain, parse_plain_sides
from qeframe.kinds.registered import kind_of, register_kind
from qeframe.kinds.tags import bad_runs
from qeframe.resampling.correlation import (
    NOISE,
    from_first,
    moments,
    pearson_matrix,
    pearson_of_moments,
    pearson_of_rows,
    spearman_of_groups,
    spearman_of_rows,
    weighted_deviations,
)
from qeframe.resampling.draws import (
    Key,
    all_masks,
    bootstrap_counts,
    draw_blocks,
    exchange_blocks,
    exchange_masks,
    mix_bits,
    seed_key,
)
from qeframe.resampling.exchange import (
    AxisExchange,
    Exchange,
    GroupedExchange,
    OutcomeExchange,
    RecomputedExchange,
    RowExchange,
    Swap,
    additive_exchange,
    exchange_rows,
)
from qeframe.resampling.left_out_ranks import spearman_without_each
from qeframe.resampling.memory import CELLS_IN_CACHE, bounded_slices
from qeframe.resampling.pair_exchange import ExchangeByWeights
from qeframe.resampling.ranks import (
    ROUNDING,
    TieGroups,
    mid_ranks,
    mid_ranks_by_pairs,
    rounding_slack,
    shared_positions,
    tie_groups,
    weighted_mid_ranks,
)
from qeframe.resampling.stack import StatisticStack
from qeframe.resampling.standard_errors.jackknife import FEWEST_UNITS, JackknifeVariance, jackknife_variance
from qeframe.resampling.standard_errors.power import equivalence, minimum_detectable_difference, power_at, units_needed
from qeframe.resampling.standard_errors.working_scale import WorkingScale, from_working_scale, on_working_scale
from qeframe.resampling.statistic import (
    Additive,
    Score,
    Sliced,
    Statistic,
    additive,
    by_group,
    flatten_draws,
    mean_of_sums,
    ratio,
)
from qeframe.tasks.assessments import Assessments, TranslationScores, z_scores
from qeframe.tasks.files import (
    TextFile,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    refuse_marks,
    split_columns,
    split_line,
)
from qeframe.tasks.folders import TaskFolder, find_tasks, gold_by_line, has_file, has_folder, visible
from qeframe.tasks.language_pairs import check_pairs, language_code, pair_code
from qeframe.tasks.number_lines import numbers_by_token, parse_classes
from qeframe.tasks.reading import Reading, TextFiles, UnitValues
from qeframe.tasks.submitted import Submitted
from qeframe.tasks.tag_lines import check_lengths, check_lines, tags_by_line
from qeframe.tasks.task import Dropped, Input, Submission, SubmissionKind, Task
from qeframe.tasks.text_files import SegmentTexts, read_texts

# fmt: off
__all__ = [
    "BINARY", "CATEGORY", "CELLS_IN_CACHE", "CLAIMS", "END", "FAULTS", "FEWEST_UNITS", "LARGEST", "NOISE", "NOT_ASKED",
    "NO_CODE", "NO_DECISION", "RELATIONS", "ROUNDING", "SEVERITIES", "SEVERITY", "SPELLINGS", "START", "UNKNOWN_LENGTH",
    "Additive", "Aggregation", "Alignment", "AnnotatedSegments", "Assembler", "Assessments", "Attack", "AuditAnswers",
    "AxisExchange", "Batch", "BatchKind", "Best", "BoolArray", "Call", "CapabilityError", "Claim", "Comparable",
    "Component", "ComponentHook", "Correction", "DataError", "DataSource", "Detections", "DifferencesOfPairs",
    "Dropped", "ExampleRequest", "Exchange", "ExchangeByWeights", "Files", "FloatArray", "FormerSpellingWarning",
    "GeneratedGold", "Grid", "GroupedExchange", "Input", "IntArray", "IsExtreme", "JackknifeVariance", "Judgments",
    "Key", "KnownDifference", "LineParser", "MatchedBlock", "Metric", "NullModel", "Options", "OutcomeExchange",
    "PairedSystems", "Pairwise", "Parametric", "PlainFormat", "Preferences", "PublishedColumn", "PublishedTable",
    "QeframeError", "Ragged", "Ranking", "RankingInput", "RankingRule", "Reader", "Reading", "RecomputedExchange",
    "Relations", "ResultView", "RowExchange", "Scheme", "Score", "Scores", "SegmentSpans", "SegmentTexts",
    "SentenceTags", "Sided", "SignificanceTest", "Sliced", "SourceFile", "SourceUse", "Spans", "Statistic",
    "StatisticStack", "Submission", "SubmissionFormat", "SubmissionKind", "Submitted", "Swap", "Tags", "Task",
    "TaskFolder", "TextArray", "TextFile", "TextFiles", "Texts", "TieGroups", "TiePolicy", "TokenScores", "Tokenizer",
    "Tokens", "TranslationScores", "UnitValues", "Values", "View", "WorkingScale", "Writer", "Written", "additive",
    "additive_exchange", "all_masks", "bad_runs", "bootstrap_counts", "bounded_slices", "by_group", "check_lengths",
    "check_lines", "check_pairs", "check_same_length", "counted", "data_sources_from_toml", "decisions_of",
    "did_you_mean", "draw_blocks", "encode_tags", "equivalence", "exchange_blocks", "exchange_masks", "exchange_rows",
    "find_tasks", "finite_numbers", "flatten_draws", "format_call", "from_first", "from_working_scale", "gold_by_line",
    "group_scores", "has_file", "has_folder", "hookimpl", "input_of", "is_sparse", "jackknife_of_pairs",
    "jackknife_variance", "kind_of", "labels_to_index", "language_code", "mean_of_sums", "mid_ranks",
    "mid_ranks_by_pairs", "minimum_detectable_difference", "mix_bits", "moments", "numbers_by_token",
    "on_working_scale", "over_pairs", "pair_code", "pairs_from_ranks", "pairs_from_scores", "pairs_of_rankings",
    "parse_call", "parse_classes", "parse_ids", "parse_numbers", "parse_plain", "parse_plain_sides", "parse_value",
    "parts_of_pairs", "pearson_matrix", "pearson_of_moments", "pearson_of_rows", "power_at",
    "published_tables_from_toml", "ratio", "read_text_lines", "read_texts", "refuse_marks", "register_kind",
    "relations", "rounding_slack", "sacrebleu_metric", "seed_key", "segment_scores", "shared_positions",
    "spearman_of_groups", "spearman_of_rows", "spearman_without_each", "spelled_codes", "split_columns", "split_line",
    "tags_by_line", "take_units", "text_array", "tie_groups", "tokenize", "tokenized", "two_way_of_pairs",
    "two_way_of_scores", "unit_field", "units_needed", "visible", "warn_former", "weighted_deviations",
    "weighted_mid_ranks", "z_scores",
]
# fmt: on
