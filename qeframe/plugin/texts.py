"""Texts: tokens, tokenizers, alignments of words."""

from qeframe.core.batches.word_alignment import Alignment, MatchedBlock
from qeframe.data.translations import SegmentTexts, read_texts
from qeframe.kinds.texts.batch import TextArray, text_array
from qeframe.kinds.texts.tokenizers import Options, Tokenizer, sacrebleu_metric, tokenized
from qeframe.kinds.texts.tokens import Tokens, tokenize

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
