"""Metrics that are computed from the texts of a task, entered as submissions beside those that were read.

Only translations that the gold is about are scored, every one alone: the segment level of a corpus metric. At system
level a system has one score, of all its translations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs
import numpy as np

from qeframe.batches.base import FloatArray, IntArray
from qeframe.batches.ragged import Ragged
from qeframe.batches.texts import Texts, text_array
from qeframe.components.metric import Metric, segment_scores
from qeframe.errors import DataError
from qeframe.resampling.parallel import Runner
from qeframe.tasks.reading import Reading, UnitValues
from qeframe.tasks.text_files import SegmentTexts, TextFiles, read_texts

__all__ = ["add_computed_metrics"]

_BLOCK = 512
"""How many translations are scored at once."""


def add_computed_metrics(reading: Reading, metrics: Sequence[Metric], runner: Runner | None = None) -> Reading:
    """Return the reading with a submission more for each metric on texts, called by the metric's name.

    Parameters
    ----------
    reading : Reading
        Returned as it is where it knows of no texts, or there is no metric.
    metrics : sequence of Metric
        On `Texts`. Scores of metrics whose lower scores are better (TER, WER) are negated: a submission's higher
        scores are better.
    runner : Runner, optional
        Where blocks of translations are scored, and who is told of the progress.

    Returns
    -------
    Reading
        With the files of the texts among its inputs, and what a metric tells of the program that it is borrowed from
        among its versions.

    Raises
    ------
    DataError
        If a file of texts cannot be used, a metric needs a package that is not installed, or has no score for a
        translation.
    """
    texts = reading.texts
    if texts is None or not metrics:
        return reading
    read = read_texts(texts)
    segments, systems = len(read.references[0]), len(texts.systems)
    cells = _all_cells(segments, systems) if texts.whole else _cells(texts)
    size = segments if texts.whole else _BLOCK
    blocks = [_batch(texts, read, cells[start : start + size]) for start in range(0, len(cells), size)]
    scored = (runner or Runner()).map(partial(_whole_scores if texts.whole else _scores, metrics), blocks)
    table = np.full((len(metrics), segments, systems), np.nan)
    table[:, cells[:, 0], cells[:, 1]] = np.concatenate([np.empty((len(metrics), 0)), *scored], axis=1)
    place = str(texts.references[0].parent)
    return attrs.evolve(
        reading,
        submissions=(
            *reading.submissions,
            *(
                UnitValues(name=metric.name, ids=reading.gold.ids, values=_answers(metric, scores, texts), path=place)
                for metric, scores in zip(metrics, table, strict=True)
            ),
        ),
        inputs=tuple(dict.fromkeys([*reading.inputs, *read.inputs])),
        versions={**reading.versions, **_versions(metrics, blocks)},
    )


def _cells(texts: TextFiles) -> IntArray:
    """Return the translations that the gold is about, each once: segment from 0, system, (cells, 2) int64."""
    systems = len(texts.systems)
    sides = np.arange(systems)[None, :] if texts.left_right is None else texts.left_right
    cells = np.unique((texts.segments - texts.first)[:, None] * systems + sides)
    return np.stack([cells // systems, cells % systems], axis=1)


def _all_cells(segments: int, systems: int) -> IntArray:
    """Return all translations, system after system: segment from 0, system, (cells, 2) int64."""
    return np.stack([np.tile(np.arange(segments), systems), np.repeat(np.arange(systems), segments)], axis=1)


def _batch(texts: TextFiles, read: SegmentTexts, cells: IntArray) -> Texts:
    """Return a batch of one unit for every translation."""
    translations = [read.systems[name] for name in texts.systems]
    references = text_array([text for row in zip(*read.references, strict=True) for text in row])
    several = np.full(len(read.references[0]), len(read.references), dtype=np.int64)
    return Texts(
        ids=np.arange(len(cells)),
        gold=Ragged.from_lengths(references, several).take(cells[:, 0]),
        predicted=text_array([translations[system][segment] for segment, system in cells.tolist()]),
    )


def _scores(metrics: Sequence[Metric], block: Texts) -> FloatArray:
    """Return the scores of single translations, (metrics, translations)."""
    return np.stack([segment_scores(metric, block) for metric in metrics])


def _whole_scores(metrics: Sequence[Metric], system: Texts) -> FloatArray:
    """Return the score of all translations of a system, (metrics, translations): the same for each of them."""
    ones = np.ones(len(system))
    return np.stack([np.full(len(system), metric.bind(system)(ones)) for metric in metrics])


def _answers(metric: Metric, scores: FloatArray, texts: TextFiles) -> FloatArray:
    """Return a metric's side of every unit of the gold, higher is better, from scores (segments, systems)."""
    answers = texts.answers(scores if metric.higher_is_better else 0.0 - scores)
    if not np.isfinite(answers).all():
        unit = int(np.argwhere(~np.isfinite(answers))[0][0])
        what = f"{metric.name} has no score for a translation of segment {texts.segments[unit]} of {texts.pair}"
        raise DataError(what, path=texts.root, remedy=f"leave {metric.name} out of computed")
    return answers


def _versions(metrics: Sequence[Metric], blocks: Sequence[Texts]) -> dict[str, str]:
    """Return what metrics tell of the programs that they are borrowed from: details that are words, not numbers."""
    details = {m.name: m.details(block) for m in metrics for block in blocks[:1] if m.details is not None}
    told = {
        name: ", ".join(f"{program} {what}" for program, what in of.items() if isinstance(what, str))
        for name, of in details.items()
    }
    return {name: words for name, words in told.items() if words}
