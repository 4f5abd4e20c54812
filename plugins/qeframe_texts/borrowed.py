"""Sufficient statistics and signatures of sacrebleu, which is imported when they are asked for."""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Options, Texts, sacrebleu_metric

__all__ = ["SegmentCounts", "signature"]


@frozen
class SegmentCounts:
    """The sufficient statistics that a metric of sacrebleu takes of every segment: an ``extract``.

    Parameters
    ----------
    metric : {"BLEU", "CHRF", "TER"}
    options : tuple of (str, value)
        What its constructor takes, as far as the counts depend on it.
    columns : tuple of str
        What is counted.
    """

    metric: Literal["BLEU", "CHRF", "TER"]
    options: Options
    columns: tuple[str, ...]

    def __call__(self, batch: Texts) -> FloatArray:
        counting = sacrebleu_metric(self.metric, self.options)
        if not len(batch):
            return np.empty((0, len(self.columns)))
        # There is no public way to these counts of chrF; sacrebleu's own significance tests take this one too.
        counted = counting._extract_corpus_statistics(batch.predicted.tolist(), _streams(batch))
        return np.array(counted, dtype=np.float64)


def _streams(batch: Texts) -> list[list[str | None]]:
    """Return the first references of all segments, the second ones, and so on; None where there are fewer."""
    references = batch.gold
    streams: list[list[str | None]] = []
    for nth in range(int(references.lengths.max())):
        there = references.lengths > nth
        stream = np.full(len(batch), None, dtype=np.object_)
        stream[there] = references.values[references.offsets[:-1][there] + nth]
        streams.append(stream.tolist())
    return streams


def signature(name: str, options: Options, batch: Texts) -> str:
    """Return sacrebleu's signature of one of its metrics on a batch: what makes the number reproducible.

    Parameters
    ----------
    name : str
        ``"BLEU"``, ``"CHRF"`` or ``"TER"``.
    options : tuple of (str, value)
        All that its constructor was given.

    Returns
    -------
    str
        ``"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"``; ``nrefs:var`` if segments differ in their
        number of references. An empty batch has none: ``nrefs:0``.
    """
    metric = sacrebleu_metric(name, options)
    numbers = np.unique(batch.gold.lengths)
    metric.num_refs = -1 if len(numbers) > 1 else int(numbers.sum())
    return str(metric.get_signature().format())
