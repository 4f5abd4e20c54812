"""Sufficient statistics and signatures of sacrebleu, which is imported only when they are computed."""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Texts
from qeframe.plugin.texts import Options, sacrebleu_metric


@frozen
class SegmentCounts:
    """The sufficient statistics of every segment for a metric of sacrebleu: an ``extract``.

    Parameters
    ----------
    metric : {"BLEU", "CHRF"}
    options : tuple of (str, value)
        The arguments of its constructor on which the counts depend.
    columns : tuple of str
        What is counted.
    """

    metric: Literal["BLEU", "CHRF"]
    options: Options
    columns: tuple[str, ...]

    def __call__(self, batch: Texts) -> FloatArray:
        counting = sacrebleu_metric(self.metric, self.options)
        if not len(batch):
            return np.empty((0, len(self.columns)))
        # sacrebleu has no public function for the counts of chrF; its own significance tests use this one.
        counted = counting._extract_corpus_statistics(batch.predicted.tolist(), _streams(batch))
        return np.array(counted, dtype=np.float64)


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


def signature(name: str, options: Options, batch: Texts) -> str:
    """Return sacrebleu's signature of one of its metrics on a batch, with which the number can be reproduced.

    Parameters
    ----------
    name : str
        ``"BLEU"`` or ``"CHRF"``.
    options : tuple of (str, value)
        All arguments of its constructor.

    Returns
    -------
    str
        ``"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"``; ``nrefs:var`` if segments differ in their
        number of references; ``nrefs:0`` for an empty batch.
    """
    metric = sacrebleu_metric(name, options)
    numbers = np.unique(batch.gold.lengths)
    metric.num_refs = -1 if len(numbers) > 1 else int(numbers.sum())
    return str(metric.get_signature().format())
