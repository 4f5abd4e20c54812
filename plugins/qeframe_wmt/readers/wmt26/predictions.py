"""Predictions of the three tasks, one item a line, and the test sets that they answer; how both are read alone."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import isnan, nan
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin.readers import Dropped, SubmissionFormat, Submitted, TextFile, UnitValues, read_text_lines
from qeframe_wmt.formats.json_lines import Fields, json_objects
from qeframe_wmt.readers.wmt26.annotations import Gold
from qeframe_wmt.readers.wmt26.items import LINES, Item, items_of, systems_of
from qeframe_wmt.readers.wmt26.marks import SCORED

TASKS = ("task1_pred", "task2_pred", "task3_pred")
"""The keys of the predictions of spans, of scores, and of whether a translation is free of errors."""

Scale = Literal["0-100", "any"]  # the numbers that predicted scores may be
Nulls = Literal["mean", "error"]  # what a score that is null becomes: the mean of its system in the language pair
ZeroLength = Literal["keep", "drop"]  # whether spans without a character are answers

BEYOND = "beyond 0 to 100, which correlations take as they are"

Place = tuple[str, str]  # the id of an item, and a system

T = TypeVar("T")
_ITEM_KEYS = ("item_id", "src", "ref", "hyps", "resources")  # resources are passed over
_ERROR_KEYS = ("start", "end", "severity", "category")
_ANSWER_KEYS = ("errors", "omission", "instruction_fault")


@frozen(eq=False)
class Predictions:
    """A file of predictions of one submission, its items in order."""

    file: TextFile
    name: str
    items: Sequence[tuple[Item, Fields]]  # the id of every line, and its object
    tasks: tuple[str, ...]  # the keys of predictions, the same on every line


@frozen(eq=False, slots=False)
class Answers(Generic[T]):
    """The answers of one submission to one task."""

    name: str
    file: TextFile
    items: Mapping[str, Item]  # by id
    values: Mapping[Place, T]  # in the order of the file
    lines: Mapping[str, int]  # the line of every item
    derived: str = ""  # how the answers were made from those to another task; empty if they were handed in
    left_out: Mapping[tuple[str, str], int] = field(factory=dict)  # what was changed or left out, why, and how often
    beyond: int = 0  # the scores beyond 0 to 100

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The number of answers in each language pair."""
        return Counter(self.items[key].pair for key, _ in self.values)

    def side(self, ids: Any, keys: Iterable[str], values: Any, names: Mapping[int, str]) -> UnitValues:
        """Return the values of units with their names, which are about the items of some keys."""
        lines = np.array([self.lines[key] for key in keys], np.int64)
        units = np.asarray(ids, np.int64)
        return UnitValues(name=self.name, ids=units, values=values, path=str(self.file.path), lines=lines, names=names)


@frozen
class MarkedText:
    """The errors that a submission marked in one translation, and the severities of faults of the whole translation."""

    spans: tuple[tuple[int, int, str, str | None], ...]  # start, end (exclusive), severity, category
    omission: str | None
    instruction_fault: str | None


def read_predictions(file: TextFile, task: int | None = None) -> Predictions:
    """Read the ids of all lines, each once; the answers are read by `marked_texts`, `scores` and `decisions`.

    `task`: what is evaluated: only answers to it, and those that it can be derived from, are kept. None: all are.
    """
    items: list[tuple[Item, Fields]] = []
    tasks: tuple[str, ...] = ()
    for item, fields in items_of(file, "item_id", lambda fields: fields.check_keys((*_ITEM_KEYS, *TASKS))):
        of_line = tuple(task for task in TASKS if task in fields.values)
        if not of_line:
            raise fields.error("the line has no prediction", remedy=f"give {', '.join(TASKS[:2])} or {TASKS[2]}")
        if items and of_line != tasks:
            what = f"the line has {', '.join(of_line)}, the first line {', '.join(tasks)}"
            raise fields.error(what, remedy="give the same predictions on every line")
        tasks = of_line
        kept = {key: fields.values[key] for key in _needed(tasks, task)}
        items.append((item, Fields(file, fields.line, kept)))
    return Predictions(file, file.path.stem, items, tasks)


def _needed(given: tuple[str, ...], task: int | None) -> tuple[str, ...]:
    """Return the answers that a task needs: its own, and in task 3, or without its own, the last ones before."""
    if task is None:
        return given
    own, earlier = TASKS[task - 1], [key for key in TASKS[: task - 1] if key in given]
    needed = earlier[-1:] if task == len(TASKS) or own not in given else []
    return (*needed, *(key for key in given if key == own))


def _read_answers(predictions: Predictions, task: str, read: Callable[[Fields, str], T]) -> Answers[T] | None:
    """Read the predictions of a task, None if there are none; `read` gets the answers for an item, and a system."""
    if task not in predictions.tasks:
        return None
    values: dict[Place, T] = {}
    for item, fields in predictions.items:
        answers = fields.object(task)
        for system in systems_of(answers):
            values[item.key, system] = read(answers, system)
    items = {item.key: item for item, _ in predictions.items}
    lines = {item.key: fields.line for item, fields in predictions.items}
    read_file = attrs.evolve(predictions.file, lines=())  # the text is not needed any more
    return Answers(predictions.name, read_file, items, values, lines)


def marked_texts(predictions: Predictions, zero_length: ZeroLength = "keep") -> Answers[MarkedText] | None:
    """Read ``task1_pred``, None without it; whether a span lies within its text is checked where the text is known."""
    answers = _read_answers(predictions, "task1_pred", _marked_text)
    if answers is None or zero_length == "keep":
        return answers
    empty = sum(start == end for marked in answers.values.values() for start, end, *_ in marked.spans)
    values = {
        place: attrs.evolve(marked, spans=tuple(span for span in marked.spans if span[0] < span[1]))
        for place, marked in answers.values.items()
    }
    return attrs.evolve(answers, values=values, left_out={("span", "without a character"): empty} if empty else {})


_NOTHING: Mapping[str, Any] = {"errors": [], "omission": None, "instruction_fault": None}
_UNMARKED = MarkedText((), None, None)


def _marked_text(answers: Fields, system: str) -> MarkedText:
    answer = answers.object(system)
    if answer.values == _NOTHING:  # most answers: one value for all of them
        return _UNMARKED
    answer.check_keys(_ANSWER_KEYS)
    spans = tuple(map(_span, answer.objects("errors")))
    return MarkedText(spans, *(answer.choice(key, (*SCORED, None), "severity") for key in _ANSWER_KEYS[1:]))


def _span(error: Fields) -> tuple[int, int, str, str | None]:
    error.check_keys(_ERROR_KEYS)
    start, end = error.get("start", int), error.get("end", int)
    if not 0 <= start <= end:
        remedy = "characters count from 0, the end is the first one after the span"
        raise error.error(f"'{error.where[:-1]}' is a span from {start} to {end}", remedy=remedy)
    severity = error.choice("severity", SCORED, "severity")
    category = None if error.values.get("category") is None else error.name("category")
    return start, end, severity, category


def scores(predictions: Predictions, scale: Scale = "0-100", nulls: Nulls = "error") -> Answers[float] | None:
    """Read ``task2_pred``, a number or null for each system; None without it."""

    def score(answers: Fields, system: str) -> float:
        if answers.values[system] is None and nulls == "mean":
            return nan
        number = answers.number(system)
        if scale == "0-100" and not 0 <= number <= 100:
            what = f"'{answers.where}{system}' is {number:g}"
            raise answers.error(what, remedy="a score is from 0 to 100, or set scale=any in the reader")
        return number

    answers = _read_answers(predictions, "task2_pred", score)
    if answers is None:
        return None
    beyond = sum(not 0 <= value <= 100 for value in answers.values.values() if not isnan(value))
    return _fill(attrs.evolve(answers, beyond=beyond))


def _fill(answers: Answers[float]) -> Answers[float]:
    """Return the answers with the mean of its system and language pair in the place of each null."""
    empty = [place for place, value in answers.values.items() if isnan(value)]
    if not empty:
        return answers
    known: dict[tuple[str, str], list[float]] = {}
    for (key, system), value in answers.values.items():
        if not isnan(value):
            known.setdefault((answers.items[key].pair, system), []).append(value)
    filled: dict[Place, float] = {}
    for key, system in empty:
        of_system = known.get((answers.items[key].pair, system))
        if of_system is None:
            what = f"every score of '{system}' in {answers.items[key].pair} is null"
            raise answers.file.error(what, line=answers.lines[key], remedy="predict a score for some of its items")
        filled[key, system] = sum(of_system) / len(of_system)
    why = "null, filled with the mean of its system in the language pair"
    return attrs.evolve(answers, values={**answers.values, **filled}, left_out={("score", why): len(filled)})


def decisions(predictions: Predictions) -> Answers[float] | None:
    """Read ``task3_pred``: 1 for a translation without errors, 0 for one with errors; None without it."""

    def decision(answers: Fields, system: str) -> float:
        number = answers.values[system]
        if type(number) is not int or number not in (0, 1):
            what = f"'{answers.where}{system}' is {json.dumps(number):.40}"
            raise answers.error(what, remedy="give 1 for a translation without errors, 0 for one with errors")
        return float(number)

    return _read_answers(predictions, "task3_pred", decision)


THRESHOLDS = "thresholds.jsonl"  # the file of the thresholds that participants declared for their scores


TestSet = Answers[str]
"""The translations of a test set."""


def check_answered(test_set: TestSet, answers: Answers[Any]) -> None:
    """Raise a `DataError` if a submission has an answer beyond the input, or lacks one of an item that it has.

    Items that it lacks altogether are left to the policy of the profile.
    """
    texts = test_set.values
    for key, line in answers.lines.items():
        if key not in test_set.items:
            what = f"item '{key}' is not in {test_set.file.path}"
            raise answers.file.error(what, line=line, remedy="predict for the items of the input")
    if answers.values.keys() - texts.keys():
        key, system = next(place for place in answers.values if place not in texts)
        what = f"item '{key}' has no translation by '{system}' in {test_set.file.path}:{test_set.lines[key]}"
        raise answers.file.error(what, line=answers.lines[key], remedy="predict for the systems of the input")
    lacking = texts.keys() - answers.values.keys()
    first = next((place for place in texts if place in lacking and place[0] in answers.lines), None)
    if first is not None:
        what = f"no prediction for the translation by '{first[1]}' of item '{first[0]}'"
        raise answers.file.error(what, line=answers.lines[first[0]], remedy="predict for every system of the input")


def read_test_set(file: TextFile) -> TestSet:
    """Read the lines of an input: item_id, src, ref (an object or null) and hyps."""
    items: dict[str, Item] = {}
    texts: dict[Place, str] = {}
    lines: dict[str, int] = {}
    for item, fields in items_of(file, "item_id", lambda fields: fields.check_keys(_ITEM_KEYS)):
        items[item.key], lines[item.key] = item, fields.line
        fields.text("src")
        if fields.values.get("ref") is not None:
            reference = fields.object("ref")
            reference.text("text")
            reference.get("type", str, type(None))
        outputs = fields.object("hyps")
        if not outputs.values:
            raise fields.error("'hyps' has no translation", remedy="give an object with the text of every system")
        for system in systems_of(outputs):
            texts[item.key, system] = outputs.text(system)
    return Answers("input", attrs.evolve(file, lines=()), items, texts, lines)  # the lines are not needed any more


def check_texts(gold: Gold, test_set: TestSet) -> None:
    """Raise a `DataError` if a translation was annotated that the input lacks, or has with another text."""
    for translation in gold.translations:
        place = (translation.item.key, translation.system)
        if place not in test_set.values:
            what = f"item '{place[0]}' has no translation by '{place[1]}' in {test_set.file.path}"
            raise gold.file.error(what, line=translation.line, remedy="give the input of this gold")
        if test_set.values[place] != translation.text:
            where = f"{test_set.file.path}:{test_set.lines[place[0]]}"
            what = f"another text of {place[1]} for item '{place[0]}' than in {where}"
            raise gold.file.error(what, line=translation.line, remedy="give the input of this gold")


def check_spans(answers: Answers[Any], texts: Mapping[tuple[str, str], str]) -> None:
    """Raise a `DataError` for the first span that ends after its text, where the text is known."""
    for place, marked in answers.values.items():
        for start, end, *_ in marked.spans if isinstance(marked, MarkedText) and place in texts else ():
            if end > len(texts[place]):
                where = f"for {place[1]} of item '{place[0]}', the text has {len(texts[place])} characters"
                remedy = "mark characters of the text; the end is the first one after the span"
                what = f"a span from {start} to {end} {where}"
                raise answers.file.error(what, line=answers.lines[place[0]], remedy=remedy)


def predictions_format(
    answers: Callable[[Predictions], Answers[Any] | None], values: Callable[[Sequence[Any]], Any], task: str
) -> SubmissionFormat:
    """Return how the predictions of a task are read alone, with a part for each language pair.

    `answers` returns those of a file to the task, None if it has none; `values` turns answers into the values of as
    many units; `task` is the key that the file must have.
    """
    read = partial(_read, answers=answers, values=values, task=task)
    read_input = partial(_read_input, read=read)
    return SubmissionFormat(read=read, read_input=read_input, check=_check, naming=(THRESHOLDS,))


def _read(
    path: Path,
    *,
    answers: Callable[[Predictions], Answers[Any] | None],
    values: Callable[[Sequence[Any]], Any],
    task: str,
) -> Sequence[Submitted]:
    predictions = read_predictions(read_text_lines(path, texts=True, holds=LINES))
    of_task = answers(predictions)
    if of_task is None:
        what = f"the file has {', '.join(predictions.tasks)}, not {task}"
        raise predictions.file.error(what, line=1, remedy="choose the profile of the task that these are for")
    changed = [*of_task.left_out.items(), *([(("score", BEYOND), of_task.beyond)] if of_task.beyond else [])]
    return _parts(of_task, values, tuple(Dropped("", what, count, why) for (what, why), count in changed))


def _read_input(path: Path, *, read: Callable[[Path], Sequence[Submitted]]) -> Sequence[Submitted]:
    """Read a test set; a file with predictions is another submission, of which nothing more is checked."""
    file = read_text_lines(path, texts=True, holds=LINES)
    first = next(json_objects(file))
    if any(task in first.values for task in TASKS):
        return [attrs.evolve(part, content=None) for part in read(path)]
    return _parts(read_test_set(file), lambda texts: np.zeros(len(texts)))


def _parts(
    answers: Answers[Any], values: Callable[[Sequence[Any]], Any], dropped: tuple[Dropped, ...] = ()
) -> list[Submitted]:
    """Return the answers to each language pair."""
    by_pair: dict[str, list[Place]] = {}
    for place in answers.values:
        by_pair.setdefault(answers.items[place[0]].pair, []).append(place)
    parts = []
    for pair, places in by_pair.items():
        names = {number: f"{key} by {system}" for number, (key, system) in enumerate(places)}
        units = values([answers.values[place] for place in places])
        side = answers.side(np.arange(len(places)), (key for key, _ in places), units, names)
        parts.append(Submitted(part=pair, answers=side, content=answers, dropped=dropped))
    return parts


def _check(expected: Submitted, given: Submitted) -> None:
    """Raise a `DataError` for a system that the input lacks or has beside, and a span that ends after its text."""
    if expected.content is not None:
        check_answered(expected.content, given.content)
        check_spans(given.content, expected.content.values)
