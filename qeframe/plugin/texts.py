"""Texts: tokens, tokenizers, alignments of words."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.data.translations import SegmentTexts, read_texts
    from qeframe.kinds.texts.alignments import Alignment, MatchedBlock
    from qeframe.kinds.texts.batch import TextArray, Tokens, text_array, tokenize
    from qeframe.kinds.texts.tokenizers import Options, Tokenizer, sacrebleu_metric, tokenized

__all__ = [
    "Alignment",
    "MatchedBlock",
    "Options",
    "SegmentTexts",
    "TextArray",
    "Tokenizer",
    "Tokens",
    "read_texts",
    "sacrebleu_metric",
    "text_array",
    "tokenize",
    "tokenized",
]
_NAMES = {
    "qeframe.data.translations": ["SegmentTexts", "read_texts"],
    "qeframe.kinds.texts.alignments": ["Alignment", "MatchedBlock"],
    "qeframe.kinds.texts.batch": ["TextArray", "Tokens", "text_array", "tokenize"],
    "qeframe.kinds.texts.tokenizers": ["Options", "Tokenizer", "sacrebleu_metric", "tokenized"],
}
__getattr__, __dir__ = lazy_names(__name__, _NAMES)
