"""White-space tokens of texts as numbers of one vocabulary: a corpus as a few flat arrays."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, count

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import IntArray
from qeframe.core.batches.ragged import Ragged, read_only

_TEXTS_AT_ONCE = 128
"""The number of texts that are split at once. It is small, so that tokens are freed while they are in the cache."""


@frozen(eq=False)
class Tokens:
    """The white-space tokens of candidates and references.

    Parameters
    ----------
    candidates : Ragged of int64
        One row per segment. A text without a token has an empty row, on both sides.
    references : Ragged of int64
        One row per reference, in the order of the segments.
    segment : (references,) int64
        The segment of each reference.
    vocabulary : int
        The number of different tokens of both sides; they are numbered from 0.
    """

    candidates: Ragged
    references: Ragged
    segment: IntArray
    vocabulary: int


def tokenize(candidates: Sequence[str], references: Sequence[str], segment: IntArray) -> Tokens:
    """Split texts at white space and number their tokens in order of first occurrence.

    Parameters
    ----------
    candidates : (segments,) sequence of str
    references : (references,) sequence of str
    segment : (references,) int64
        The segment of each reference.
    """
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    candidate_tokens, reference_tokens = (_number(texts, numbers) for texts in (candidates, references))
    return Tokens(candidate_tokens, reference_tokens, read_only(segment), len(numbers))


def _number(texts: Sequence[str], numbers: defaultdict[str, int]) -> Ragged:
    """Return the numbers of the tokens of each text; new tokens are added to `numbers`."""
    ids, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        rows = [text.split() for text in texts[start : start + _TEXTS_AT_ONCE]]
        lengths.append(np.fromiter(map(len, rows), np.int64, len(rows)))
        tokens = map(numbers.__getitem__, chain.from_iterable(rows))
        ids.append(np.fromiter(tokens, np.int64, int(lengths[-1].sum())))
    return Ragged.from_lengths(np.concatenate(ids), np.concatenate(lengths))
