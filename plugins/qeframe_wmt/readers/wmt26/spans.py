"""Task 1 of 2026: error spans, omissions and faults against the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from qeframe.plugin import Best, IntArray, Spans
from qeframe.plugin.kinds import NO_CODE, SEVERITIES, AnnotatedSegments, SegmentSpans
from qeframe.plugin.readers import Reader, Reading, find_tasks
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.readers.wmt26.annotations import Annotation, Beyond, Ends, MarkRule, Translation
from qeframe_wmt.readers.wmt26.folder import Folder, GoldFormat, GoldRule, Items, read_folder
from qeframe_wmt.readers.wmt26.predictions import Answers, MarkedText, Predictions, marked_texts
from qeframe_wmt.readers.wmt26.submissions import predictions_format
from qeframe_wmt.readers.wmt26.test_sets import check_spans
from qeframe_wmt.readers.wmt26.units import UnitTask, unit_reading

Annotators = Literal["union", "all", "first", "each"]  # which annotations of a translation are its gold

MissingMarks = Literal["omission", "drop"]  # what a mark on ``[missing]`` is in the gold


def wmt26_spans(
    *,
    gold: GoldFormat = "esa",
    items: Items = "official",
    references: tuple[str, ...] = (),
    annotators: Annotators = "union",
    missing_marks: MissingMarks = "omission",
    ends: Ends = "inclusive",
    beyond: Beyond = "error",
) -> Reader:
    """Read ``task1_pred`` and gold spans as JSON; every language pair is a task, every translation a unit.

    Parameters
    ----------
    gold : {"esa", "cesa"}
        esa: the published annotation of 2025. cesa: a log of contrastive annotation, as the tool of 2026 writes it.
    items : {"official", "challenge", "all"}
        The set of items that is scored. Others are left out and counted.
    references : list of str
        Systems that are references. They are left out and counted.
    annotators : {"union", "all", "first", "each"}
        The gold of a translation that several people annotated. union: the marks of all of them; equal marks, with the
        same ends and severity, are one. all: the same, with equal marks as often as they were made. first: the marks
        of the first one. each: each annotation is a gold of its own.
    missing_marks : {"omission", "drop"}
        omission: a mark on ``[missing]`` is an omission of its severity, of the worst one if there are several. drop:
        such marks are left out and counted.
    ends : {"inclusive", "exclusive"}
        Whether ``end_i`` of the gold is the last character of a span, or the first one after it.
    beyond : {"error", "clip"}
        Whether a span of the gold that ends after its text is refused, or cut at the end of the text and counted.

    Returns
    -------
    Reader
        Of `Spans`. Marks without severity, and neutral or undecided ones, are left out and counted. Spans of a
        submission have exclusive ends and lie within their text.

    References
    ----------
    WMT26 automated MT evaluation, sub-task 1.
    """
    rule = GoldRule(gold=gold, items=items, references=references, marks=_marks(gold, ends, beyond))
    return Reader(
        name="wmt26_spans",
        summary="a folder of JSON lines: gold annotation, and spans of every translation in task1_pred",
        source="WMT26 automated MT evaluation, sub-task 1",
        kind=Spans,
        read=partial(_read, rule=rule, annotators=annotators, missing=missing_marks),
        example=partial(examples.predictions, task=1, gold=gold),
        submission=predictions_format(_marked, _side, "task1_pred"),
    )


def _marks(gold: GoldFormat, ends: Ends, beyond: Beyond) -> MarkRule:
    return MarkRule(ends, beyond, missing_after_text=gold == "cesa")


def _read(
    path: Path, best: Best, *, rule: GoldRule, annotators: Annotators, missing: MissingMarks
) -> Sequence[Reading]:
    readings: list[Reading] = []
    for task in find_tasks(path):
        folder = read_folder(task, path, rule)
        answers = _answers(folder)
        for pair in folder.answered_pairs(answers):
            chosen = _units(folder.pairs[pair], annotators)
            once = annotators == "union"
            golds = [_of_annotations(marks, missing, folder, pair, once=once) for _, marks in chosen]
            units = [unit for unit, _ in chosen]
            side = _side(golds)
            texts = np.array([unit.text for unit in units], dtype=object)
            lengths = np.array([len(unit.text) for unit in units], np.int64)
            spans = SegmentSpans(
                side.values,
                side.offsets,
                lengths,
                content=texts,
                omission=side.omission,
                instruction_fault=side.instruction_fault,
            )
            first = not readings
            made = UnitTask(name=pair, kind=Spans, units=units, gold=spans, values=_side, first=first)
            readings.append(unit_reading(made, folder, answers, best))
    return readings


def _marked(predictions: Predictions) -> Answers[MarkedText] | None:
    return marked_texts(predictions) if "task1_pred" in predictions.tasks else None


def _answers(folder: Folder) -> list[Answers[MarkedText]]:
    found = []
    for each in folder.predictions:
        if "task1_pred" in each.tasks:
            answers = marked_texts(each)
            folder.check(answers)
            check_spans(answers, folder.texts)
            found.append(answers)
        else:
            folder.gold.left_out["", "submission", f"{each.name}: no task1_pred"] += 1
    return found


def _units(
    translations: Sequence[Translation], annotators: Annotators
) -> list[tuple[Translation, Sequence[Annotation]]]:
    """Return every unit with the annotations that are its gold."""
    if annotators == "each":
        return [(each, [annotation]) for each in translations for annotation in each.annotations]
    return [(each, each.annotations[:1] if annotators == "first" else each.annotations) for each in translations]


def _of_annotations(
    annotations: Sequence[Annotation], missing: MissingMarks, folder: Folder, pair: str, *, once: bool
) -> MarkedText:
    spans: list[tuple[int, int, str, str | None]] = []
    omissions: list[str] = []
    for mark in (mark for annotation in annotations for mark in annotation.marks):
        if mark.severity is None or not mark.is_scored:
            word = mark.severity or "without severity"
            folder.gold.left_out[pair, "span", f"{word} in the gold"] += 1
        elif not mark.is_missing:
            spans.append((mark.start, mark.end, mark.severity, None))
        elif missing == "omission":
            omissions.append(mark.severity)
        else:
            folder.gold.left_out[pair, "span", "[missing] in the gold"] += 1
    kept = dict.fromkeys(spans) if once else spans
    return MarkedText(tuple(kept), max(omissions, key=SEVERITIES.index, default=None), None)


def _side(marked: Sequence[MarkedText]) -> AnnotatedSegments:
    """Return the annotation of units in arrays."""
    flat = [span for each in marked for span in each.spans]
    names = tuple(sorted({category for *_, category in flat if category is not None}))
    code: dict[str | None, int] = {None: NO_CODE, **{name: number for number, name in enumerate(names)}}
    values = np.array([(s, e, SEVERITIES.index(kind), code[of]) for s, e, kind, of in flat], np.int64).reshape(-1, 4)
    offsets = np.concatenate([[0], np.cumsum([len(each.spans) for each in marked], dtype=np.int64)])
    return AnnotatedSegments(
        values if names else values[:, :3],
        offsets,
        categories=names,
        omission=_codes([each.omission for each in marked]),
        instruction_fault=_codes([each.instruction_fault for each in marked]),
    )


def _codes(severities: Sequence[str | None]) -> IntArray:
    return np.array([NO_CODE if each is None else SEVERITIES.index(each) for each in severities], np.int64)
