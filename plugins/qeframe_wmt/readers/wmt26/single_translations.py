"""Tasks 1 and 3 of 2026, whose units are single translations: their error spans, and which are free of errors."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from qeframe.plugin import Best, Detections, IntArray, Spans
from qeframe.plugin.kinds import NO_CODE, SEVERITIES, AnnotatedSegments, SegmentSpans
from qeframe.plugin.readers import Reader, Reading
from qeframe_wmt.examples import wmt26 as examples
from qeframe_wmt.readers.wmt26.annotations import Annotation, GoldRule, Items, Translation
from qeframe_wmt.readers.wmt26.challenge_sets import write_challenge_sets
from qeframe_wmt.readers.wmt26.folder import (
    Cascade,
    Folder,
    Scored,
    as_numbers,
    error_free_answers,
    read_folders,
    scores_of,
    unit_reading,
)
from qeframe_wmt.readers.wmt26.marks import Beyond, On
from qeframe_wmt.readers.wmt26.predictions import (
    Answers,
    MarkedText,
    Nulls,
    Predictions,
    Scale,
    ZeroLength,
    decisions,
    marked_texts,
    predictions_format,
)

Annotators = Literal["union", "all", "first", "each"]  # which annotations of a translation are its gold

MissingMarks = Literal["omission", "drop"]  # what a mark on ``[missing]`` is in the gold

FaultMarks = Literal["instruction_fault", "drop"]  # what a mark on ``[instructions fault]`` is in the gold


Marked = partial[Answers[MarkedText] | None]  # `marked_texts` with its parameter


def wmt26_spans(
    *,
    items: Items = "official",
    references: tuple[str, ...] = (),
    annotators: Annotators = "union",
    missing_marks: MissingMarks = "omission",
    fault_marks: FaultMarks = "instruction_fault",
    beyond: Beyond = "error",
    zero_length: ZeroLength = "keep",
    least_probability: float = 0.0,
) -> Reader:
    """Read ``task1_pred`` and gold spans as JSON; every language pair is a task, every translation a unit.

    Parameters
    ----------
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
    fault_marks : {"instruction_fault", "drop"}
        The same for marks on ``[instructions fault]``, which are an instruction fault.
    beyond : {"error", "clip"}
        Whether a span of the gold of 2025 that ends after its text is refused, or cut at the end of the text and
        counted. One of 2026 is refused.
    zero_length : {"keep", "drop"}
        Whether predicted spans without a character are answers, or left out and counted.
    least_probability : float
        Annotators whose scores agree less with all scores of a campaign of 2026 are left out and counted; the official
        filter has .75. 0: all count.

    Returns
    -------
    Reader
        Of `Spans`. Marks without severity, and neutral or undecided ones, are left out and counted. Spans of a
        submission have exclusive ends and lie within their text.

    References
    ----------
    WMT26 automated MT evaluation, sub-task 1.
    """
    rule = GoldRule(items=items, references=references, beyond=beyond, least_probability=least_probability)
    marked = partial(marked_texts, zero_length=zero_length)
    return Reader(
        name="wmt26_spans",
        summary="a folder of JSON lines: gold annotation, and spans of every translation in task1_pred",
        source="WMT26 automated MT evaluation, sub-task 1",
        kind=Spans,
        read=partial(
            _read_spans,
            rule=rule,
            marked=marked,
            annotators=annotators,
            kept={"missing": missing_marks != "drop", "instructions fault": fault_marks != "drop"},
        ),
        example=partial(examples.predictions, task=1),
        submission=predictions_format(marked, _side, "task1_pred"),
        write=write_challenge_sets,
    )


def _read_spans(
    path: Path, best: Best, *, rule: GoldRule, marked: Marked, annotators: Annotators, kept: Mapping[On, bool]
) -> Sequence[Reading]:
    readings: list[Reading] = []

    def spans(submission: Predictions) -> list[Answers[MarkedText]] | str:
        return "no task1_pred" if (found := marked(submission)) is None else [found]

    for folder, answers, pairs in read_folders(path, rule, 1, lambda folder: folder.answers(spans)):
        for pair in pairs:
            chosen = _units(folder.gold.pairs[pair], annotators)
            once = annotators == "union"
            side = _side([_of_annotations(marks, kept, folder, pair, once=once) for _, marks in chosen])
            units = [unit for unit, _ in chosen]
            gold = SegmentSpans(
                side.values,
                side.offsets,
                np.array([len(unit.text) for unit in units], np.int64),
                content=np.array([unit.text for unit in units], dtype=object),
                omission=side.omission,
                instruction_fault=side.instruction_fault,
            )
            task = unit_reading(
                folder, answers, best, name=pair, kind=Spans, units=units, gold=gold, values=_side, first=not readings
            )
            readings.append(task)
    return readings


def _units(
    translations: Sequence[Translation], annotators: Annotators
) -> list[tuple[Translation, Sequence[Annotation]]]:
    """Return every unit with the annotations that are its gold."""
    if annotators == "each":
        return [(unit, [annotation]) for unit in translations for annotation in unit.annotations]
    return [(unit, unit.annotations[:1] if annotators == "first" else unit.annotations) for unit in translations]


def _of_annotations(
    annotations: Sequence[Annotation], kept: Mapping[On, bool], folder: Folder, pair: str, *, once: bool
) -> MarkedText:
    spans: list[tuple[int, int, str, str | None]] = []
    faults: dict[On, list[str]] = {"missing": [], "instructions fault": []}
    for mark in (mark for annotation in annotations for mark in annotation.marks):
        if mark.severity is None or not mark.is_scored:
            word = mark.severity or "without severity"
            folder.gold.left_out[pair, "span", f"{word} in the gold"] += 1
        elif mark.on == "text":
            spans.append((mark.start, mark.end, mark.severity, None))
        elif kept[mark.on]:
            faults[mark.on].append(mark.severity)
        else:
            folder.gold.left_out[pair, "span", f"[{mark.on}] in the gold"] += 1
    omission, fault = (max(found, key=SEVERITIES.index, default=None) for found in faults.values())
    return MarkedText(tuple(dict.fromkeys(spans) if once else spans), omission, fault)


def _side(marked: Sequence[MarkedText]) -> AnnotatedSegments:
    """Return the annotation of units in arrays."""
    flat = [span for unit in marked for span in unit.spans]
    names = tuple(sorted({category for *_, category in flat if category is not None}))
    code: dict[str | None, int] = {None: NO_CODE, **{name: number for number, name in enumerate(names)}}
    values = np.array([(s, e, SEVERITIES.index(kind), code[of]) for s, e, kind, of in flat], np.int64).reshape(-1, 4)
    offsets = np.concatenate([[0], np.cumsum([len(unit.spans) for unit in marked], dtype=np.int64)])
    return AnnotatedSegments(
        values if names else values[:, :3],
        offsets,
        categories=names,
        omission=_codes([unit.omission for unit in marked]),
        instruction_fault=_codes([unit.instruction_fault for unit in marked]),
    )


def _codes(severities: Sequence[str | None]) -> IntArray:
    return np.array([NO_CODE if name is None else SEVERITIES.index(name) for name in severities], np.int64)


ScoresOf = Literal["mean", "first", "every"]
"""Which scores of a translation must reach the threshold: their mean, the first one, or every one."""

MarksOf = Literal["all", "scored"]  # which marks are errors: all of them, or only minor and major ones

OneClass = Literal["drop", "keep"]
"""What happens to a language pair whose translations all have errors, or none of which has one."""

By = Literal["pair", "all"]  # whether every language pair is a task, or all of them are one

_ALL = "all language pairs"


IsFree = partial[bool]  # `_is_error_free` with its parameters


def _is_error_free(
    annotations: Sequence[Annotation], *, least_score: float, annotators: ScoresOf, marks: MarksOf
) -> bool:
    """Return whether the scores of a translation reach the threshold, and no annotator marked an error."""
    scores = [annotation.score for annotation in annotations]
    reached = {"mean": sum(scores) / len(scores), "first": scores[0], "every": min(scores)}[annotators]
    marked = [mark for annotation in annotations for mark in annotation.marks]
    return reached >= least_score and not any(marks == "all" or mark.is_scored for mark in marked)


def wmt26_error_free(
    *,
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
    nulls: Nulls = "error",
    least_probability: float = 0.0,
) -> Reader:
    """Read ``task3_pred`` and human annotation as JSON; every translation is a unit, free of errors or not.

    Parameters
    ----------
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
        counted, since MCC is undefined there. keep: it stays, with an MCC of 0.
    cascade : {"yes", "no"}
        yes: a submission with a threshold in ``thresholds.jsonl`` also enters with its scores at that threshold,
        derived from spans where it has none, under a name that says so.
    minor, major : float
        The points that an error takes from 100 in derived scores, which are not below 0.
    scale : {"0-100", "any"}
        The numbers that predicted scores may be; any: those beyond 0 to 100 are noted.
    nulls : {"mean", "error"}
        mean: a score that is null becomes the mean of its system in the language pair, and is counted.
    least_probability : float
        Annotators whose scores agree less with all scores of a campaign of 2026 are left out and counted; the official
        filter has .75. 0: all count.

    Returns
    -------
    Reader
        Of `Detections`; 1 is a translation without errors.

    References
    ----------
    WMT26 automated MT evaluation, sub-task 3.
    """
    rule = GoldRule(items=items, references=references, least_probability=least_probability)
    scored_by = partial(scores_of, weights={"minor": minor, "major": major}, cascade=cascade, scale=scale, nulls=nulls)
    is_free = partial(_is_error_free, least_score=least_score, annotators=annotators, marks=marks)
    return Reader(
        name="wmt26_error_free",
        summary="a folder of JSON lines: gold annotation, and 1 or 0 for every translation in task3_pred",
        source="WMT26 automated MT evaluation, sub-task 3",
        kind=Detections,
        read=partial(
            _read_error_free,
            rule=rule,
            is_free=is_free,
            by=by,
            one_class=one_class,
            scored_by=scored_by if cascade == "yes" else None,
        ),
        example=partial(examples.predictions, task=3),
        submission=predictions_format(decisions, as_numbers, "task3_pred"),
        write=write_challenge_sets,
    )


def _read_error_free(
    path: Path, best: Best, *, rule: GoldRule, is_free: IsFree, by: By, one_class: OneClass, scored_by: Scored | None
) -> Sequence[Reading]:
    readings: list[Reading] = []
    for folder, answers, pairs in read_folders(path, rule, 3, partial(error_free_answers, scored_by=scored_by)):
        kept = _with_two_classes(folder, pairs, is_free, one_class)
        groups = [(pair, folder.gold.pairs[pair]) for pair in kept]
        if by == "all":
            groups = [(_ALL, [unit for _, units in groups for unit in units])] if groups else []
        for name, units in groups:
            task = unit_reading(
                folder,
                answers,
                best,
                name=name,
                kind=Detections,
                units=units,
                gold=np.array([is_free(unit.annotations) for unit in units], np.float64),
                values=as_numbers,
                first=not readings,
            )
            readings.append(task)
    return readings


def _with_two_classes(folder: Folder, pairs: Sequence[str], is_free: IsFree, one_class: OneClass) -> list[str]:
    """Return the language pairs with both classes in the gold; count the others."""
    kept = []
    for pair in pairs:
        classes = {is_free(unit.annotations) for unit in folder.gold.pairs[pair]}
        if one_class == "keep" or len(classes) > 1:
            kept.append(pair)
            continue
        reason = "every translation is free of errors" if True in classes else "no translation is free of errors"
        folder.gold.left_out[pair, "language pair", f"{reason}: MCC is undefined"] += 1
    if not kept and pairs:
        remedy = "annotate more, change least_score, or set one_class=keep in the reader"
        raise folder.gold.file.error("no language pair has translations with errors and without", remedy=remedy)
    return kept
