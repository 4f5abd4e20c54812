"""Two versions of the data of a result: the same tasks with the same gold, and the two versions of one submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.plugin import DataError, Ragged
from qeframe.plugin.readers import Reading, UnitValues
from qeframe.plugin.results import Evaluation

OLD, NEW = "old", "new"
"""The names of the two versions of a submission in a joined task."""


def check_inputs(evaluation: Evaluation, readings: Sequence[Reading], which: str, path: object) -> None:
    """Raise a `DataError` if data are not those of a result, by the SHA-256 of the files."""
    recorded = {(file.path, file.sha256) for file in evaluation.signature.inputs}
    for reading in readings:
        for file in reading.inputs:
            if (file.path, file.sha256) not in recorded:
                what = f"{file.path} is not the file from which the {which} result was made"
                raise DataError(what, path=str(path), remedy="give the data of that result")


def same_tasks(old: Sequence[Reading], new: Sequence[Reading]) -> list[tuple[Reading, Reading]]:
    """Return the tasks of both sides as pairs; the name of a single task does not matter."""
    if len(old) == len(new) == 1:
        pairs = [(old[0], new[0])]
    else:
        before, after = ({reading.name: reading for reading in side} for side in (old, new))
        for name in {*before} ^ {*after}:
            raise DataError(f"only one side has the task '{name}'", remedy="give data of the same tasks")
        pairs = [(before[name], reading) for name, reading in after.items()]
    for was, now in pairs:
        if not _same_gold(was.gold, now.gold):
            what = f"the golds of task '{now.name}' differ: the versions cannot be compared unit by unit"
            raise DataError(what, remedy="leave out --data: the intervals are then compared")
    return pairs


def _same_gold(one: UnitValues, other: UnitValues) -> bool:
    return np.array_equal(one.ids, other.ids) and _same_values(one.values, other.values)


def _same_values(one: Any, other: Any) -> bool:
    if isinstance(one, Ragged) and isinstance(other, Ragged):
        return np.array_equal(one.offsets, other.offsets) and _same_values(one.values, other.values)
    one, other = np.asarray(one), np.asarray(other)
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f" and other.dtype.kind == "f")


def both_versions(old: Reading, new: Reading, name: str) -> Reading:
    """Return a task with the two versions of a submission; without submissions if it answers only one side."""
    versions: Mapping[str, Reading] = {OLD: old, NEW: new}
    answers = [
        attrs.evolve(answer, name=version)
        for version, reading in versions.items()
        for answer in reading.submissions
        if answer.name == name
    ]
    if len(answers) == 1:
        raise DataError(f"only one version of '{name}' has the task '{new.name}'", remedy="give the same tasks")
    return attrs.evolve(new, submissions=tuple(answers), may_be_unanswered=True)
