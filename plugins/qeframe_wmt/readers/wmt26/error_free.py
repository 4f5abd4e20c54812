"""Task 3 of 2026: which translations are free of errors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from qeframe.plugin import Best, Detections, FloatArray
from qeframe.plugin.readers import Reader, Reading, find_tasks
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.readers.wmt26.annotations import Annotation, MarkRule
from qeframe_wmt.readers.wmt26.cascade import Cascade, SpanWeights, error_free_answers
from qeframe_wmt.readers.wmt26.folder import Folder, GoldFormat, GoldRule, Items, read_folder
from qeframe_wmt.readers.wmt26.predictions import Answers, Predictions, Scale, decisions
from qeframe_wmt.readers.wmt26.submissions import predictions_format
from qeframe_wmt.readers.wmt26.units import UnitTask, unit_reading

ScoresOf = Literal["mean", "first", "every"]
"""Which scores of a translation must reach the threshold: their mean, the first one, or every one."""

MarksOf = Literal["all", "scored"]  # which marks are errors: all of them, or only minor and major ones

OneClass = Literal["drop", "keep"]
"""What happens to a language pair whose translations all have errors, or none of which has one."""

By = Literal["pair", "all"]  # whether every language pair is a task, or all of them are one

_ALL = "all language pairs"


class ErrorFreeRule:
    """Which translations are free of errors: their scores reach the threshold, and no annotator marked an error."""

    def __init__(self, least_score: float, annotators: ScoresOf, marks: MarksOf) -> None:
        self.least_score, self.annotators, self.marks = least_score, annotators, marks

    def __call__(self, annotations: Sequence[Annotation]) -> bool:
        """Return whether a translation with these annotations is free of errors."""
        scores = [annotation.score for annotation in annotations]
        reached = {"mean": sum(scores) / len(scores), "first": scores[0], "every": min(scores)}[self.annotators]
        marks = [mark for annotation in annotations for mark in annotation.marks]
        return reached >= self.least_score and not any(self.marks == "all" or mark.is_scored for mark in marks)


def wmt26_error_free(
    *,
    gold: GoldFormat = "esa",
    items: Items = "official",
    references: tuple[str, ...] = (),
    least_score: float = 85.0,
    annotators: ScoresOf = "mean",
    marks: MarksOf = "all",
    by: By = "pair",
    one_class: OneClass = "drop",
    cascade: Cascade = "yes",
    minor: float = 1.0,
    major: float = 5.0,
    scale: Scale = "0-100",
) -> Reader:
    """Read ``task3_pred`` and human annotation as JSON; every translation is a unit, free of errors or not.

    Parameters
    ----------
    gold : {"esa", "cesa"}
        esa: the published annotation of 2025. cesa: a log of contrastive annotation, as the tool of 2026 writes it.
    items : {"official", "challenge", "all"}
        The set of items that is scored. Others are left out and counted.
    references : list of str
        Systems that are references. They are left out and counted.
    least_score : float
        The score that a translation without errors has at least.
    annotators : {"mean", "first", "every"}
        Which scores must reach it where several people annotated a translation.
    marks : {"all", "scored"}
        all: any mark of any annotator is an error, also one without severity, a neutral one, and one on
        ``[missing]``. scored: only minor and major ones are.
    by : {"pair", "all"}
        Whether every language pair is a task, or all translations are one.
    one_class : {"drop", "keep"}
        drop: a language pair without a translation that is free of errors, or with nothing else, is left out and
        counted, since MCC is undefined there. keep: it stays, and scores are undefined.
    cascade : {"yes", "no"}
        yes: a submission with a threshold in ``thresholds.jsonl`` also enters with its scores at that threshold,
        derived from spans where it has none, under a name that says so.
    minor, major : float
        The points that an error takes from 100 in derived scores, which are not below 0.
    scale : {"0-100", "any"}
        The numbers that predicted scores may be.

    Returns
    -------
    Reader
        Of `Detections`; 1 is a translation without errors.

    References
    ----------
    WMT26 automated MT evaluation, sub-task 3.
    """
    rule = GoldRule(gold=gold, items=items, references=references, marks=MarkRule("exclusive", "clip", gold == "cesa"))
    answering = partial(error_free_answers, weights=SpanWeights(minor=minor, major=major), cascade=cascade, scale=scale)
    is_free = ErrorFreeRule(least_score, annotators, marks)
    return Reader(
        name="wmt26_error_free",
        summary="a folder of JSON lines: gold annotation, and 1 or 0 for every translation in task3_pred",
        source="WMT26 automated MT evaluation, sub-task 3",
        kind=Detections,
        read=partial(_read, rule=rule, is_free=is_free, by=by, one_class=one_class, answering=answering),
        example=partial(examples.predictions, task=3, gold=gold),
        submission=predictions_format(_decisions, _numbers, "task3_pred"),
    )


def _read(
    path: Path,
    best: Best,
    *,
    rule: GoldRule,
    is_free: ErrorFreeRule,
    by: By,
    one_class: OneClass,
    answering: partial[list[Answers[float]]],
) -> Sequence[Reading]:
    readings: list[Reading] = []
    for task in find_tasks(path):
        folder = read_folder(task, path, rule)
        answers = answering(folder)
        kept = _with_two_classes(folder, folder.answered_pairs(answers), is_free, one_class)
        groups = [(pair, folder.pairs[pair]) for pair in kept]
        if by == "all":
            groups = [(_ALL, [unit for _, units in groups for unit in units])] if groups else []
        for name, units in groups:
            labels = np.array([is_free(unit.annotations) for unit in units], np.float64)
            first = not readings
            made = UnitTask(name=name, kind=Detections, units=units, gold=labels, values=_numbers, first=first)
            readings.append(unit_reading(made, folder, answers, best))
    return readings


def _decisions(predictions: Predictions) -> Answers[float] | None:
    return decisions(predictions) if "task3_pred" in predictions.tasks else None


def _numbers(values: Sequence[float]) -> FloatArray:
    return np.array(values, np.float64)


def _with_two_classes(folder: Folder, pairs: Sequence[str], is_free: ErrorFreeRule, one_class: OneClass) -> list[str]:
    """Return the language pairs with both classes in the gold; count the others."""
    kept = []
    for pair in pairs:
        classes = {is_free(unit.annotations) for unit in folder.pairs[pair]}
        if one_class == "keep" or len(classes) > 1:
            kept.append(pair)
            continue
        reason = "every translation is free of errors" if True in classes else "no translation is free of errors"
        folder.gold.left_out[pair, "language pair", f"{reason}: MCC is undefined"] += 1
    if not kept and pairs:
        remedy = "annotate more, change least_score, or set one_class=keep in the reader"
        raise folder.gold.file.error("no language pair has translations with errors and without", remedy=remedy)
    return kept
