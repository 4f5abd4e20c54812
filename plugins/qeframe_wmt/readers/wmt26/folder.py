"""What the tasks of 2026 share: the folder of a task, answers derived from those to the task before, and readings.

The folder has ``gold*`` or ``annotations.json``, ``submissions/``, and possibly ``input.jsonl`` and
``thresholds.jsonl``. Scores from spans, and decisions from scores, are another submission than what was handed in: its
name says how it was made.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import Batch, Best, DataError
from qeframe.plugin.calls import counted, did_you_mean
from qeframe.plugin.readers import Input, Reading, TextFile, UnitValues, find_tasks, has_file, input_of, read_text_lines
from qeframe_wmt.formats.json_lines import json_objects, without_collection
from qeframe_wmt.formats.tables import length_labels
from qeframe_wmt.readers.wmt26.annotations import Gold, GoldRule, Items, Translation, dropped_of
from qeframe_wmt.readers.wmt26.campaigns import read_gold
from qeframe_wmt.readers.wmt26.items import LINES, OFFICIAL, labels_of
from qeframe_wmt.readers.wmt26.predictions import (
    BEYOND,
    THRESHOLDS,
    Answers,
    MarkedText,
    Nulls,
    Predictions,
    Scale,
    TestSet,
    check_answered,
    check_spans,
    check_texts,
    decisions,
    marked_texts,
    read_predictions,
    read_test_set,
    scores,
)

T = TypeVar("T")
PUBLISHED = "annotations.json"  # the name under which the annotation of 2026 is published


@frozen(eq=False, slots=False)
class Folder:
    """The files of a task that were read."""

    gold: Gold
    root: Path
    task: int
    submissions: Sequence[Path]
    test_set: TestSet | None
    thresholds: TextFile | None  # what participants declared, not yet parsed
    read: list[TextFile] = field(factory=list)  # the files of submissions, without their lines

    def predictions(self, path: Path) -> Predictions:
        """Read a submission; callers do not keep it, so that one is in memory at a time."""
        file = read_text_lines(path, texts=True, holds=LINES)
        self.read.append(attrs.evolve(file, lines=()))
        return read_predictions(file, self.task)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files that were read."""
        further = [None if self.test_set is None else self.test_set.file, self.thresholds]
        files = (self.gold.file, *self.read, *(file for file in further if file is not None))
        return tuple(input_of(file, self.root) for file in files)

    @cached_property
    def texts(self) -> Mapping[tuple[str, str], str]:
        """The texts that are known, by item and system."""
        if self.test_set is not None:
            return self.test_set.values
        return {(of_item.item.key, of_item.system): of_item.text for of_item in self.gold.translations}

    @cached_property
    def scored_items(self) -> set[str]:
        """The ids of the items that have gold."""
        return {translation.item.key for translation in self.gold.translations}

    def check(self, answers: Answers[Any]) -> None:
        """Raise a `DataError` if the answers do not fit the input."""
        if self.test_set is not None:
            check_answered(self.test_set, answers)
        check_spans(answers, self.texts)

    def answers(self, read: Callable[[Predictions], Sequence[Answers[T]] | str]) -> list[Answers[T]]:
        """Return the answers of all submissions, of which `read` may return several; or in words what one lacks."""
        answers: list[Answers[T]] = []
        for path in self.submissions:
            of_submission = read(self.predictions(path))
            if isinstance(of_submission, str):
                self.gold.left_out["", "submission", f"{path.stem}: {of_submission}"] += 1
                continue
            for given in of_submission:
                self.check(given)
                self.count(given)
            answers += of_submission
        return answers

    def count(self, answers: Answers[Any]) -> None:
        """Count what was changed or left out in a submission, and its items of challenge sets without gold."""
        for (what, why), number in answers.left_out.items():
            self.gold.left_out["", what, f"{why}, in {answers.name}"] += number
        without = [item for key, item in answers.items.items() if key not in self.scored_items]
        if challenge := sum(item.part != OFFICIAL for item in without):
            self.gold.left_out["", "item", f"of challenge sets, left to their authors, in {answers.name}"] += challenge
        if len(without) == len(answers.items):
            self.gold.left_out["", "submission", f"{answers.name}: no item with gold"] += 1

    def count_extra(self, task: str, pairs: Collection[str], answers: Answers[Any], answered: int) -> None:
        """Count the answers to language pairs beyond those that have gold."""
        extra = sum(answers.counts.get(pair, 0) for pair in pairs) - answered
        if extra:
            self.gold.left_out[task, "answer", f"no gold, in {answers.name}"] += extra

    def answered_pairs(self, answers: Sequence[Answers[Any]]) -> list[str]:
        """Return the language pairs of which a submission has an item; the others are counted as left out."""
        if not answers:
            reasons = ", ".join(reason for _, what, reason in self.gold.left_out if what == "submission")
            what = f"no submission has predictions of this task: {reasons}"
            remedy = "give such predictions, or choose the profile of the task that these are for"
            raise DataError(what, path=self.gold.file.path.parent, remedy=remedy)
        answered = {item.pair for submission in answers for item in submission.items.values()}
        for pair in self.gold.pairs:
            if pair not in answered:
                self.gold.left_out[pair, "language pair", "no submission has an item of it"] += 1
        return [pair for pair in self.gold.pairs if pair in answered]

    def reading(
        self,
        name: str,
        kind: type[Batch],
        gold: Any,
        *,
        lines: Sequence[int],
        names: Mapping[int, str],
        sides: Sequence[tuple[Answers[Any], UnitValues]],
        answers: Sequence[Answers[Any]],
        first: bool,
        **fields: Any,
    ) -> Reading:
        """Return the reading of a task.

        `lines`, `names`: of the units. `sides`: the submissions that take part, of all `answers`. `first`: whether this
        is the first task, which has the counts and remarks of what belongs to no task. `fields`: those of `Reading`.
        """
        units = np.arange(len(lines))
        path, of_units = str(self.gold.file.path), np.array(lines, np.int64)
        beyond = [of for of in answers if of.beyond] if first else []
        return Reading(
            name=name,
            kind=kind,
            gold=UnitValues(name="gold", ids=units, values=gold, path=path, lines=of_units, names=names),
            submissions=tuple(side for _, side in sides),
            dropped=dropped_of(self.gold.left_out, name, self.gold.pairs if first else None),
            inputs=self.inputs,
            versions={of.name: f"derived: {of.derived}" for of, _ in sides if of.derived},
            remarks=tuple(f"'{of.name}' has {counted(of.beyond, 'score')} {BEYOND}" for of in beyond),
            **fields,
        )


def read_folders(
    root: Path, rule: GoldRule, task: int, read: Callable[[Folder], list[Answers[T]]]
) -> Iterator[tuple[Folder, list[Answers[T]], list[str]]]:
    """Yield each task folder, the answers that `read` finds in it, and the language pairs that have some.

    The gold is gold.* or the published annotations.json; it must fit the input, and have a translation to score.
    """
    of_lines = partial(read_text_lines, texts=True, holds=LINES)
    for place in find_tasks(root, gold=PUBLISHED if has_file(root / PUBLISHED) else ""):
        test_set, thresholds = (
            of_lines(path) if has_file(path) else None for path in (place.path / "input.jsonl", place.path / THRESHOLDS)
        )
        gold = _of_items(read_gold(place.gold, rule), rule.items)
        parsed = None if test_set is None else read_test_set(test_set)
        if parsed is not None:
            check_texts(gold, parsed)
        folder = Folder(gold, root, task, place.submissions, parsed, thresholds)
        with without_collection():
            answers = read(folder)
        yield folder, answers, folder.answered_pairs(answers)


def _of_items(gold: Gold, items: Items) -> Gold:
    kept = [translation for translation in gold.translations if items in ("all", translation.item.part)]
    if not kept:
        parts = Counter(translation.item.part for translation in gold.translations)
        counts = ", ".join(f"{count} of the set {part}" for part, count in sorted(parts.items())) or "none at all"
        remedy = "annotate some, or set items in the reader"
        raise gold.file.error(f"no annotated translation is in the set {items}: there are {counts}", remedy=remedy)
    for translation in gold.translations:
        if items not in ("all", translation.item.part):
            gold.left_out[translation.item.pair, "translation", f"not in the set {items}"] += 1
    return attrs.evolve(gold, translations=kept)


Cascade = Literal["yes", "no"]  # whether submissions to one task enter the next one
Weights = Mapping[str, float]  # the points that an error takes from 100, by its severity
Scored = Callable[[Predictions], Answers[float] | None]  # the scores of a submission; None if there are none

Rule = tuple[str, Callable[[float], float]]  # how decisions are made of scores, in words, "score >= 85", and by itself

_THRESHOLD_KEYS = ("submission", "threshold", "inclusive")


def _read_thresholds(file: TextFile, submissions: Sequence[str]) -> dict[str, Rule]:
    """Read the thresholds that participants declared: submission, threshold, and whether it is inclusive."""
    thresholds: dict[str, Rule] = {}
    for fields in json_objects(file):
        fields.check_keys(_THRESHOLD_KEYS)
        name = fields.name("submission")
        if name not in submissions:
            raise fields.error(f"there is no submission '{name}'", remedy=did_you_mean(name, submissions))
        if name in thresholds:
            raise fields.error(f"the threshold of '{name}' is declared twice", remedy="keep one line a submission")
        value, sign = fields.number("threshold"), ">=" if fields.get("inclusive", bool) else ">"
        thresholds[name] = f"score {sign} {value:g}", partial(_decide, value=value, inclusive=sign == ">=")
    return thresholds


def _decide(score: float, value: float, *, inclusive: bool) -> float:
    return float(score >= value if inclusive else score > value)


def _score_of_spans(marked: MarkedText, weights: Weights) -> float:
    """Return 100 less the points of all errors, not below 0; a fault of the whole translation counts as a span."""
    severities = [*(severity for _, _, severity, _ in marked.spans), marked.omission, marked.instruction_fault]
    return max(0.0, 100.0 - sum(weights.get(severity or "", 0.0) for severity in severities))


def error_free_answers(folder: Folder, scored_by: Scored | None) -> list[Answers[float]]:
    """Return the decisions of all submissions: those handed in, and those by a declared threshold of scores."""
    names = [path.stem for path in folder.submissions]
    thresholds = {} if folder.thresholds is None else _read_thresholds(folder.thresholds, names)

    def decided(submission: Predictions) -> list[Answers[float]] | str:
        handed_in, scored = decisions(submission), scored_by(submission) if scored_by is not None else None
        found = [] if handed_in is None else [handed_in]
        if scored is not None and submission.name in thresholds:
            found.append(_derived(scored, *thresholds[submission.name]))
        return found or ("no task3_pred" if scored is None else "no task3_pred and no declared threshold")

    return folder.answers(decided)


def scores_of(
    submission: Predictions, *, weights: Weights, cascade: Cascade, scale: Scale, nulls: Nulls
) -> Answers[float] | None:
    """Return the scores of a submission, handed in or derived from spans; None if there are none."""
    handed_in = scores(submission, scale, nulls)
    marked = marked_texts(submission) if handed_in is None and cascade == "yes" else None
    return handed_in if marked is None else _derived(marked, "from spans", partial(_score_of_spans, weights=weights))


def _derived(answers: Answers[Any], how: str, decide: Callable[[Any], float]) -> Answers[float]:
    values: Mapping[tuple[str, str], float] = {place: decide(value) for place, value in answers.values.items()}
    earlier = f"{answers.derived}, " if answers.derived else ""
    name = f"{answers.name} ({how})" if not answers.derived else f"{answers.name[:-1]}, {how})"
    return attrs.evolve(answers, name=name, values=values, derived=earlier + how)


def unit_reading(
    folder: Folder,
    answers: Sequence[Answers[T]],
    best: Best,
    *,
    name: str,
    kind: type[Batch],
    units: Sequence[Translation],
    gold: Any,
    values: Callable[[Sequence[Any]], Any],
    first: bool,
) -> Reading:
    """Return the reading of a task, a language pair or all of them, with the submissions that have an item of it.

    `units`: a translation occurs once for each gold that it has; `gold` has one entry for each. `values`: from answers
    of some units to one entry for each.
    """
    keys = {unit.item.key for unit in units}
    pairs = {unit.item.pair for unit in units}
    names = {number: unit.name for number, unit in enumerate(units)}
    places = [(unit.item.key, unit.system) for unit in units]
    sides = []
    for submission in answers:
        if keys.isdisjoint(submission.items):
            continue
        folder.count_extra(name, pairs, submission, len(submission.values.keys() & set(places)))
        answered = [number for number, place in enumerate(places) if place in submission.values]
        given = values([submission.values[places[unit]] for unit in answered])
        sides.append((submission, submission.side(answered, (places[unit][0] for unit in answered), given, names)))
    lengths = np.array([len(unit.text.split()) for unit in units], np.int64)
    return folder.reading(
        name,
        kind,
        gold,
        lines=[unit.line for unit in units],
        names=names,
        sides=sides,
        answers=answers,
        first=first,
        best=best,
        groups={
            "length": length_labels(lengths),
            **labels_of(unit.item for unit in units),
            "language_pair": [unit.item.pair for unit in units],
            "system": [unit.system for unit in units],
        },
    )


as_numbers = partial(np.array, dtype=np.float64)  # from answers that are numbers to the values of units
