"""Agreement with human judges on a task: one curve for each human scale, number of references and metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qeframe.core.batches.ragged import Ragged
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.reading import Reading
from qeframe.data.translations import SegmentTexts, read_texts
from qeframe.kinds.texts.batch import Texts, text_array
from qeframe.studies.agreement_curves import AgreementCurve
from qeframe.studies.judge_agreement import correlate_with_judges


def correlate_task(
    reading: Reading,
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    *,
    references: Sequence[int] = (),
    draws: int = 1000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[AgreementCurve]:
    """Correlate metrics with judges on every human scale of a task, for each number of references.

    Parameters
    ----------
    reading : Reading
        With assessments and texts.
    references : sequence of int
        Numbers of references to give to the metrics, one curve each. By default all references of the task.
    metrics, sizes, draws, seed, runner
        As in `correlate_with_judges`.

    Returns
    -------
    list of AgreementCurve
        Scale by scale. The curve between judges occurs once for each scale.

    Raises
    ------
    DataError
        If the task has no assessments, no texts, or too few references; and as in `correlate_with_judges`.
    """
    if reading.texts is None or not reading.assessments:
        lacking = "texts" if reading.assessments else "scores of single judges"
        remedy = "give the texts beside the judgments" if reading.assessments else "choose another reader"
        raise DataError(f"task '{reading.name}' has no {lacking}", path=reading.gold.path or None, remedy=remedy)
    texts = read_texts(reading.texts)
    numbers = tuple(dict.fromkeys(references)) or (len(texts.references),)
    if not 1 <= min(numbers) <= max(numbers) <= len(texts.references):
        what = f"{max(numbers)} references were asked for, task '{reading.name}' has {len(texts.references)}"
        raise DataError(what, remedy="ask for at least one, and for no more than the task has")
    curves: list[AgreementCurve] = []
    for assessments in reading.assessments:
        for number in numbers:
            candidates = _candidates(texts, number, reading.texts.first)
            added = correlate_with_judges(
                assessments, candidates, metrics, sizes, draws=draws, seed=seed, runner=runner
            )
            curves += [curve for curve in added if curve.references or number == numbers[-1]]
    return curves


def _candidates(texts: SegmentTexts, references: int, first: int) -> dict[str, Texts]:
    """Return the batch of every system, with the given number of references; the first segment has the id `first`."""
    ids = np.arange(first, first + len(texts.references[0]))
    flat = text_array([text for row in zip(*texts.references[:references], strict=True) for text in row])
    gold = Ragged.from_lengths(flat, np.full(len(ids), references))
    return {
        name: Texts(ids=ids, gold=gold, predicted=text_array(translations))
        for name, translations in texts.systems.items()
    }
