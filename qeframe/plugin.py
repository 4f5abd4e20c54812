"""All that the author of a plugin imports, from one place.

A plugin is a module that an entry point of the group ``qeframe.v2`` names. It marks functions with `hookimpl` and
returns components: `Metric`, `TiePolicy`, `Aggregation`, `SignificanceTest`, `Correction`, `RankingRule`, `Attack`,
`Reader`; or a `Parametric` one, a function of parameters that makes a component. The other names are what components
are made of: kinds of batch, statistics, exchanges, and the functions that read files.

This module defines nothing, and no module of the core imports it. The built-in plugins import nothing else of qeframe.
"""

from qeframe.batches.alignment import Alignment, Block
from qeframe.batches.base import (
    Batch,
    Best,
    BoolArray,
    FloatArray,
    IntArray,
    is_sparse,
    labels_to_index,
    per_unit,
    take_units,
)
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import RELATIONS, Judgments, relations
from qeframe.batches.numbers import LARGEST, numbers, same_length
from qeframe.batches.pairs import PairedSystems, pairs_from_ranks, pairs_from_scores, pairs_of_rankings
from qeframe.batches.ragged import Ragged
from qeframe.batches.scores import Scores, Values
from qeframe.batches.spans import END, SEVERITIES, SEVERITY, START, Marked, Spans
from qeframe.batches.tags import BINARY, SPELLINGS, Tagged, Tags, encode_tags, spelled_codes
from qeframe.batches.texts import TextArray, Texts, text_array
from qeframe.batches.tokenizers import Options, Tokenizer, sacrebleu_metric, tokenized
from qeframe.batches.tokens import Tokens, tokenize
from qeframe.components.aggregation import Aggregation
from qeframe.components.attack import Attack
from qeframe.components.calls import Call, format_call, parse_call, parse_value
from qeframe.components.comparable import Comparable, Pairwise, Predicate, Scheme, over_pairs, parts_of_pairs
from qeframe.components.component import Component
from qeframe.components.hookspecs import hookimpl
from qeframe.components.metric import CLAIMS, Claim, Metric, TiePolicy, group_scores, segment_scores
from qeframe.components.parametric import Parametric
from qeframe.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.components.reader import Reader
from qeframe.components.significance import Correction, Sided, SignificanceTest
from qeframe.errors import CapabilityError, DataError, QeframeError, counted, did_you_mean
from qeframe.resampling.draws import (
    Key,
    all_masks,
    blocks,
    bootstrap_counts,
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
    exchange_rows,
)
from qeframe.resampling.ranks import mid_ranks, shared_places
from qeframe.resampling.stack import StatisticStack
from qeframe.resampling.statistic import Additive, Score, Sliced, Statistic, additive, by_group
from qeframe.tasks.assessments import Assessments, z_scores
from qeframe.tasks.files import TextFile, input_of, parse_ids, parse_numbers, read_text_lines, split_columns
from qeframe.tasks.folders import TaskFolder, find_tasks, gold_by_line, visible
from qeframe.tasks.language_pairs import check_pairs, language_code, pair_code
from qeframe.tasks.plain_files import parse_plain
from qeframe.tasks.reading import Reading, UnitValues
from qeframe.tasks.tag_lines import check_lengths, check_lines, tags_by_line
from qeframe.tasks.task import Dropped, Input, Submission, Task
from qeframe.tasks.text_files import SegmentTexts, TextFiles, read_texts

__all__ = [
    "BINARY",
    "CLAIMS",
    "END",
    "LARGEST",
    "RELATIONS",
    "SEVERITIES",
    "SEVERITY",
    "SPELLINGS",
    "START",
    "Additive",
    "Aggregation",
    "Alignment",
    "Assessments",
    "Attack",
    "AxisExchange",
    "Batch",
    "Best",
    "Block",
    "BoolArray",
    "Call",
    "CapabilityError",
    "Claim",
    "Comparable",
    "Component",
    "Correction",
    "DataError",
    "Dropped",
    "Exchange",
    "FloatArray",
    "Grid",
    "GroupedExchange",
    "Input",
    "IntArray",
    "Judgments",
    "Key",
    "Marked",
    "Metric",
    "Options",
    "OutcomeExchange",
    "PairedSystems",
    "Pairwise",
    "Parametric",
    "Predicate",
    "QeframeError",
    "Ragged",
    "Ranking",
    "RankingInput",
    "RankingRule",
    "Reader",
    "Reading",
    "RecomputedExchange",
    "RowExchange",
    "Scheme",
    "Score",
    "Scores",
    "SegmentTexts",
    "Sided",
    "SignificanceTest",
    "Sliced",
    "Spans",
    "Statistic",
    "StatisticStack",
    "Submission",
    "Swap",
    "Tagged",
    "Tags",
    "Task",
    "TaskFolder",
    "TextArray",
    "TextFile",
    "TextFiles",
    "Texts",
    "TiePolicy",
    "Tokenizer",
    "Tokens",
    "UnitValues",
    "Values",
    "additive",
    "all_masks",
    "blocks",
    "bootstrap_counts",
    "by_group",
    "check_lengths",
    "check_lines",
    "check_pairs",
    "counted",
    "did_you_mean",
    "encode_tags",
    "exchange_blocks",
    "exchange_masks",
    "exchange_rows",
    "find_tasks",
    "format_call",
    "gold_by_line",
    "group_scores",
    "hookimpl",
    "input_of",
    "is_sparse",
    "labels_to_index",
    "language_code",
    "mid_ranks",
    "mix_bits",
    "numbers",
    "over_pairs",
    "pair_code",
    "pairs_from_ranks",
    "pairs_from_scores",
    "pairs_of_rankings",
    "parse_call",
    "parse_ids",
    "parse_numbers",
    "parse_plain",
    "parse_value",
    "parts_of_pairs",
    "per_unit",
    "read_text_lines",
    "read_texts",
    "relations",
    "sacrebleu_metric",
    "same_length",
    "seed_key",
    "segment_scores",
    "shared_places",
    "spelled_codes",
    "split_columns",
    "tags_by_line",
    "take_units",
    "text_array",
    "tokenize",
    "tokenized",
    "visible",
    "z_scores",
]
