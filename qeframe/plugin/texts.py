"""Texts: tokens, tokenizers, alignments of words."""

from qeframe.batches.texts import TextArray, text_array
from qeframe.batches.tokenizers import Options, Tokenizer, sacrebleu_metric, tokenized
from qeframe.batches.tokens import Tokens, tokenize
from qeframe.batches.word_alignment import Alignment, MatchedBlock
from qeframe.tasks.text_files import SegmentTexts, read_texts

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
