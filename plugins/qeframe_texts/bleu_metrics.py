"""BLEU of a corpus and of sentences, from the n-gram counts of sacrebleu."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Metric, Texts, additive, mean_of_sums
from qeframe.plugin.texts import Tokenizer
from qeframe_texts.sacrebleu_counts import SegmentCounts, quotient, signature

Smoothing = Literal["exp", "floor", "add_k", "none"]
_USUAL: Mapping[Smoothing, float] = {"exp": 0.0, "floor": 0.1, "add_k": 1.0, "none": 0.0}
_HIGHEST_ORDER = 9
_FORMULA = r"100 \cdot B \cdot \exp \left( \frac{1}{O} \sum_{o=1}^{O} \ln \frac{h_o}{c_o} \right)"
_PENALTY = r"B = \min \left( 1, e^{1 - r / c} \right)"
_SYMBOLS = (
    "$c$ is the number of words of the candidates, $r$ that of the references that are nearest in length; $c_o$ is the "
    "number of n-grams of order $o$ in the candidates, and $h_o$ how many of them are hits, each counted at most as "
    "often as in the reference that has it most. $O$ is `order`; $B$ is the brevity penalty. Where $h_o$ is 0, "
    "`smoothing` puts a small number in its place."
)
_MOST_ADDED = 1000.0


@frozen
class BleuOfCounts:
    """BLEU as a score of sums (..., 2 + 2 * order): the two lengths, hits by order, candidate n-grams by order.

    The score is 0 without a hit, even where smoothing would give more. So it is 0 for an empty candidate or reference.
    """

    order: int
    smoothing: Smoothing
    added: float
    effective_order: bool

    def __call__(self, sums: FloatArray) -> FloatArray:
        hits, total = np.split(sums[..., 2:], 2, axis=-1)
        smoothed_hits, smoothed_total = self._smoothed(hits, total)
        counted = smoothed_total > 0
        precision = quotient(smoothed_hits, smoothed_total, 0.0)
        needed = counted if self.effective_order else np.ones_like(counted)
        positive = hits.any(axis=-1) & (~needed | (precision > 0)).all(axis=-1)
        logarithms = np.log(precision, out=np.zeros_like(precision), where=precision > 0).sum(axis=-1)
        mean = logarithms / np.maximum(needed.sum(axis=-1), 1)
        score = 100.0 * np.exp(mean) * brevity_penalty(sums)
        return np.where(positive, np.minimum(score, 100.0), 0.0)

    def _smoothed(self, hits: FloatArray, total: FloatArray) -> tuple[FloatArray, FloatArray]:
        missed = (hits == 0) & (total > 0)
        match self.smoothing:
            case "add_k":
                added = np.where(np.arange(self.order) > 0, self.added, 0.0)
                return hits + added, total + added
            case "floor":
                return np.where(missed, self.added, hits), total
            case "exp":
                # 1/2 for the first order without a hit, 1/4 for the second, and so on
                return np.where(missed, np.exp2(-np.cumsum(missed, axis=-1, dtype=np.float64)), hits), total
        return hits, total


def brevity_penalty(sums: FloatArray) -> FloatArray:
    """Return exp(1 - reference length / candidate length) where the candidates are shorter, else 1; 0 if empty."""
    candidate, reference = sums[..., 0], sums[..., 1]
    ratio = quotient(reference, candidate, 1.0)
    return np.where((candidate > 0) | (reference <= 0), np.exp(np.minimum(0.0, 1.0 - ratio)), 0.0)


@frozen
class SentenceBleu:
    """1 and the BLEU of every segment, (n, 2): an ``extract``."""

    counts: SegmentCounts
    score: BleuOfCounts

    def __call__(self, batch: Texts) -> FloatArray:
        scores = self.of_segments(batch)
        return np.stack([np.ones_like(scores), scores], axis=1)

    def of_segments(self, batch: Texts) -> FloatArray:
        """Return the BLEU of every segment, (n,)."""
        return self.score(batch.rows(self.counts))

    def details(self, batch: Texts) -> Mapping[str, Any]:
        """Return further results of the mean: sacrebleu's signature."""
        return {"sacrebleu": _signature(self.counts, self.score, batch)}


def _counts(tokenize: Tokenizer, lowercase: bool, order: int, stem: str) -> SegmentCounts:
    if not 1 <= order <= _HIGHEST_ORDER:
        raise DataError(f"BLEU: parameter order = {order} must be from 1 to {_HIGHEST_ORDER}")
    orders = range(1, order + 1)
    by_order = (*(f"{n}-gram hits" for n in orders), *(f"candidate {n}-grams" for n in orders))
    options = (("tokenize", tokenize), ("lowercase", lowercase), ("max_ngram_order", order), ("force", True))
    return SegmentCounts("BLEU", options, ("candidate length", "reference length", *by_order), stem)


def _score(order: int, smoothing: Smoothing, smoothing_value: float, effective_order: bool) -> BleuOfCounts:
    most = {"floor": 1.0, "add_k": _MOST_ADDED}.get(smoothing, 0.0)
    if not 0 <= smoothing_value <= most:
        what = f"BLEU: parameter smoothing_value = {smoothing_value} must be from 0 to {most:g} for {smoothing}"
        raise DataError(what)
    return BleuOfCounts(order, smoothing, smoothing_value or _USUAL[smoothing], effective_order)


def _signature(counts: SegmentCounts, score: BleuOfCounts, batch: Texts) -> str:
    smoothing = ("smooth_method", score.smoothing.replace("_", "-")), ("smooth_value", score.added or None)
    options = (*counts.options, *smoothing, ("effective_order", score.effective_order))
    return signature("BLEU", options, batch, counts.stem)


def _details(counts: SegmentCounts, score: BleuOfCounts, batch: Texts) -> Mapping[str, Any]:
    """Return the precisions, the brevity penalty, lengths, sacrebleu's signature."""
    sums = batch.rows(counts).sum(axis=0)
    hits, total = np.split(sums[2:], 2)
    precision = 100.0 * hits / np.maximum(total, 1)
    return {
        "precision": {f"{n}-gram": float(value) for n, value in enumerate(precision, 1)},
        "brevity_penalty": float(brevity_penalty(sums)),
        "candidate_length": int(sums[0]),
        "reference_length": int(sums[1]),
        "sacrebleu": _signature(counts, score, batch),
    }


def bleu(
    *,
    tokenize: Tokenizer = "13a",
    lowercase: bool = False,
    smoothing: Smoothing = "exp",
    smoothing_value: float = 0.0,
    order: int = 4,
    effective_order: bool = False,
    stem: str = "none",
) -> Metric:
    """BLEU of the corpus: the geometric mean of clipped n-gram precisions, times a brevity penalty.

    The counts and the score are those of sacrebleu. With several references, the hits of an n-gram are clipped at its
    count in the reference that has it most often. The reference length is the one nearest to the candidate's length.

    Parameters
    ----------
    tokenize : {"13a", "char", "intl", "none", "zh", "ja-mecab", "ko-mecab"}
        The tokenizer of sacrebleu; none: words are separated by white space.
    lowercase : bool
        Whether case is ignored.
    smoothing : {"exp", "floor", "add_k", "none"}
        What an order without a hit counts. exp: half a hit for the first such order, a quarter for the next.
    smoothing_value : float
        For floor at most 1, for add_k at most 1000. 0 means the usual value: .1 for floor, 1 for add_k.
    order : int
        The longest n-grams, 1 to 9.
    effective_order : bool
        Whether orders for which the candidates are too short are left out. Otherwise the score is then 0.
    stem : str
        A language of Snowball such as "english": words with the same stem are equal. It needs snowballstemmer, which
        knows lower case only. It is no part of sacrebleu; its signature then says so in the end.

    Returns
    -------
    Metric
        On `Texts`, from 0 to 100; needs sacrebleu. 0 without any hit: also for empty texts, on both sides.

    References
    ----------
    Papineni et al. (2002), ACL; Post (2018), WMT; Chen and Cherry (2014), WMT, on smoothing.
    """
    counts = _counts(tokenize, lowercase, order, stem)
    score = _score(order, smoothing, smoothing_value, effective_order)
    return Metric(
        name="bleu",
        summary="Corpus BLEU of sacrebleu, 0 to 100; needs the extra mt",
        source="WMT metrics tasks, baseline; Papineni et al. (2002), Post (2018)",
        formula=f"{_FORMULA}\n{_PENALTY}",
        symbols=f"{_SYMBOLS} All are sums over the segments.",
        kind=Texts,
        bind=additive(columns=counts.columns, extract=counts, score=score),
        smooth=True,
        details=partial(_details, counts, score),
        bounds=(0.0, 100.0),
        degenerate=0.0,
        known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
    )


def sentence_bleu(
    *,
    tokenize: Tokenizer = "13a",
    lowercase: bool = False,
    smoothing: Smoothing = "exp",
    smoothing_value: float = 0.0,
    order: int = 4,
    stem: str = "none",
) -> Metric:
    """Mean of the smoothed BLEU of single segments, with effective order: sacrebleu's ``sentence_bleu``.

    Parameters
    ----------
    tokenize, lowercase, smoothing, smoothing_value, order, stem
        See `bleu`.

    Returns
    -------
    Metric
        On `Texts`, from 0 to 100; needs sacrebleu. A segment without a hit scores 0, also if candidate and reference
        are both empty. Undefined (NaN) only for a batch without segments.

    References
    ----------
    Lin and Och (2004), COLING; Chen and Cherry (2014), WMT. SENTBLEU is a baseline of the WMT metrics tasks.
    """
    extract = SentenceBleu(_counts(tokenize, lowercase, order, stem), _score(order, smoothing, smoothing_value, True))
    return Metric(
        name="sentence_bleu",
        summary="Mean of the smoothed BLEU of segments, 0 to 100; needs the extra mt",
        source="WMT metrics tasks, segment-level baseline; Chen and Cherry (2014)",
        formula=rf"\frac{{1}}{{n}} \sum_{{i=1}}^{{n}} S_i, \qquad S_i = {_FORMULA}" f"\n{_PENALTY}",
        symbols=f"$n$ is the number of segments and $S_i$ the score of one, from its own counts. {_SYMBOLS} Orders "
        "for which the candidate is too short are left out.",
        kind=Texts,
        bind=additive(columns=("segments", "bleu"), extract=extract, score=mean_of_sums),
        smooth=True,
        per_unit=extract.of_segments,
        details=extract.details,
        bounds=(0.0, 100.0),
        known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
    )
