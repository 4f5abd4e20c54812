"""The sufficient statistics of sacrebleu's metrics for every segment, its tokenizer 13a, and its signatures."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, FloatArray, IntArray, Texts
from qeframe.plugin.texts import Options, sacrebleu_metric, tokenized
from qeframe_texts.shared_ngrams import SharedGrams, Symbols

_APART = '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'
"""Each of these is a word; a blank too is set apart, which changes nothing."""
_STEPS = (
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def words_13a(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text: as those of sacrebleu's 13a after ``rstrip``.

    The texts are joined by lines, with blanks on both sides, which no step sees beyond.
    """
    joined = " \n ".join(map(_clean, texts)).join("  ")
    for sign in _APART:
        joined = joined.replace(sign, f" {sign} ")
    for pattern, replacement in _STEPS:
        joined = pattern.sub(replacement, joined)
    return [line.split() for line in joined.split("\n")]


def _clean(text: str) -> str:
    """Return the text in one line and without entities."""
    text = text.rstrip()
    if "<skipped>" in text or "\n" in text:
        text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, sign)
    return text


@frozen
class SegmentCounts:
    """The sufficient statistics of every segment for a metric of sacrebleu: an ``extract``.

    All candidates of equal references are counted at once. What does not fit there, very long texts and many
    references, is counted by sacrebleu.
    """

    metric: Literal["BLEU", "CHRF"]
    options: Options  # the arguments of its constructor on which the counts depend
    columns: tuple[str, ...]
    stem: str = "none"  # the language of the stemmer, which takes the words of BLEU's tokenizer, and for chrF all words

    def __call__(self, batch: Texts) -> FloatArray:
        options = self.options
        if self.stem != "none":
            chosen = dict(options)
            batch = tokenized(batch, chosen.get("tokenize", "none"), chosen["lowercase"], self.stem)
            options = tuple(
                {**chosen, **({"tokenize": "none"} if "tokenize" in chosen else {}), "lowercase": False}.items()
            )
        peer = sacrebleu_metric(self.metric, options)
        table = np.empty((len(batch), len(self.columns)))
        left = np.ones(len(batch), dtype=np.bool_)
        for number in np.unique(batch.gold.lengths):
            rows = np.flatnonzero(batch.gold.lengths == number)
            counts, counted = (_bleu if self.metric == "BLEU" else _chrf)(peer, *_segments(batch, rows))
            table[rows[counted]], left[rows[counted]] = counts[counted], False
        if left.any():
            table[left] = counts_of_sacrebleu(peer, batch.take(np.flatnonzero(left)))
        return table


def counts_of_sacrebleu(peer: Any, batch: Texts) -> FloatArray:
    """Return the counts of every segment as a metric object of sacrebleu has them."""
    # sacrebleu has no public function for the counts of chrF; its own significance tests use this one.
    return np.array(peer._extract_corpus_statistics(batch.predicted.tolist(), _streams(batch)), dtype=np.float64)


def _segments(batch: Texts, rows: IntArray) -> tuple[list[tuple[str, ...]], list[str], IntArray]:
    """Return the different references of rows that have as many, the candidates, and the references of each."""
    texts = batch.gold.take(rows).values.tolist()
    number = len(texts) // len(rows)
    numbers: dict[tuple[str, ...], int] = {}
    keys = zip(*(texts[nth::number] for nth in range(number)), strict=True)
    segment = [numbers.setdefault(key, len(numbers)) for key in keys]
    return list(numbers), batch.predicted[rows].tolist(), np.array(segment, dtype=np.int64)


def _bleu(
    peer: Any, references: list[tuple[str, ...]], candidates: list[str], segment: IntArray
) -> tuple[FloatArray, BoolArray]:
    """Return the lengths, the hits and the n-grams of candidates, and which of them are counted."""
    texts = dict.fromkeys([*candidates, *(text for of in references for text in of)])
    words = dict(zip(texts, _words(peer, list(texts)), strict=True))
    grams = SharedGrams(
        [tuple(words[text] for text in of) for of in references],
        [words[text] for text in candidates],
        segment,
        peer.max_ngram_order,
        nearest=True,
    )
    hits, counted = grams.hits()
    length = _lengths(grams.candidates)
    of_references = np.array([_lengths(of) for of in grams.references])
    of_references.sort(axis=1)  # of two that are equally near, the shorter one
    nearest = np.abs(of_references[segment] - length[:, None]).argmin(axis=1)
    sizes = np.stack([length, of_references[segment, nearest]], axis=1)
    return np.concatenate([sizes, hits[:, 0], _totals(length, grams.order)], axis=1).astype(np.float64), counted


def _words(peer: Any, texts: Sequence[str]) -> list[list[str]]:
    if peer.tokenizer.signature() != "13a":
        return [peer._preprocess_segment(text).split() for text in texts]
    return words_13a([text.lower() for text in texts] if peer.lowercase else texts)


def _chrf(
    peer: Any, references: list[tuple[str, ...]], candidates: list[str], segment: IntArray
) -> tuple[FloatArray, BoolArray]:
    """Return the n-grams of both sides and the hits of every order against the best reference, and who is counted."""
    texts = [peer._preprocess_segment(text) for text in candidates]
    references = [tuple(map(peer._preprocess_segment, of)) for of in references]
    parts, counted = [], np.ones(len(texts), dtype=np.bool_)
    for order, split in (
        (peer.char_order, str if peer.whitespace else _joined),
        (peer.word_order, peer._remove_punctuation),
    ):
        if order:
            symbols = [tuple(map(split, of)) for of in references], list(map(split, texts))
            grams = SharedGrams(*symbols, segment, order, nearest=False)
            hits, fit = grams.hits()
            of_reference = _totals(np.array([_lengths(of) for of in grams.references]), order)[segment]
            of_candidate = np.where(of_reference > 0, _totals(_lengths(grams.candidates), order)[:, None], 0)
            parts.append(np.stack([of_candidate, of_reference, hits], axis=-1))
            counted &= fit
    table = np.concatenate(parts, axis=2).astype(np.float64)  # (n, references, orders, 3)
    best = _f_scores(table, peer).argmax(axis=1)
    return table[np.arange(len(texts)), best].reshape(len(texts), -1), counted


def _f_scores(table: FloatArray, peer: Any) -> FloatArray:
    """Return the F-score of every segment against each reference, (n, references), in sacrebleu's order of steps."""
    factor, absent = peer.beta**2, 1e-16
    every, orders = np.zeros(table.shape[:2]), np.zeros(table.shape[:2])
    means = [np.zeros(table.shape[:2]), np.zeros(table.shape[:2])]
    for order in range(table.shape[2]):
        candidate, reference, hits = np.moveaxis(table[:, :, order], -1, 0)
        precision, recall = (quotient(hits, total, absent) for total in (candidate, reference))
        every += quotient((1 + factor) * precision * recall, factor * precision + recall, absent)
        both = (candidate > 0) & (reference > 0)
        orders += both
        means = [mean + np.where(both, share, 0.0) for mean, share in zip(means, (precision, recall), strict=True)]
    if peer.eps_smoothing:
        return every
    precision, recall = (quotient(mean, orders, 0.0) for mean in means)
    return quotient((1 + factor) * precision * recall, factor * precision + recall, 0.0)


def quotient(part: FloatArray, whole: FloatArray, otherwise: float) -> FloatArray:
    """Return part / whole, `otherwise` where the whole is not positive."""
    return np.divide(part, whole, out=np.full(np.shape(part), otherwise), where=whole > 0)


def _joined(text: str) -> str:
    return "".join(text.split())


def _lengths(texts: Iterable[Symbols]) -> IntArray:
    return np.array([len(text) for text in texts], dtype=np.int64)


def _totals(length: IntArray, order: int) -> IntArray:
    """Return the numbers of n-grams of every order in texts of a length, (..., order)."""
    return np.maximum(length[..., None] - np.arange(order), 0)


def _streams(batch: Texts) -> list[list[str | None]]:
    """Return the first references of all segments, the second ones, and so on; None where there are fewer."""
    references = batch.gold
    streams: list[list[str | None]] = []
    for nth in range(int(references.lengths.max())):
        has = references.lengths > nth
        stream = np.full(len(batch), None, dtype=np.object_)
        stream[has] = references.values[references.offsets[:-1][has] + nth]
        streams.append(stream.tolist())
    return streams


def signature(name: str, options: Options, batch: Texts, stem: str) -> str:
    """Return the signature of BLEU or CHRF with all their options on a batch, with which the number can be reproduced.

    It has ``nrefs:var`` if segments differ in their number of references, and ``nrefs:0`` for an empty batch. What
    stems words, if anything does, is no part of sacrebleu and named in the end.
    """
    metric = sacrebleu_metric(name, options)
    numbers = np.unique(batch.gold.lengths)
    metric.num_refs = -1 if len(numbers) > 1 else int(numbers.sum())
    return str(metric.get_signature().format()) + ("" if stem == "none" else f"|stem:{stem}")
