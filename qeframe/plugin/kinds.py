"""Kinds of batch and what they are made of."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.batch import labels_to_index, unit_field
    from qeframe.core.batch_kind import BatchKind
    from qeframe.core.kind_parts import AuditAnswers, GeneratedGold, PlainFormat
    from qeframe.data.numbers import LARGEST, check_same_length, finite_numbers
    from qeframe.kinds.judgments.batch import (
        PairedSystems,
        pairs_from_ranks,
        pairs_from_scores,
        pairs_of_rankings,
        relations,
    )
    from qeframe.kinds.post_edits.batch import scored_texts
    from qeframe.kinds.preferences.batch import NO_DECISION, NOT_ASKED, UNKNOWN_LENGTH
    from qeframe.kinds.spans import (
        CATEGORY,
        END,
        FAULTS,
        NO_CODE,
        SEVERITIES,
        SEVERITY,
        START,
        AnnotatedSegments,
        SegmentSpans,
    )
    from qeframe.kinds.tags.batch import BINARY, SentenceTags, encode_tags, spelled_codes
    from qeframe.kinds.tags.kind import bad_runs
    from qeframe.kinds.unit_numbers import UnitNumbers

__all__ = [
    "BINARY",
    "CATEGORY",
    "END",
    "FAULTS",
    "LARGEST",
    "NOT_ASKED",
    "NO_CODE",
    "NO_DECISION",
    "SEVERITIES",
    "SEVERITY",
    "START",
    "UNKNOWN_LENGTH",
    "AnnotatedSegments",
    "AuditAnswers",
    "BatchKind",
    "GeneratedGold",
    "PairedSystems",
    "PlainFormat",
    "SegmentSpans",
    "SentenceTags",
    "UnitNumbers",
    "bad_runs",
    "check_same_length",
    "encode_tags",
    "finite_numbers",
    "labels_to_index",
    "pairs_from_ranks",
    "pairs_from_scores",
    "pairs_of_rankings",
    "relations",
    "scored_texts",
    "spelled_codes",
    "unit_field",
]
_NAMES = {
    "qeframe.core.batch": ["labels_to_index", "unit_field"],
    "qeframe.core.batch_kind": ["BatchKind"],
    "qeframe.data.numbers": ["LARGEST", "check_same_length", "finite_numbers"],
    "qeframe.kinds.judgments.batch": [
        "PairedSystems",
        "pairs_from_ranks",
        "pairs_from_scores",
        "pairs_of_rankings",
        "relations",
    ],
    "qeframe.core.kind_parts": ["AuditAnswers", "GeneratedGold", "PlainFormat"],
    "qeframe.kinds.post_edits.batch": ["scored_texts"],
    "qeframe.kinds.preferences.batch": ["NO_DECISION", "NOT_ASKED", "UNKNOWN_LENGTH"],
    "qeframe.kinds.spans": [
        "CATEGORY",
        "END",
        "FAULTS",
        "NO_CODE",
        "SEVERITIES",
        "SEVERITY",
        "START",
        "AnnotatedSegments",
        "SegmentSpans",
    ],
    "qeframe.kinds.tags.batch": ["BINARY", "SentenceTags", "encode_tags", "spelled_codes"],
    "qeframe.kinds.tags.kind": ["bad_runs"],
    "qeframe.kinds.unit_numbers": ["UnitNumbers"],
}
__getattr__, __dir__ = lazy_names(__name__, _NAMES)
