"""Attacks on spans: all, nothing, many, few or random marks; and other cuts of the spans of a submission."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import IntArray, Ragged, Spans
from qeframe.plugin.audit import Attack
from qeframe.plugin.kinds import END, SEVERITIES, SEVERITY, START

_MINOR, _MAJOR = SEVERITIES.index("minor"), SEVERITIES.index("major")
_blind = partial(Attack, kind=Spans, source="qeframe", manner="blind", knowledge="nothing")
_cosmetic = partial(Attack, kind=Spans, source="qeframe", manner="cosmetic", knowledge="nothing")


def _mark(severities: Sequence[int], batch: Spans, rng: np.random.Generator) -> Spans:
    """Mark every segment from its first to its last character, once with each severity."""
    times, units = len(severities), len(batch)
    text = np.repeat(batch.text, times)
    spans = np.stack([np.zeros_like(text), text, np.tile(np.array(severities, dtype=np.int64), units)], axis=1)
    return attrs.evolve(batch, predicted=Ragged.from_lengths(spans.reshape(-1, 3), np.full(units, times)))


every_severity = _blind(
    name="every_severity",
    summary="Marks every character as minor and as major",
    source="the official scripts of WMT23 and WMT24, which give full credit for either",
    answer=partial(_mark, (_MINOR, _MAJOR)),
    refutes="constant_proof",
)

every_character = _blind(
    name="every_character",
    summary="Marks every character with the severity that scores best",
    knowledge="the more frequent severity",
    answer=partial(_mark, (_MINOR,)),
    settings={"severity=minor": partial(_mark, (_MINOR,)), "severity=major": partial(_mark, (_MAJOR,))},
    refutes="constant_proof",
)

no_span = _blind(
    name="no_span",
    summary="Marks nothing",
    source="the rule of WMT25, by which two empty sides agree",
    answer=partial(_mark, ()),
    refutes="constant_proof",
)


# --- blind attacks with spans of other shapes -------------------------------------------------------------------------


def known_text(batch: Spans) -> IntArray:
    """Return the lengths of the texts; the last end of any gold span where a text is as long as anything."""
    furthest = np.zeros(len(batch), dtype=np.int64)
    np.maximum.at(furthest, batch.gold.row_of_value, batch.gold.values[:, END])
    return np.where(batch.text < 2**31, batch.text, furthest)


def _answered(batch: Spans, start: IntArray, end: IntArray, severity: IntArray, counts: IntArray) -> Spans:
    values = np.stack([start, end, severity], axis=1)
    return attrs.evolve(batch, predicted=Ragged.from_lengths(values, counts))


def _cover(length: int, severity: int, batch: Spans, rng: np.random.Generator) -> Spans:
    """Cover every segment with spans of a number of characters, one after the other."""
    text = known_text(batch)
    counts = -(-text // length)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    start = number * length
    end = np.minimum(start + length, np.repeat(text, counts))
    return _answered(batch, start, end, np.full(len(start), severity), counts)


def _middle(share: float, severity: int, batch: Spans, rng: np.random.Generator) -> Spans:
    """Mark a share of the characters of every segment, in its middle."""
    text = known_text(batch)
    start = np.floor(text * (1 - share) / 2).astype(np.int64)
    ones = np.ones(len(batch), dtype=np.int64)
    return _answered(batch, start, text - start, severity * ones, ones)


def _random(times: float, batch: Spans, rng: np.random.Generator) -> Spans:
    """Mark random places with spans as long, and a number of times as many, as the gold has on average."""
    gold, text = batch.gold.values, known_text(batch)
    mean = len(gold) / max(1, len(batch))
    length = max(1, round(float(np.mean(gold[:, END] - gold[:, START])))) if len(gold) else 1
    counts = rng.poisson(times * mean, len(batch))
    room = np.repeat(text, counts)
    start = np.floor(rng.random(len(room)) * np.maximum(1, room - length + 1)).astype(np.int64)
    major = float(np.mean(gold[:, SEVERITY] > 0)) if len(gold) else 0.0
    severity = np.where(rng.random(len(room)) < major, _MAJOR, _MINOR)
    return _answered(batch, np.minimum(start, room), np.minimum(start + length, room), severity, counts)


short_spans = _blind(
    name="short_spans",
    summary="Marks every character, by many short spans",
    source="qeframe: each lies within a gold span or outside, so that its precision is 0 or 1",
    knowledge="the length and severity that score best",
    answer=partial(_cover, 1, _MINOR),
    settings={
        f"length={length},severity={SEVERITIES[code]}": partial(_cover, length, code)
        for length in (1, 3, 10)
        for code in (_MINOR, _MAJOR)
    },
    refutes="constant_proof",
)

middle_span = _blind(
    name="middle_span",
    summary="Marks the middle of every segment by one span",
    knowledge="the share and severity that score best",
    answer=partial(_middle, 0.5, _MINOR),
    settings={
        f"share={share},severity={SEVERITIES[code]}": partial(_middle, share, code)
        for share in (0.25, 0.5, 0.75)
        for code in (_MINOR, _MAJOR)
    },
    refutes="constant_proof",
)

random_spans = _blind(
    name="random_spans",
    summary="Marks random places, as long and a number of times as many as the gold's spans on average",
    knowledge="the mean number and the mean length of gold spans, and the share of major ones",
    answer=partial(_random, 1.0),
    settings={f"times={times}": partial(_random, times) for times in (0.5, 1.0, 2.0, 4.0)},
    refutes="blind_proof",
)


# --- cosmetic attacks: the spans of an honest submission, in other cuts -----------------------------------------------


def _widen(by: int, batch: Spans, rng: np.random.Generator) -> Spans:
    values, text = batch.predicted.values.copy(), known_text(batch)[batch.predicted.row_of_value]
    values[:, START] = np.maximum(0, values[:, START] - by)
    values[:, END] = np.maximum(values[:, END], np.minimum(values[:, END] + by, text))
    return attrs.evolve(batch, predicted=batch.predicted.with_values(values))


def _split(pieces: int, batch: Spans, rng: np.random.Generator) -> Spans:
    """Cut each span into a number of pieces, as equal as characters allow; shorter spans into characters."""
    side = batch.predicted
    length = side.values[:, END] - side.values[:, START]
    cuts = np.clip(length, 1, pieces)
    of = np.repeat(np.arange(len(cuts)), cuts)
    number = np.arange(len(of)) - np.repeat(np.cumsum(cuts) - cuts, cuts)
    values = side.values[of]
    start = side.values[of, START]
    values[:, START] = start + length[of] * number // cuts[of]
    values[:, END] = start + length[of] * (number + 1) // cuts[of]
    counts = np.diff(np.concatenate([[0], np.cumsum(cuts)])[side.offsets])
    return _with_spans(batch, values, counts)


def _join(batch: Spans, rng: np.random.Generator) -> Spans:
    """Replace the spans of each segment by one, from the first start to the last end, as severe as the severest."""
    side = batch.predicted
    filled = np.flatnonzero(side.lengths)
    if not len(filled):
        return batch
    first = side.offsets[:-1][filled]
    columns = [np.minimum.reduceat(side.values[:, START], first)]
    columns += [np.maximum.reduceat(side.values[:, column], first) for column in range(1, side.values.shape[1])]
    return _with_spans(batch, np.stack(columns, axis=1), np.minimum(side.lengths, 1))


def _double(batch: Spans, rng: np.random.Generator) -> Spans:
    """Repeat each span with the other severity."""
    values = np.repeat(batch.predicted.values, 2, axis=0)
    values[1::2, SEVERITY] = np.where(values[1::2, SEVERITY] == _MINOR, _MAJOR, _MINOR)
    return _with_spans(batch, values, 2 * batch.predicted.lengths)


def _keep_densest(share: float, batch: Spans, rng: np.random.Generator) -> Spans:
    """Keep the spans of a share of the marked segments: those with the most marked characters for their length."""
    side = batch.predicted
    marked = side.sum_rows((side.values[:, END] - side.values[:, START]).astype(np.float64))
    filled = np.flatnonzero(side.lengths)
    density = marked[filled] / np.maximum(1, known_text(batch)[filled])
    kept = np.isin(np.arange(len(batch)), filled[np.argsort(-density, kind="stable")][: math.ceil(share * len(filled))])
    values = side.values[kept[side.row_of_value]]
    return _with_spans(batch, values, np.where(kept, side.lengths, 0))


def _with_spans(batch: Spans, values: IntArray, counts: IntArray) -> Spans:
    """Return the batch with other spans in the submission, each an error; the faults of its translations stay."""
    side, offsets = batch.predicted, np.concatenate([[0], np.cumsum(counts)])
    separate = np.empty(0, dtype=np.int64)
    return attrs.evolve(batch, predicted=attrs.evolve(side, values=values, offsets=offsets, error=separate))


widened_spans = _cosmetic(
    name="widened_spans",
    summary="Widens the spans of a submission on both sides",
    source="qeframe: any overlap counts in full under some rules",
    knowledge="the number of characters that scores best",
    answer=partial(_widen, 5),
    settings={f"by={by}": partial(_widen, by) for by in (1, 5, 20)},
)

split_spans = _cosmetic(
    name="split_spans",
    summary="Cuts the spans of a submission into pieces",
    source="qeframe: rules that count spans count each piece",
    knowledge="the number of pieces that scores best",
    answer=partial(_split, 2),
    settings={f"pieces={pieces}": partial(_split, pieces) for pieces in (2, 4)},
)

one_span = _cosmetic(
    name="one_span",
    summary="Joins all spans of a segment to one, from the first start to the last end",
    source="qeframe: rules that count spans count it once",
    answer=_join,
)

both_severities = _cosmetic(
    name="both_severities",
    summary="Gives each span of a submission both severities",
    source="the official scripts of WMT23 and WMT24, which give full credit for either",
    answer=_double,
)

few_segments = _cosmetic(
    name="few_segments",
    summary="Keeps the spans of the segments that a submission marks most densely, and marks nothing elsewhere",
    source="the official script of WMT19 and WMT20, which averages only documents with a mark",
    knowledge="the share of segments that scores best",
    answer=partial(_keep_densest, 0.1),
    settings={f"share={share}": partial(_keep_densest, share) for share in (0.02, 0.1, 0.5)},
)


_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _mark_part(
    segments: float, start: float, share: float, pieces: int, severity: int, batch: Spans, rng: np.random.Generator
) -> Spans:
    text = known_text(batch)
    counts = np.where(rng.random(len(batch)) < segments, pieces, 0)
    room = np.repeat(text, counts)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    width = min(share, 1 - start)
    first = np.floor(room * (start + width * number / pieces)).astype(np.int64)
    end = np.maximum(first, np.floor(room * (start + width * (number + 1) / pieces)).astype(np.int64))
    values = np.zeros((len(first), 3), dtype=np.int64)
    values[:, START], values[:, END], values[:, SEVERITY] = first, np.minimum(end, room), severity
    return attrs.evolve(batch, predicted=Ragged.from_lengths(values, counts))


def mark_grammar(
    *,
    segments: float = 1.0,
    start: float = 0.25,
    share: float = 0.5,
    pieces: int = 1,
    severity: Literal["minor", "major"] = "minor",
) -> Attack:
    """Mark a part of some segments, in one span or in pieces.

    Parameters
    ----------
    segments : float
        The share of segments that are marked, at random.
    start, share : float
        Where the marked part begins and how long it is, as shares of the text; it ends with the text at the latest.
    pieces : int
        Into how many adjacent spans it is cut.
    severity : {"minor", "major"}
        The severity of all spans.

    Returns
    -------
    Attack
        On `Spans`, blind.
    """
    return _blind(
        name="mark_grammar",
        summary="Marks a part of some segments, in one span or in pieces: a space for a search",
        knowledge="the lengths of the texts, and the pattern that scores best, from earlier data",
        answer=partial(_mark_part, segments, min(max(start, 0), 1), share, max(pieces, 1), SEVERITIES.index(severity)),
        space={
            "segments": _SHARES[1:],
            "start": _SHARES[:-1],
            "share": _SHARES[1:],
            "pieces": (1, 2, 3, 5, 10),
            "severity": ("minor", "major"),
        },
        refutes="blind_proof",
    )
