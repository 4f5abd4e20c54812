"""Submissions of 2026 read alone, and the input of the tasks as what they must answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin.readers import SubmissionFormat, Submitted, UnitValues, read_text_lines
from qeframe_wmt.formats.json_lines import json_objects
from qeframe_wmt.readers.wmt26.item_ids import Item
from qeframe_wmt.readers.wmt26.predictions import TASKS, Answers, MarkedText, Place, Predictions, read_predictions
from qeframe_wmt.readers.wmt26.test_sets import THRESHOLDS, TestSet, check_spans, read_test_set

_LINES = "one JSON object a line"


@frozen(eq=False)
class _Content:
    """The answers of a submission, or the test set of an input."""

    answers: Answers[Any] | None = None
    test_set: TestSet | None = None


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
    predictions = read_predictions(read_text_lines(path, texts=True, holds=_LINES))
    made = answers(predictions)
    if made is None:
        what = f"the file has {', '.join(predictions.tasks)}, not {task}"
        raise predictions.file.error(what, line=1, remedy="choose the profile of the task that these are for")
    parts = _by_pair(made.values, made.items)
    return [
        Submitted(
            part=pair,
            answers=_units(made.name, str(path), chosen, made.lines, values([made.values[place] for place in chosen])),
            content=_Content(answers=made),
        )
        for pair, chosen in parts.items()
    ]


def _read_input(path: Path, *, read: Callable[[Path], Sequence[Submitted]]) -> Sequence[Submitted]:
    """Read a test set; a file with predictions is another submission."""
    file = read_text_lines(path, texts=True, holds=_LINES)
    first = next(iter(json_objects(file)))
    if any(task in first.values for task in TASKS):
        return read(path)
    test_set = read_test_set(file)
    return [
        Submitted(
            part=pair,
            answers=_units("input", str(path), chosen, test_set.lines, np.zeros(len(chosen))),
            content=_Content(test_set=test_set),
        )
        for pair, chosen in _by_pair(test_set.texts, test_set.items).items()
    ]


def _by_pair(places: Mapping[Place, object], items: Mapping[str, Item]) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(items[place[0]].pair, []).append(place)
    return found


def _units(name: str, path: str, places: Sequence[Place], lines: Mapping[str, int], values: Any) -> UnitValues:
    return UnitValues(
        name=name,
        ids=np.arange(len(places)),
        values=values,
        path=path,
        lines=np.array([lines[key] for key, _ in places], np.int64),
        names={number: f"{key} by {system}" for number, (key, system) in enumerate(places)},
    )


def _check(expected: Submitted, given: Submitted) -> None:
    """Raise a `DataError` for a system that the input lacks or has beside, and a span that ends after its text."""
    test_set, answers = expected.content.test_set, given.content.answers
    if test_set is None:
        return
    test_set.check_answers(answers)
    if any(isinstance(value, MarkedText) for value in answers.values.values()):
        check_spans(answers, test_set.texts)
