"""Attacks on spans that mark everything or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs
import numpy as np

from qeframe.plugin import SEVERITIES, Attack, Ragged, Spans

__all__ = ["every_character", "every_severity", "no_span"]

_MINOR, _MAJOR = SEVERITIES.index("minor"), SEVERITIES.index("major")


def _mark(severities: Sequence[int], batch: Spans, rng: np.random.Generator) -> Spans:
    """Mark every segment from its first to its last character, once with each severity."""
    times, units = len(severities), len(batch)
    text = np.repeat(batch.text, times)
    spans = np.stack([np.zeros_like(text), text, np.tile(np.array(severities, dtype=np.int64), units)], axis=1)
    return attrs.evolve(batch, predicted=Ragged.from_lengths(spans.reshape(-1, 3), np.full(units, times)))


every_severity = Attack(
    name="every_severity",
    summary="Marks every character as minor and as major",
    source="the official scripts of WMT23 and WMT24, which give full credit for either",
    kind=Spans,
    manner="blind",
    knowledge="nothing",
    answer=partial(_mark, (_MINOR, _MAJOR)),
    refutes="constant_proof",
)

every_character = Attack(
    name="every_character",
    summary="Marks every character with the severity that scores best",
    source="qeframe",
    kind=Spans,
    manner="blind",
    knowledge="the more frequent severity",
    answer=partial(_mark, (_MINOR,)),
    settings={"severity=minor": partial(_mark, (_MINOR,)), "severity=major": partial(_mark, (_MAJOR,))},
    refutes="constant_proof",
)

no_span = Attack(
    name="no_span",
    summary="Marks nothing",
    source="the rule of WMT25, by which two empty sides agree",
    kind=Spans,
    manner="blind",
    knowledge="nothing",
    answer=partial(_mark, ()),
    refutes="constant_proof",
)
