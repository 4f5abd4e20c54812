"""What the user gives under the name of a submission: values with labels, of a frame, an array, a table or a file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.api.frames.labeled import Labeled, is_frame, labeled, of_columns
from qeframe.core.batch import Batch
from qeframe.core.errors import DataError
from qeframe.core.ragged import Ragged
from qeframe.core.reader import Reader
from qeframe.core.reading import TextFile
from qeframe.core.registry import Registry
from qeframe.core.task import PAIR, Input, Task
from qeframe.data.columns import FrameColumns, coded, spelled
from qeframe.data.folders import has_file, visible
from qeframe.data.numbers import real_numbers
from qeframe.data.tables import Layout, columns_in, names_in
from qeframe.data.text_lines import input_of, read_text_lines
from qeframe.kinds.plain_files import parse_plain


@frozen(kw_only=True, eq=False)
class GivenValues:
    """Values that the user enters under one name.

    `by_task`: by language pair or name of a task; under "" those of the only one. Where parts read folders of their
      own, the name of the folder precedes: "word/en-de".
    `inputs`: the files that were read, or a digest of the values, for the signature.
    `by_system`: the same values where the keys of a mapping are systems.
    """

    by_task: Mapping[str, Labeled]
    inputs: tuple[Input, ...] = ()
    by_system: Labeled | None = None

    def of_task(self, task: Task) -> Labeled | None:
        """Return the values for a task; those of its language pair, for a task that is named after one."""
        names = (task.name, pair_of(task.name), "")
        levels = task.selection.split(", ") if task.selection else []
        for key in (*(f"{level}/{name}".rstrip("/") for level in levels for name in names), *names):
            if key in self.by_task:
                return self.by_task[key]
        return self.by_system if self.is_by_system(task) else None

    def is_by_system(self, task: Task) -> bool:
        """Return whether the keys of a mapping are systems of a task."""
        return self.by_system is not None and bool(set(task.systems) & set(self.by_task))


def pair_of(task: str) -> str:
    """Return the language pair with which the name of a task begins; the name of another task."""
    match = PAIR.match(task)
    return match[0] if match else task


def given_values(name: str, value: Any) -> GivenValues:
    """Return values that are no path: a frame, an array, or either by task.

    Raises DataError if a value is none of these.
    """
    called, by_system = f"'{name}'", None
    if is_frame(value):
        by_task = by_pair(called, FrameColumns.of(value))
    elif isinstance(value, Mapping) and value:
        flat = {
            f"{key}/{part}".rstrip("/"): answers
            for key, of_key in value.items()
            for part, answers in (of_key.items() if isinstance(of_key, Mapping) else [("", of_key)])
        }
        by_task = {key: _labeled(called, answers) for key, answers in flat.items()}
        by_system = _by_system(called, by_task)
    else:
        by_task = {"": _labeled(called, value)}
    digest = hashlib.sha256()
    for key, side in by_task.items():
        values = side.values.tobytes() if isinstance(side.values, np.ndarray) else repr(side.values).encode()
        digest.update(repr((key, side.rows, side.columns)).encode() + values)
    inputs = (Input(f"{name} (values)", digest.hexdigest()),)
    return GivenValues(by_task=by_task, inputs=inputs, by_system=by_system)


def _labeled(name: str, value: Any) -> Labeled:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        what = f"{name} is a value of type {type(value).__name__}"
        remedy = "give a file, a folder with a file TASK.* for each task, a data frame, or the answers to all units"
        raise DataError(what, remedy=remedy)
    return labeled(name, value)


def _by_system(name: str, columns: Mapping[str, Labeled]) -> Labeled | None:
    """Return columns of numbers of one length as a grid of the systems that name them; None if they are others."""
    try:
        cells = [real_numbers(column.values) for column in columns.values()]
    except (TypeError, ValueError, OverflowError):
        return None
    if any(column.ndim != 1 or len(column) != len(cells[0]) for column in cells):
        return None
    return Labeled(name, np.stack(cells, axis=1), columns=tuple(columns))


def by_pair(name: str, columns: Any) -> dict[str, Labeled]:
    """Return the values of a table for each of its language pairs; of a table without a column of pairs under ""."""
    pairs = spelled(columns.names).get("pair")
    if pairs is None:
        return {"": of_columns(name, columns)}
    labels, _, of_row = coded(columns.labels(pairs[0]))
    return {
        str(label): of_columns(name, columns.take(np.flatnonzero(of_row == nth))) for nth, label in enumerate(labels)
    }


def values_at(name: str, path: Path, level: str, readers: Sequence[Reader], registry: Registry) -> GivenValues | None:
    """Return the values of tables or plain files; None if the readers read the path as a submission of the task.

    `level` is the folder of the submission in which the files for these readers are.
    """
    place = path / level
    if not has_file(place):
        what = f"'{name}' has no folder '{level}', which parts of the profile read"
        raise DataError(what, path=path, remedy="give a folder with the folders that PATH has")
    files = {file.name.partition(".")[0]: file for file in visible(place)} if place.is_dir() else {"": place}
    by_task, inputs = dict[str, Labeled](), list[Input]()
    for task, file in files.items():
        try:
            text = None if file.is_dir() else read_text_lines(file, packed=True, texts=True)
        except DataError:  # no text: the reader says so
            text = None
        values = None if text is None else values_in(f"'{name}'", text, readers, registry)
        if text is None or values is None:
            return None
        inputs.append(input_of(text, path))
        by_task |= {f"{level}/{key or task}".strip("/"): side for key, side in values.items()}
    return GivenValues(by_task=by_task, inputs=tuple(inputs)) if by_task else None


def values_in(name: str, text: TextFile, readers: Sequence[Reader], registry: Registry) -> dict[str, Labeled] | None:
    """Return the values of a table, or of a plain file that is not in the format of the task, by language pair.

    The first line of a table names a column of segments or of systems, and a column ``score`` or further ones.

    Raises DataError if the file is such a table and has a mistake.
    """
    if all(_has_numbers(candidate.kind, registry) for candidate in readers):
        names = names_in(text, Layout())
        words = spelled(names)
        if len(names) > 1 and ("unit" in words or {"score", "system"} <= set(words)):
            return by_pair(name, columns_in(text, Layout()))
    reader = readers[0] if readers else None
    kind = None if reader is None else registry.find_kind(reader.kind)
    if reader is None or kind is None or kind.plain_format is None or _is_readable(reader, text.path):
        return None
    try:
        side = parse_plain(reader.kind, text, name=name)
    except DataError:
        return None
    values = [row.tolist() for row in side.values] if isinstance(side.values, Ragged) else side.values
    labels = tuple(side.names.get(unit, unit) for unit in side.ids.tolist())
    return {"": Labeled(name, values, labels if side.known_by == "id" else None, named=True)}


def _has_numbers(batch: type[Batch], registry: Registry) -> bool:
    """Return whether answers are numbers: one for each unit, or for each of several systems."""
    kind = registry.find_kind(batch)
    plain = None if kind is None else kind.plain_format
    return batch.crossed or batch.compares or (plain is not None and plain.one_number)


def _is_readable(reader: Reader, path: Path) -> bool:
    try:
        return reader.submission is not None and bool(reader.submission.read(path))
    except DataError:
        return False
