"""Predictions of the three tasks: one item a line, with the answers for all its translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, Literal, TypeVar

from attrs import frozen

from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields, json_objects
from qeframe_wmt.readers.wmt26.item_ids import Item, parse_item

TASKS = ("task1_pred", "task2_pred", "task3_pred")
"""The keys of the predictions of spans, of scores, and of whether a translation is free of errors."""

Scale = Literal["0-100", "any"]  # the numbers that predicted scores may be

Place = tuple[str, str]  # the id of an item, and a system

T = TypeVar("T")
_ITEM_KEYS = ("item_id", "src", "ref", "hyps")
_SEVERITIES = ("minor", "major")
_ERROR_KEYS = ("start", "end", "severity", "category")
_ANSWER_KEYS = ("errors", "omission", "instruction_fault")


@frozen(eq=False)
class Predictions:
    """A file of predictions of one submission, its items in order."""

    file: TextFile
    name: str
    items: Sequence[tuple[Item, Fields]]  # the id of every line, and its object
    tasks: tuple[str, ...]  # the keys of predictions, the same on every line


@frozen(eq=False)
class Answers(Generic[T]):
    """The answers of one submission to one task."""

    name: str
    file: TextFile
    items: Mapping[str, Item]  # by id
    values: Mapping[Place, T]  # in the order of the file
    lines: Mapping[str, int]  # the line of every item
    derived: str = ""  # how the answers were made from those to another task; empty if they were handed in


@frozen
class MarkedText:
    """The errors that a submission marked in one translation, and the severities of faults of the whole translation."""

    spans: tuple[tuple[int, int, str, str | None], ...]  # start, end (exclusive), severity, category
    omission: str | None
    instruction_fault: str | None


def read_predictions(file: TextFile) -> Predictions:
    """Read the ids of all lines, each once; the answers are read by `marked_texts`, `scores` and `decisions`."""
    items: list[tuple[Item, Fields]] = []
    lines: dict[str, int] = {}
    tasks: tuple[str, ...] = ()
    for fields in json_objects(file):
        fields.check_keys((*_ITEM_KEYS, *TASKS))
        item = parse_item(fields, "item_id")
        if item.key in lines:
            what = f"item '{item.key}' occurs twice, first on line {lines[item.key]}"
            raise fields.error(what, remedy="keep one line an item")
        lines[item.key] = fields.line
        found = tuple(task for task in TASKS if task in fields.values)
        if not found:
            raise fields.error("the line has no prediction", remedy=f"give {', '.join(TASKS[:2])} or {TASKS[2]}")
        if items and found != tasks:
            what = f"the line has {', '.join(found)}, the first line {', '.join(tasks)}"
            raise fields.error(what, remedy="give the same predictions on every line")
        tasks = found
        items.append((item, fields))
    return Predictions(file, file.path.stem, items, tasks)


def marked_texts(predictions: Predictions) -> Answers[MarkedText]:
    """Read ``task1_pred``; whether a span lies within its text is checked where the text is known."""
    values: dict[Place, MarkedText] = {}
    for item, fields in predictions.items:
        answers = fields.object("task1_pred")
        for system in answers.values:
            answers.checked_name(system, "the name of a system")
            values[item.key, system] = _marked_text(answers.object(system))
    return _answers(predictions, values)


def _marked_text(answer: Fields) -> MarkedText:
    answer.check_keys(_ANSWER_KEYS)
    spans = tuple(map(_span, answer.objects("errors")))
    return MarkedText(spans, _fault(answer, "omission"), _fault(answer, "instruction_fault"))


def _span(error: Fields) -> tuple[int, int, str, str | None]:
    error.check_keys(_ERROR_KEYS)
    start, end = error.get("start", int), error.get("end", int)
    if not 0 <= start <= end:
        remedy = "characters count from 0, the end is the first one after the span"
        raise error.error(f"'{error.where[:-1]}' is a span from {start} to {end}", remedy=remedy)
    severity = error.text("severity")
    if severity not in _SEVERITIES:
        what = f"unknown severity {severity!a} in '{error.where}severity'"
        raise error.error(what, remedy=f"give {' or '.join(_SEVERITIES)}")
    category = None if error.values.get("category") is None else error.name("category")
    return start, end, severity, category


def _fault(answer: Fields, key: str) -> str | None:
    severity: str | None = answer.get(key, str, type(None))
    if severity not in (None, *_SEVERITIES):
        what = f"unknown severity {severity!a} in '{answer.where}{key}'"
        raise answer.error(what, remedy=f"give {', '.join(_SEVERITIES)} or null")
    return severity


def scores(predictions: Predictions, scale: Scale = "0-100") -> Answers[float]:
    """Read ``task2_pred``, a number for each system."""
    values: dict[Place, float] = {}
    for item, fields in predictions.items:
        answers = fields.object("task2_pred")
        for system in answers.values:
            answers.checked_name(system, "the name of a system")
            number = answers.number(system)
            if scale == "0-100" and not 0 <= number <= 100:
                what = f"'{answers.where}{system}' is {number:g}"
                raise answers.error(what, remedy="a score is from 0 to 100, or set scale=any in the reader")
            values[item.key, system] = number
    return _answers(predictions, values)


def decisions(predictions: Predictions) -> Answers[float]:
    """Read ``task3_pred``: 1 for a translation without errors, 0 for one with errors."""
    values: dict[Place, float] = {}
    for item, fields in predictions.items:
        answers = fields.object("task3_pred")
        for system in answers.values:
            answers.checked_name(system, "the name of a system")
            decision = answers.get(system, int)
            if decision not in (0, 1):
                what = f"'{answers.where}{system}' is {decision}"
                raise answers.error(what, remedy="give 1 for a translation without errors, 0 for one with errors")
            values[item.key, system] = float(decision)
    return _answers(predictions, values)


def _answers(predictions: Predictions, values: Mapping[Place, T]) -> Answers[T]:
    items = {item.key: item for item, _ in predictions.items}
    lines = {item.key: fields.line for item, fields in predictions.items}
    return Answers(predictions.name, predictions.file, items, values, lines)
