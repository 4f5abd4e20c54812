"""NIST: hits of n-grams, each weighted by the information of its last word."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, DataError, FloatArray, IntArray, Metric, Ragged, Texts
from qeframe.plugin.resampling import Exchange, bounded_slices, exchange_rows
from qeframe.plugin.texts import Tokenizer, Tokens, tokenized

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@frozen(eq=False)
class GramCounts:
    """The n-grams of one order that some candidate shares with a reference of its segment.

    Beginnings are n-grams without their last word. Single words have one common beginning, of which every word is an
    occurrence.
    """

    # (n, grams): how often the candidate hits each n-gram, at most as often as one of the references has it
    hits: csr_array
    known: csr_array  # (n, grams): how often all references of the segment have it
    begun: csr_array  # (n, beginnings): how often they have each beginning
    beginning: IntArray  # (grams,)
    total: FloatArray  # (n,): n-grams of the candidate

    def information(self, weights: FloatArray) -> FloatArray:
        """Return log2(begun / known) under unit weights, (..., n) -> (..., grams); 0 where the n-gram is not known."""
        known, begun = weights @ self.known, (weights @ self.begun)[..., self.beginning]
        ratio = np.divide(begun, known, out=np.ones_like(known), where=known > 0)
        return np.log2(ratio)


def count_grams(tokens: Tokens, order: int) -> list[GramCounts]:
    """Return the counts of all orders from 1 to `order`."""
    candidate = Occurrences.of_words(tokens.candidates)
    reference = Occurrences.of_words(tokens.references)
    kinds, first_words = tokens.vocabulary, np.zeros(tokens.vocabulary, dtype=np.int64)
    begun = _table(tokens.segment[reference.row], np.zeros_like(reference.gram), len(tokens.candidates), 1)
    counts = []
    for _ in range(order):
        hits = _hits(tokens, candidate, reference, kinds)
        everywhere = _table(tokens.segment[reference.row], reference.gram, len(tokens.candidates), kinds)
        kept = np.unique(hits.indices)
        total = np.bincount(candidate.row, minlength=len(tokens.candidates)).astype(np.float64)
        beginnings, beginning = np.unique(first_words[kept], return_inverse=True)
        counts.append(GramCounts(hits[:, kept], everywhere[:, kept], begun[:, beginnings], beginning, total))
        begun = everywhere
        candidate, reference, first_words = _longer(candidate, reference, tokens)
        kinds = len(first_words)
    return counts


@frozen(eq=False)
class Occurrences:
    """The positions of n-grams of one order, in all rows of tokens."""

    row: IntArray
    last: IntArray  # the position of the last word among all tokens
    gram: IntArray  # the number of the n-gram

    @classmethod
    def of_words(cls, tokens: Ragged) -> Occurrences:
        """Return the occurrences of single words."""
        return cls(tokens.row_of_value, np.arange(len(tokens.values)), tokens.values)

    def before_another_word(self, tokens: Ragged) -> Occurrences:
        """Return those that are not at the end of their row."""
        goes_on = self.last + 1 < tokens.offsets[self.row + 1]
        return Occurrences(self.row[goes_on], self.last[goes_on], self.gram[goes_on])


def _longer(
    candidate: Occurrences, reference: Occurrences, tokens: Tokens
) -> tuple[Occurrences, Occurrences, IntArray]:
    """Return the n-grams that are one word longer on both sides, and of each kind the n-gram that it begins with."""
    sides = [(candidate.before_another_word(tokens.candidates), tokens.candidates)]
    sides.append((reference.before_another_word(tokens.references), tokens.references))
    keys = [side.gram * tokens.vocabulary + words.values[side.last + 1] for side, words in sides]
    kinds, grams = np.unique(np.concatenate(keys), return_inverse=True)
    parts = np.split(grams, [len(keys[0])])
    candidate, reference = (
        Occurrences(side.row, side.last + 1, part) for (side, _), part in zip(sides, parts, strict=True)
    )
    return candidate, reference, kinds // max(1, tokens.vocabulary)


def _hits(tokens: Tokens, candidate: Occurrences, reference: Occurrences, kinds: int) -> csr_array:
    """Return the largest clipped counts over the references of each segment."""
    from scipy.sparse import csr_array

    segments = len(tokens.candidates)
    candidate_counts = _table(candidate.row, candidate.gram, segments, kinds)
    first = np.searchsorted(tokens.segment, tokens.segment)
    nth = (np.arange(len(tokens.segment)) - first)[reference.row]
    most = csr_array((segments, kinds))
    for number in range(int(nth.max(initial=-1)) + 1):
        chosen = nth == number
        reference_counts = _table(tokens.segment[reference.row[chosen]], reference.gram[chosen], segments, kinds)
        most = most.maximum(candidate_counts.minimum(reference_counts))
    return most


def _table(rows: IntArray, columns: IntArray, height: int, width: int) -> csr_array:
    """Return how often each pair of row and column occurs."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))


Weighting = Literal["information", "equal"]
_HIGHEST_ORDER = 9
_FORMULA = (
    r"\exp \left( \frac{\ln 0.5}{\ln^2 1.5} \, \ln^2 \min \left( 1, \frac{c}{r} \right) \right) "
    r"\sum_{o=1}^{O} \frac{1}{c_o} \sum_{g} h_g I(g)"
    "\n"
    r"I(g) = \log_2 \frac{N(g')}{N(g)}"
)
_SYMBOLS = (
    "$c$ and $r$ are the numbers of words of the candidates and of the references (the mean of several). $g$ is an "
    "n-gram of order $o$, $h_g$ how often it is hit, and $c_o$ the number of n-grams of order $o$ in the candidates. "
    "$I(g)$ is the information of $g$, and $N(g)$ its count in all references; $g'$ is $g$ without its last word, and "
    "for a single word $N(g')$ is the number of all words. $O$ is the parameter `order`. With `weights=equal` every "
    "$I(g)$ is 1."
)
_PENALTY = np.log(0.5) / np.log(1.5) ** 2
_ARRAYS_OF_NGRAMS = 4
"""How many arrays of one number a draw and n-gram live at once: weighted counts, information, hits, their product."""


@frozen
class NistOfSums:
    """NIST as a score of sums (..., 2 + 2 * order): both lengths, information hit by order, candidate n-grams by order.

    The score is 0 without a hit, so also for an empty candidate or reference.
    """

    order: int

    def __call__(self, sums: FloatArray) -> FloatArray:
        hit, total = np.split(sums[..., 2:], 2, axis=-1)
        gain = np.divide(hit, total, out=np.zeros_like(hit), where=total > 0).sum(axis=-1)
        candidate, reference = sums[..., 0], sums[..., 1]
        ratio = np.divide(candidate, reference, out=np.ones_like(candidate), where=reference > 0)
        shorter = (ratio > 0) & (ratio < 1)
        logarithm = np.log(ratio, out=np.zeros_like(ratio), where=shorter)
        return gain * np.exp(_PENALTY * logarithm**2)


@frozen(eq=False)
class Nist:
    """NIST under unit weights: the information of an n-gram is computed from the weighted references."""

    lengths: FloatArray
    grams: Sequence[GramCounts]
    score: NistOfSums
    unit: str

    @property
    def units(self) -> int:
        """How many segments there are."""
        return len(self.lengths)

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = np.asarray(weights, dtype=np.float64).reshape(math.prod(np.shape(weights)[:-1]), self.units)
        widest = max((counts.hits.shape[1] for counts in self.grams), default=0)
        scores = [self._scores(flat[part]) for part in bounded_slices(len(flat), _ARRAYS_OF_NGRAMS * widest)]
        return np.concatenate([np.empty(0), *scores]).reshape(np.shape(weights)[:-1])

    def _scores(self, weights: FloatArray) -> FloatArray:
        hit = [(counts.information(weights) * (weights @ counts.hits)).sum(axis=-1) for counts in self.grams]
        total = [weights @ counts.total for counts in self.grams]
        return self.score(np.stack([*(weights @ self.lengths).T, *hit, *total], axis=-1))

    def with_fixed_information(self) -> Additive:
        """Return the additive statistic in which the information of n-grams is fixed at that of the whole batch."""
        ones = np.ones(self.units)
        return self._additive([counts.hits @ counts.information(ones) for counts in self.grams])

    def with_equal_weights(self) -> Additive:
        """Return the additive statistic in which every hit counts 1."""
        return self._additive([counts.hits.sum(axis=1) for counts in self.grams])

    def _additive(self, hit: Sequence[FloatArray]) -> Additive:
        total = [counts.total for counts in self.grams]
        return Additive(np.stack([*self.lengths.T, *hit, *total], axis=-1), self.score, self.unit)


@frozen
class _Binding:
    tokenize: Tokenizer
    lowercase: bool
    stem: str
    order: int

    def __call__(self, batch: Texts) -> Nist:
        tokens = tokenized(batch, self.tokenize, self.lowercase, self.stem).tokens
        references = batch.gold.sum_rows(tokens.references.lengths) / np.maximum(batch.gold.lengths, 1)
        lengths = np.stack([tokens.candidates.lengths, references], axis=-1)
        return Nist(lengths, count_grams(tokens, self.order), NistOfSums(self.order), batch.unit)

    def with_equal_weights(self, batch: Texts) -> Additive:
        return self(batch).with_equal_weights()

    def with_fixed_information(self, batch: Any) -> Additive:
        return self(batch).with_fixed_information()

    def exchange(self, batches: Sequence[Texts]) -> Exchange:
        """Swap candidates: the references do not change, and neither does the information."""
        return exchange_rows(batches, self.with_fixed_information)


def nist(
    *,
    tokenize: Tokenizer = "none",
    lowercase: bool = False,
    order: int = 5,
    weights: Weighting = "information",
    stem: str = "none",
) -> Metric:
    """Mean information of the n-grams hit, summed over orders, times a penalty for short candidates.

    The information of an n-gram is log2(count of its first n - 1 words / its own count), with counts over all
    references of the corpus; that of a single word is log2(number of words / its count). Hits are clipped as in `bleu`.
    The penalty is 1 / 2 if the candidates have two thirds of the mean length of the references; longer candidates have
    no penalty. With one reference this is nltk's ``corpus_nist``; with several, nltk takes the best one for each order.
    Every resample has its own information, that of the references drawn. The score of a single segment uses the
    information of its own references.

    Parameters
    ----------
    tokenize : {"none", "13a", "char", "intl", "zh", "ja-mecab", "ko-mecab"}
        none: words are separated by white space. The others are tokenizers of sacrebleu.
        ``nist(tokenize="13a", lowercase=true)`` is nearest to mteval-v13a, which ignores case.
    lowercase : bool
        Whether case is ignored.
    order : int
        The longest n-grams, 1 to 9.
    weights : {"information", "equal"}
        equal: every n-gram hit counts 1, the unweighted NIST of Turian et al. (2003). It is the sum over orders of the
        share of n-grams that are hit, times the penalty, so from 0 to `order`, and depends on no other segment.
    stem : str
        A language of Snowball such as "english": words with the same stem are equal. It needs snowballstemmer, which
        knows lower case only.

    Returns
    -------
    Metric
        On `Texts`, from 0 without an upper bound: the score of the references themselves depends on the corpus. 0
        without any hit, also for empty texts on both sides. 0 also where no hit has information, as in a corpus that
        repeats a single word; with equal weights these hits count.

    References
    ----------
    Doddington (2002), HLT. Baseline of the WMT metrics tasks. Turian et al. (2003), MT Summit, section 4.
    """
    if not 1 <= order <= _HIGHEST_ORDER:
        raise DataError(f"nist: parameter order = {order} must be from 1 to {_HIGHEST_ORDER}")
    bind, weighted = _Binding(tokenize, lowercase, stem, order), weights == "information"
    return Metric(
        name="nist",
        summary="Information of the n-grams hit, from 0; depends on the corpus",
        source="WMT metrics tasks, baseline; Doddington (2002)",
        formula=_FORMULA,
        symbols=_SYMBOLS,
        kind=Texts,
        bind=bind if weighted else bind.with_equal_weights,
        smooth=True,
        exchange=bind.exchange if weighted else None,
        bounds=(0.0, np.inf if weighted else float(order)),
        degenerate=0.0,
        known_weaknesses={"blind": 0.12, "cosmetic": 0.05},
    )
