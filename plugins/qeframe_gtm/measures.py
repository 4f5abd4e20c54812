"""Precision, recall and F-measure of texts (Turian, Shen and Melamed 2003), as metrics."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from qeframe.plugin import Claim, DataError, FloatArray, Metric, Score, Texts, additive
from qeframe.plugin.texts import Tokenizer
from qeframe_gtm.hits import Wording
from qeframe_gtm.matching import Matching, Sizes

SIZE_COLUMNS = ("size", "candidate length", "reference length")
_BUDGET = 10_000
_SIZE = r"M = \sum_{i=1}^{n} \left( \sum_{a \in A_i} |a|^e \right)^{1/e}"
_FORMULAS = {"gtm_precision": r"P = \frac{M}{c}", "gtm_recall": r"R = \frac{M}{r}", "gtm_f": r"F = \frac{2 M}{c + r}"}
_SYMBOLS = (
    "$c$ is the number of words of the candidates of all $n$ segments, and $r$ that of the references (the mean of "
    "several). $A_i$ are the runs of the matching of segment $i$, $|a|$ is the number of words of a run, and $e$ is "
    "`exponent`. With $e = 1$, $M$ is the number of words that both sides share."
)
_SMALLEST = 0.05  # the smallest exponent: with less, the size of a matching of many runs could exceed the largest float


def precision_of_sizes(sums: FloatArray) -> FloatArray:
    """Return size / candidate length of sums (..., 3); 0 without a candidate word."""
    return _share(sums[..., 0], sums[..., 1])


def recall_of_sizes(sums: FloatArray) -> FloatArray:
    """Return size / reference length of sums (..., 3); 0 without a reference word."""
    return _share(sums[..., 0], sums[..., 2])


def f_of_sizes(sums: FloatArray) -> FloatArray:
    """Return 2 size / (candidate length + reference length) of sums (..., 3); 0 without any word.

    That is the harmonic mean of precision and recall.
    """
    return _share(2 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _details(sizes: Sizes, batch: Texts) -> Mapping[str, Any]:
    """Return size, lengths, precision and recall of the batch."""
    sums = batch.rows(sizes).sum(axis=0)
    lengths = dict(zip(("size", "candidate_length", "reference_length"), sums.tolist(), strict=True))
    return {**lengths, "precision": float(precision_of_sizes(sums)), "recall": float(recall_of_sizes(sums))}


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "gtm_f": {"blind": 0.24, "cosmetic": 0.05},
    "gtm_precision": {"blind": 0.93, "cosmetic": 0.05},
    "gtm_recall": {"blind": 0.84, "cosmetic": 0.2},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(name: str, summary: str, score: Score, sizes: Sizes) -> Metric:
    largest = sizes.exponent == 1 or sizes.matching == "exact"
    highest = 1.0 if sizes.exponent >= 1 else math.inf
    claims: tuple[Claim, ...] = ("padding_proof", "monotone") if largest else ("padding_proof",)
    return Metric(
        name=name,
        summary=summary,
        source="Turian, Shen and Melamed (2003); General Text Matcher 1.4",
        kind=Texts,
        bind=additive(columns=SIZE_COLUMNS, extract=sizes, score=score),
        smooth=True,
        details=partial(_details, sizes),
        alignments=sizes.alignments,
        bounds=(0.0, highest),
        degenerate=0.0,
        claims=claims,
        formula=rf"{_FORMULAS[name]}, \qquad {_SIZE}",
        symbols=_SYMBOLS,
        known_weaknesses=_KNOWN[name],
    )


def _sizes(exponent: float, matching: Matching, budget: int, tokenize: Tokenizer, lowercase: bool, stem: str) -> Sizes:
    if not _SMALLEST <= exponent < math.inf:
        raise DataError(f"gtm: parameter exponent = {exponent} must be a finite number from {_SMALLEST}")
    if exponent < 1 and matching == "exact":
        remedy = "set matching=greedy, as in the original program"
        raise DataError(f"gtm: parameter exponent = {exponent} must be at least 1 for matching=exact", remedy=remedy)
    if budget < 1:
        raise DataError(f"gtm: parameter budget = {budget} must be at least 1")
    return Sizes(exponent, matching, budget, Wording(tokenize, lowercase, stem))


def gtm_f(
    *,
    exponent: float = 1.0,
    matching: Matching = "greedy",
    budget: int = _BUDGET,
    tokenize: Tokenizer = "none",
    lowercase: bool = False,
    stem: str = "none",
) -> Metric:
    """F-measure of a text: the harmonic mean of its precision and recall against the references.

    A *hit* is a word of the candidate that is also in a reference. A *run* is a sequence of hits that is a piece of
    both. A *matching* is a set of runs that use no word twice, on either side. Its size is (sum of length ** exponent)
    ** (1 / exponent). With exponent 1 the size is the number of shared words. With a larger exponent, a long run is
    worth more than its parts. Precision is size / candidate length, recall is size / reference length. Over several
    segments, sizes and lengths are summed first.

    With several references a run is within one of them, and the reference length is their mean length. A matching
    covers at most that many words; its shortest runs are cut, the last one maybe to a fraction of a word.

    Parameters
    ----------
    exponent : float
        At least 0.05. Below 1, as the original program accepts, runs are worth less than their parts: the size can
        exceed the number of words, and the score can exceed 1.
    matching : {"greedy", "exact"}
        greedy: the longest run is taken repeatedly; among equally long ones the one with the last position in the
        candidate, then with the last position in the references. exact: the largest matching, by branch and bound.
        They differ in less than 1 % of real segments, and never with exponent 1.
    budget : int
        How many sets of hits the search for the exact matching may examine in one segment.
    tokenize : {"none", "13a", "char", "intl", "zh", "ja-mecab", "ko-mecab"}
        none: words are separated by white space. The others are tokenizers of sacrebleu.
    lowercase : bool
        Whether case is ignored.
    stem : str
        A language of Snowball such as "english": words with the same stem are equal. It needs snowballstemmer.

    Returns
    -------
    Metric
        On `Texts`, from 0 to 1 with an exponent from 1. 0 for an empty candidate or empty references, also for both.

    Raises
    ------
    DataError
        For an exponent below 0.05, one below 1 with exact matching, or a language without a stemmer; when bound, for
        a segment whose largest matching was not found within the budget.

    References
    ----------
    Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, MT Summit IX. The cap and the
    order of runs are those of the General Text Matcher 1.4. Baseline of the WMT metrics tasks.
    """
    sizes = _sizes(exponent, matching, budget, tokenize, lowercase, stem)
    return _metric("gtm_f", "F-measure of words, or of runs of words with exponent > 1", f_of_sizes, sizes)


def gtm_precision(
    *,
    exponent: float = 1.0,
    matching: Matching = "greedy",
    budget: int = _BUDGET,
    tokenize: Tokenizer = "none",
    lowercase: bool = False,
    stem: str = "none",
) -> Metric:
    """Precision of a text: the size of its matching with the references, divided by its own length.

    A candidate of one word that is in every reference has precision 1, so precision is read with recall.

    Parameters
    ----------
    exponent, matching, budget, tokenize, lowercase, stem
        See `gtm_f`.

    Returns
    -------
    Metric
        On `Texts`, from 0 to 1 with an exponent from 1. 0 for an empty candidate or empty references.

    References
    ----------
    Turian, Shen and Melamed (2003), MT Summit IX.
    """
    sizes = _sizes(exponent, matching, budget, tokenize, lowercase, stem)
    return _metric("gtm_precision", "Share of the candidate that is matched", precision_of_sizes, sizes)


def gtm_recall(
    *,
    exponent: float = 1.0,
    matching: Matching = "greedy",
    budget: int = _BUDGET,
    tokenize: Tokenizer = "none",
    lowercase: bool = False,
    stem: str = "none",
) -> Metric:
    """Recall of a text: the size of its matching with the references, divided by their mean length.

    A candidate that is the whole vocabulary has recall 1, so recall is read with precision.

    Parameters
    ----------
    exponent, matching, budget, tokenize, lowercase, stem
        See `gtm_f`.

    Returns
    -------
    Metric
        On `Texts`, from 0 to 1 with an exponent from 1. 0 for an empty candidate or empty references.

    References
    ----------
    Turian, Shen and Melamed (2003), MT Summit IX.
    """
    sizes = _sizes(exponent, matching, budget, tokenize, lowercase, stem)
    return _metric("gtm_recall", "Share of the references that is matched", recall_of_sizes, sizes)
