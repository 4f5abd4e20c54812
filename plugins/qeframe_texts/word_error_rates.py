"""Error rates of words, from their definitions: WER, PER and CDER."""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import DataError, FloatArray, IntArray, Metric, Ragged, Score, Texts, additive
from qeframe.plugin.texts import Tokenizer, tokenized
from qeframe_texts.translation_edits.pairs import padded

Costs = NDArray[np.int32]
_CELLS_AT_ONCE = 2**16  # how many costs are kept at once: few enough to fit into the cache


def levenshtein_distance(candidates: Ragged, references: Ragged) -> IntArray:
    """Return the fewest insertions, deletions and substitutions between the rows of each pair, (pairs,)."""

    def begin(positions: int) -> Costs:
        return np.arange(positions, dtype=np.int32)

    def within_row(costs: Costs) -> Costs:
        steps = np.arange(len(costs), dtype=np.int32)[:, None]
        return np.minimum.accumulate(costs - steps, axis=0) + steps

    return _distances(candidates, references, begin, within_row)


def cover_disjoint_distance(candidates: Ragged, references: Ragged) -> IntArray:
    """Return the cost at which each reference is covered once, word by word, by pieces of the candidate.

    A match, which moves to the next position in the candidate, costs nothing. A substitution, an insertion, a deletion
    and a *long jump* to any other position cost 1 each. The path starts before the first candidate word and ends after
    the last one. Candidate words can be used several times or not at all.

    `candidates`, `references`: with equal numbers of rows, which can be empty. Without a reference word the cost is 1,
    or 0 if there is no candidate word either. Result: (pairs,).
    """

    def begin(positions: int) -> Costs:
        return (np.arange(positions) > 0).astype(np.int32)

    def within_row(costs: Costs) -> Costs:
        """Add long jumps: each costs 1 more than the cheapest position; no chain of deletions is cheaper."""
        return np.minimum(costs, costs.min(axis=0) + 1)

    return _distances(candidates, references, begin, within_row)


def _distances(
    candidates: Ragged, references: Ragged, begin: Callable[[int], Costs], within_row: Callable[[Costs], Costs]
) -> IntArray:
    """Return the cost at the end of each pair's grid."""
    distances = np.empty(len(candidates), dtype=np.int64)
    order = np.lexsort((candidates.lengths, references.lengths))
    start = 0
    while start < len(order):
        width = 1 + int(candidates.lengths[order[start:]].max(initial=0))
        pairs = order[start : start + max(1, _CELLS_AT_ONCE // width)]
        distances[pairs] = _block(candidates.take(pairs), references.take(pairs), begin, within_row)
        start += len(pairs)
    return distances


def _block(
    candidates: Ragged, references: Ragged, begin: Callable[[int], Costs], within_row: Callable[[Costs], Costs]
) -> IntArray:
    """Return the distances of pairs whose references are sorted by length.

    Shorter candidates are filled up with tokens that match nothing. These are after the ends, so that no cost there is
    less than the cheapest one before it.
    """
    # columns in one piece: a step reads the next word of all pairs
    candidate = np.ascontiguousarray(padded(candidates.values, candidates, -1).T)
    reference = np.ascontiguousarray(padded(references.values, references, -2).T)
    costs = np.repeat(begin(len(candidate) + 1)[:, None], len(candidates), axis=1)
    for step, word in enumerate(reference):
        left = int(np.searchsorted(references.lengths, step, side="right"))
        before = costs[:, left:]
        after = before + 1
        np.minimum(after[1:], before[:-1] + (candidate[:, left:] != word[left:]), out=after[1:])
        costs[:, left:] = within_row(after)
    return costs[candidates.lengths, np.arange(len(candidates))].astype(np.int64)


def clipped_overlap(candidates: Ragged, references: Ragged) -> IntArray:
    """Return how many words the rows of each pair share; a word counts as often as on the side that has fewer."""
    vocabulary = 1 + max(int(rows.values.max(initial=0)) for rows in (candidates, references))
    (candidate, often), (reference, others) = (
        np.unique(rows.row_of_value * vocabulary + rows.values, return_counts=True) for rows in (candidates, references)
    )
    shared, mine, theirs = np.intersect1d(candidate, reference, assume_unique=True, return_indices=True)
    hits = np.minimum(often[mine], others[theirs])
    return np.bincount(shared // vocabulary, hits, minlength=len(candidates)).astype(np.int64)


Replicate = Literal["none", "moses"]
RATE_COLUMNS = ("edits", "reference length")
ERROR_RATE = r"100 \cdot \frac{\sum_{i=1}^{n} e_i}{\sum_{i=1}^{n} r_i}"
ERROR_SYMBOLS = (
    "$n$ is the number of segments, $r_i$ the number of words of the reference of segment $i$ (the mean of several), "
    "and $e_i$ the number of errors of its candidate (the smallest over its references)."
)
_ERRORS = {
    "wer": "$e_i$ is the number of insertions, deletions and substitutions: the Levenshtein distance of words.",
    "per": (
        r"$e_i = \max(c_i, r_i) - h_i$, where $c_i$ is the number of words of the candidate and $h_i$ that of the "
        "words shared with the reference, in any order."
    ),
    "cder": (
        "$e_i$ is the smallest cost of reading the candidate so that each reference word is covered once: a "
        "substitution, an insertion, a deletion and a long jump cost 1 each. Words that a jump passes cost nothing."
    ),
}
_LENGTH_COLUMNS = ("hits", "candidate length", "reference length")


def error_rate(sums: FloatArray) -> FloatArray:
    """Return edits in percent of the reference length, from sums (..., 2), which can exceed 100.

    If the reference length is 0: 100 if there are edits, else 0, as in sacrebleu.
    """
    edits, length = sums[..., 0], sums[..., 1]
    return 100.0 * np.divide(edits, length, out=np.array(edits > 0, dtype=np.float64), where=length > 0)


def _rate_of_lengths(sums: FloatArray) -> FloatArray:
    hits, candidate, reference = sums[..., 0], sums[..., 1], sums[..., 2]
    return error_rate(np.stack([np.maximum(candidate, reference) - hits, reference], axis=-1))


@frozen
class Errors:
    """The smallest number of errors over a segment's references, and their mean length: an ``extract``."""

    count: Callable[[Ragged, Ragged], IntArray]  # of pairs of candidates and references
    tokenize: Tokenizer
    lowercase: bool
    stem: str

    def __call__(self, batch: Texts) -> FloatArray:
        tokens = tokenized(batch, self.tokenize, self.lowercase, self.stem).tokens
        if not len(batch):
            return np.empty((0, len(RATE_COLUMNS)))
        errors = self.count(tokens.candidates.take(tokens.segment), tokens.references)
        fewest = np.minimum.reduceat(errors, batch.gold.offsets[:-1])
        length = batch.gold.sum_rows(tokens.references.lengths) / batch.gold.lengths
        return np.stack([fewest, length], axis=1)


@frozen
class Lengths:
    """Hits and both lengths of every segment, which has one reference: an ``extract``."""

    tokenize: Tokenizer
    lowercase: bool
    stem: str

    def __call__(self, batch: Texts) -> FloatArray:
        if (batch.gold.lengths != 1).any():
            raise DataError("per(replicate=moses) is defined for one reference for each segment", remedy="use per")
        tokens = tokenized(batch, self.tokenize, self.lowercase, self.stem).tokens
        sides = tokens.candidates, tokens.references
        return np.stack([clipped_overlap(*sides), *(side.lengths for side in sides)], axis=1).astype(np.float64)


def _unordered_errors(candidates: Ragged, references: Ragged) -> IntArray:
    return np.maximum(candidates.lengths, references.lengths) - clipped_overlap(candidates, references)


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "wer": {"blind": 0.24, "cosmetic": 0.05},
    "per": {"blind": 0.37, "cosmetic": 0.05},
    "cder": {"blind": 0.12, "cosmetic": 0.05},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(
    name: str,
    summary: str,
    source: str,
    extract: Errors | Lengths,
    columns: tuple[str, ...] = RATE_COLUMNS,
    score: Score = error_rate,
) -> Metric:
    return Metric(
        name=name,
        summary=summary,
        source=source,
        kind=Texts,
        bind=additive(columns=columns, extract=extract, score=score),
        smooth=True,
        interval_scale="log",
        bounds=(0.0, np.inf),
        higher_is_better=False,
        degenerate=0.0,
        claims=("monotone", "padding_proof"),
        formula=ERROR_RATE,
        symbols=f"{ERROR_SYMBOLS} {_ERRORS[name]}",
        known_weaknesses=_KNOWN[name],
    )


def wer(*, tokenize: Tokenizer = "none", lowercase: bool = False, stem: str = "none") -> Metric:
    """Word error rate: insertions, deletions and substitutions in percent of the reference length.

    With several references the smallest number of edits and the mean length count, as for `ter`.

    Parameters
    ----------
    tokenize : {"none", "13a", "char", "intl", "zh", "ja-mecab", "ko-mecab"}
        none: words are separated by white space. The others are tokenizers of sacrebleu.
    lowercase : bool
        Whether case is ignored.
    stem : str
        A language of Snowball such as "english": words with the same stem are equal. It needs snowballstemmer, which
        knows lower case only.

    Returns
    -------
    Metric
        On `Texts`, in percent, can exceed 100; lower is better. If the references have no word, 100 if the candidates
        have words, else 0.

    References
    ----------
    Levenshtein (1966). Baseline of the WMT metrics tasks 2013 to 2016.
    """
    summary = "Word error rate: edits in percent of the reference length"
    source = "WMT13-16 metrics tasks, baseline; Levenshtein (1966)"
    return _metric("wer", summary, source, Errors(levenshtein_distance, tokenize, lowercase, stem))


def per(
    *, tokenize: Tokenizer = "none", lowercase: bool = False, stem: str = "none", replicate: Replicate = "none"
) -> Metric:
    """Position-independent word error rate: WER of bags of words.

    The number of errors of a segment is the larger of its two lengths minus the number of shared words. With several
    references the smallest number of errors and the mean length count.

    Parameters
    ----------
    tokenize, lowercase, stem
        See `wer`.
    replicate : {"none", "moses"}
        moses: the larger of the two lengths is chosen once for the corpus and not in every segment, as in the scorer of
        Moses. Candidates that are too long then compensate for others that are too short. It needs one reference for
        each segment.

    Returns
    -------
    Metric
        On `Texts`, in percent, can exceed 100; lower is better. If the references have no word, 100 if the candidates
        have words, else 0.

    Raises
    ------
    DataError
        With ``replicate=moses``, when bound to segments with several references.

    References
    ----------
    Tillmann et al. (1997), Eurospeech. Baseline of the WMT metrics tasks 2013 to 2016.
    """
    summary = "Position-independent word error rate: bags of words"
    source = "WMT13-16 metrics tasks, baseline; Tillmann et al. (1997)"
    if replicate == "moses":
        return _metric("per", summary, source, Lengths(tokenize, lowercase, stem), _LENGTH_COLUMNS, _rate_of_lengths)
    return _metric("per", summary, source, Errors(_unordered_errors, tokenize, lowercase, stem))


def cder(*, tokenize: Tokenizer = "none", lowercase: bool = False, stem: str = "none") -> Metric:
    """Cover disjoint error rate: word errors with moves of blocks at cost 1, in percent of the reference length.

    Every reference word is covered exactly once. The candidate can be read in any order, by long jumps at the cost of
    one edit each. Its words can be used repeatedly or left out. With several references the smallest number of edits
    and the mean length count. See `qeframe_texts.word_error_rates.cover_disjoint_distance`.

    Parameters
    ----------
    tokenize, lowercase, stem
        See `wer`.

    Returns
    -------
    Metric
        On `Texts`, in percent, can exceed 100: a segment has at most one edit more than its reference has words. Lower
        is better. If the references have no word, 100 if the candidates have words, else 0.

    References
    ----------
    Leusch, Ueffing and Ney (2006), EACL, with all substitutions at cost 1. Baseline of the WMT metrics tasks 2013 to
    2016.
    """
    summary = "Cover disjoint error rate: word errors, moved blocks cost 1"
    source = "WMT13-16 metrics tasks, baseline; Leusch et al. (2006)"
    return _metric("cder", summary, source, Errors(cover_disjoint_distance, tokenize, lowercase, stem))
