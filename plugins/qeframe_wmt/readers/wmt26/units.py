"""Tasks whose units are single translations: one reading for each language pair, or one for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from attrs import frozen

from qeframe.plugin import Batch, Best
from qeframe.plugin.readers import Reading, UnitValues
from qeframe_wmt.formats.length_groups import length_labels
from qeframe_wmt.readers.wmt26.annotations import Translation
from qeframe_wmt.readers.wmt26.folder import Folder
from qeframe_wmt.readers.wmt26.predictions import Answers

T = TypeVar("T")


@frozen(kw_only=True, eq=False)
class UnitTask:
    """The units of one task: a language pair, or all of them."""

    name: str
    kind: type[Batch]
    units: Sequence[Translation]  # a translation occurs once for each gold that it has
    gold: Any  # one entry a unit
    values: Callable[[Sequence[Any]], Any]  # from answers of some units to one entry for each
    first: bool  # whether this is the first task of the folder, which has the counts of what belongs to no task


def unit_reading(task: UnitTask, folder: Folder, answers: Sequence[Answers[T]], best: Best) -> Reading:
    """Return the reading of a task, with the submissions that have an item of it."""
    keys = {unit.item.key for unit in task.units}
    pairs = {unit.item.pair for unit in task.units}
    names = {number: unit.name for number, unit in enumerate(task.units)}
    taking_part = [each for each in answers if not keys.isdisjoint(each.items)]
    for each in taking_part:
        extra = _without_gold(task, each, pairs)
        if extra:
            folder.gold.left_out[task.name, "answer", f"no gold, in {each.name}"] += extra
    lengths = np.array([len(unit.text.split()) for unit in task.units], np.int64)
    return Reading(
        name=task.name,
        kind=task.kind,
        gold=UnitValues(
            name="gold",
            ids=np.arange(len(task.units)),
            values=task.gold,
            path=str(folder.gold.file.path),
            lines=np.array([unit.line for unit in task.units], np.int64),
            names=names,
        ),
        submissions=tuple(_side(task, each, names) for each in taking_part),
        groups={
            "length": length_labels(lengths),
            "document": [unit.item.document for unit in task.units],
            "domain": [unit.item.domain for unit in task.units],
            "language_pair": [unit.item.pair for unit in task.units],
            "system": [unit.system for unit in task.units],
        },
        best=best,
        dropped=folder.dropped(task.name, first=task.first),
        inputs=folder.inputs,
        versions={each.name: f"derived: {each.derived}" for each in taking_part if each.derived},
    )


def _without_gold(task: UnitTask, answers: Answers[Any], pairs: set[str]) -> int:
    annotated = {(unit.item.key, unit.system) for unit in task.units}
    of_pairs = {key for key, item in answers.items.items() if item.pair in pairs}
    return sum(place not in annotated for place in answers.values if place[0] in of_pairs)


def _side(task: UnitTask, answers: Answers[Any], names: Mapping[int, str]) -> UnitValues:
    places = [(unit.item.key, unit.system) for unit in task.units]
    found = [number for number, place in enumerate(places) if place in answers.values]
    return UnitValues(
        name=answers.name,
        ids=np.array(found, np.int64),
        values=task.values([answers.values[places[number]] for number in found]),
        path=str(answers.file.path),
        lines=np.array([answers.lines[places[number][0]] for number in found], np.int64),
        names=names,
    )
