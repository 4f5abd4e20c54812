"""Metrics that are computed from the texts of a task and entered as submissions.

At segment level each translation that the gold covers is scored by itself. At system level a system has one score, of
all its translations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs
import numpy as np

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, FloatArray, IntArray
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.runner import Runner
from qeframe.data.reading import Reading, TextFiles, UnitValues
from qeframe.data.translations import SegmentTexts, read_texts

_BLOCK = 2048
"""The number of translations that are scored at once."""


def add_computed_metrics(
    reading: Reading,
    metrics: Sequence[Metric],
    runner: Runner | None = None,
    scores: dict[tuple[int, str], FloatArray] | None = None,
) -> Reading:
    """Return the reading with one more submission for each metric, under the name of the metric.

    `reading`: returned unchanged if it has no texts, or if there is no metric.
    `metrics`: on a kind of batch that is made from texts, one kind for all. Scores of which lower is better (TER, WER)
      are negated, since higher scores of a submission are better.
    `runner`: scores blocks of translations and reports the progress.
    `scores`: the scores that were computed of texts before, by the texts' identity and the metric; new ones are added.
      The readings whose texts were scored must live as long as it does.

    Result: its inputs include the files of the texts; its versions include those of the programs that metrics call.
    Raises DataError if a file of texts cannot be used, a metric needs a package that is not installed, or a metric has
    no score for a translation.
    """
    texts = reading.texts
    if texts is None or not metrics:
        return reading
    read = read_texts(texts)
    segments, systems = len(read.references[0]), len(texts.systems)
    cells = _all_cells(segments, systems) if texts.whole else _cells(texts)
    size = segments if texts.whole else _BLOCK
    kind = metrics[0].kind
    blocks = [_batch(kind, texts, read, cells[start : start + size]) for start in range(0, len(cells), size)]
    computed = {} if scores is None else scores
    new = [metric for metric in metrics if (id(texts), metric.name) not in computed]
    if new:
        scored = (runner or Runner()).map(partial(_whole_scores if texts.whole else _scores, new), blocks)
        new_scores = np.full((len(new), segments, systems), np.nan)
        new_scores[:, cells[:, 0], cells[:, 1]] = np.concatenate([np.empty((len(new), 0)), *scored], axis=1)
        computed |= {(id(texts), metric.name): score for metric, score in zip(new, new_scores, strict=True)}
    table = [computed[id(texts), metric.name] for metric in metrics]
    folder = str(texts.references[0].parent)
    return attrs.evolve(
        reading,
        submissions=(
            *reading.submissions,
            *(
                UnitValues(
                    name=metric.name, ids=reading.gold.ids, values=_answers(metric, of_texts, texts), path=folder
                )
                for metric, of_texts in zip(metrics, table, strict=True)
            ),
        ),
        inputs=tuple(dict.fromkeys([*reading.inputs, *read.inputs])),
        versions={**reading.versions, **_versions(metrics, blocks)},
    )


def _cells(texts: TextFiles) -> IntArray:
    """Return the translations that the gold covers, each once: segment from 0, system, (cells, 2) int64."""
    systems = len(texts.systems)
    sides = np.arange(systems)[None, :] if texts.left_right is None else texts.left_right
    cells = np.unique((texts.segments - texts.first)[:, None] * systems + sides)
    return np.stack([cells // systems, cells % systems], axis=1)


def _all_cells(segments: int, systems: int) -> IntArray:
    """Return all translations, system after system: segment from 0, system, (cells, 2) int64."""
    return np.stack([np.tile(np.arange(segments), systems), np.repeat(np.arange(systems), segments)], axis=1)


def _batch(kind: type[Batch], texts: TextFiles, read: SegmentTexts, cells: IntArray) -> Batch:
    """Return a batch of one unit for every translation."""
    translations = [read.systems[name] for name in texts.systems]
    gold = [[texts_of[segment] for texts_of in read.references] for segment in cells[:, 0].tolist()]
    return kind.from_plain(gold, [translations[system][segment] for segment, system in cells.tolist()])


def _scores(metrics: Sequence[Metric], block: Batch) -> FloatArray:
    """Return the scores of single translations, (metrics, translations)."""
    return np.stack([checked.unit_scores(metric, checked.bind(metric, block)) for metric in metrics])


def _whole_scores(metrics: Sequence[Metric], system: Batch) -> FloatArray:
    """Return the score of a system for each of its translations, (metrics, translations): constant in a row."""
    ones = np.ones(len(system))
    return np.stack([np.full(len(system), checked.bind(metric, system)(ones)) for metric in metrics])


def _answers(metric: Metric, scores: FloatArray, texts: TextFiles) -> FloatArray:
    """Return the answers of a metric to the units of the gold, higher is better, from scores (segments, systems)."""
    answers = texts.answers(scores if metric.higher_is_better else 0.0 - scores)
    if not np.isfinite(answers).all():
        unit = int(np.argwhere(~np.isfinite(answers))[0][0])
        what = f"{metric.name} has no score for a translation of segment {texts.segments[unit]} of {texts.pair}"
        raise DataError(what, path=texts.root, remedy=f"remove {metric.name} from the rule 'computed'")
    return answers


def _versions(metrics: Sequence[Metric], blocks: Sequence[Batch]) -> dict[str, str]:
    """Return the versions of the programs that metrics call: those details that are text, not numbers."""
    details = {m.name: checked.details(m, block) for m in metrics for block in blocks[:1] if m.details is not None}
    versions = {
        name: ", ".join(f"{program} {version}" for program, version in values.items() if isinstance(version, str))
        for name, values in details.items()
    }
    return {name: version for name, version in versions.items() if version}
