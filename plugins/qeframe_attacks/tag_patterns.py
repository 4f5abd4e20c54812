"""Attacks on tags that know only the lengths of the sentences and the share of BAD."""

from __future__ import annotations

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import Ragged, Tags
from qeframe.plugin.audit import Attack
from qeframe_attacks.constant_and_random_tags import bad_code, tag_at_random

_RATES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def _tag_last(share: float, batch: Tags, rng: np.random.Generator) -> Tags:
    """Tag the last part of every sentence BAD, rounded to whole words."""
    lengths = batch.gold.lengths
    first = np.rint((1 - share) * lengths).astype(np.int64)
    position = np.arange(len(batch.gold.values)) - np.repeat(batch.gold.offsets[:-1], lengths)
    bad = position >= np.repeat(first, lengths)
    tags = np.where(bad, bad_code(batch), batch.class_code("OK")).astype(np.int8)
    return attrs.evolve(batch, predicted=Ragged(tags, batch.gold.offsets))


over_tagging = Attack(
    name="over_tagging",
    summary="Tags tokens BAD at random, at the rate that scores best",
    source="Logacheva et al. (2016), WMT, for other rates than the prior",
    kind=Tags,
    manner="blind",
    knowledge="the best rate, from earlier data",
    answer=partial(tag_at_random, 0.4),
    settings={f"rate={rate:g}": partial(tag_at_random, rate) for rate in _RATES},
    refutes="blind_proof",
)

block_tagging = Attack(
    name="block_tagging",
    summary="Tags the last part of every sentence BAD, of the length that scores best",
    source="qeframe",
    kind=Tags,
    manner="blind",
    knowledge="the best length, from earlier data",
    answer=partial(_tag_last, 0.5),
    settings={f"share={share:g}": partial(_tag_last, share) for share in _SHARES},
    refutes="blind_proof",
)

best_of_tags = Attack(
    name="best_of_tags",
    summary="Tags at random ten times, and keeps the tags that score best on the test set",
    source="qeframe",
    kind=Tags,
    manner="selection",
    knowledge="the scores of ten tries on the test set itself",
    answer=partial(tag_at_random, "prior"),
    tries=10,
)
