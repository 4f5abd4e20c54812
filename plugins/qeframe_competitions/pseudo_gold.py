"""A pseudo-gold: the answers of a submission, written in the format of the gold and in its place.

A leaderboard of agreement with a known submission shows authors that theirs works, and tells them nothing of the gold.
The gold itself does not enter the bundle. Every format is checked by reading what was written.
"""

import shutil
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import attrs
import numpy as np

from qeframe.plugin import DataError, Ragged, Values
from qeframe.plugin.calls import UnknownNameError, parse_call
from qeframe.plugin.competitions import Profile, Registry, at_work, check_unique, temporary_folder
from qeframe.plugin.kinds import take_units
from qeframe.plugin.readers import Reader, Reading, UnitValues
from qeframe.plugin.results import read_readings
from qeframe_competitions.settings import SUBMISSIONS, Layout, submission_format, write_files


def with_pseudo_gold(
    rules: Profile,
    reader: Reader,
    layout: Layout,
    reference: Mapping[str, Path],
    gold: Path,
    readings: Sequence[Reading],
    name: str,
    registry: Registry,
) -> dict[str, bytes]:
    """Return the files of a gold by their paths in a bundle, with the answers of a submission in place of the gold.

    `reference` are the files of the gold, `gold` is the folder that `readings` were read from, and `name` the
    submission, which must answer every unit of the gold.
    """
    answers = [_answers(reading, name) for reading in readings]
    if layout.shared:
        files = _in_place(reader, reference, gold, readings, name)
    else:
        files = {path: source.read_bytes() for path, source in reference.items() if not layout.is_gold(path)}
        lines = {reading.name: _lines(reader, of_task) for reading, of_task in zip(readings, answers, strict=True)}
        files |= {path: lines[PurePosixPath(path).parts[0]] for path in reference if layout.is_gold(path)}
    _check(rules, reader, layout, files, gold, {r.name: a for r, a in zip(readings, answers, strict=True)}, registry)
    return files


def _answers(reading: Reading, name: str) -> UnitValues:
    """Return the answers of a submission as a gold, in the order of the units of the gold."""
    named = {side.name: side for side in reading.submissions}
    if name not in named:
        raise UnknownNameError(f"submission (task '{reading.name}')", name, named)
    given = named[name]
    check_unique(given)
    order = np.argsort(given.ids, kind="stable")
    if not np.isin(reading.gold.ids, given.ids).all():
        what = f"'{name}' does not answer every unit of task '{reading.name}'"
        raise DataError(what, path=given.path or None, remedy="choose another submission as the pseudo-gold")
    positions = order[np.searchsorted(given.ids[order], reading.gold.ids)]
    return attrs.evolve(reading.gold, values=take_units(given.values, positions))


def _lines(reader: Reader, gold: UnitValues) -> bytes:
    """Return a gold of one unit a line: a number, or the tags of a sentence."""
    values: Any = gold.values
    if hasattr(values, "classes"):
        tags = np.array(values.classes, dtype=object)[values.values]
        ends = values.offsets.tolist()
        return "".join(f"{' '.join(tags[a:b])}\n" for a, b in pairwise(ends)).encode()
    if issubclass(reader.kind, Values) and values.ndim == 1 and values.dtype.kind == "f":
        return "".join(f"{value!r}\n" for value in values.tolist()).encode()
    raise _unwritten(reader)


def _unwritten(reader: Reader) -> DataError:
    what = f"a pseudo-gold cannot be written in the format of the gold of '{parse_call(reader.name).name}'"
    return DataError(what, remedy="write the files of the pseudo-gold yourself, and give them as GOLD")


def _in_place(
    reader: Reader, reference: Mapping[str, Path], gold: Path, readings: Sequence[Reading], name: str
) -> dict[str, bytes]:
    """Return the files of a gold whose tasks share folders: no other file of a folder with a gold is kept."""
    form = submission_format(reader)
    if form.as_gold is None:
        raise _unwritten(reader)
    files = {}
    for reading in readings:
        given = next(side for side in reading.submissions if side.name == name)
        path = Path(reading.gold.path)
        if not path.is_relative_to(gold) or not given.path:
            raise _unwritten(reader)
        with at_work(reader, "as_gold"):
            files[path.relative_to(gold).as_posix()] = form.as_gold(path, Path(given.path))
    golds = {PurePosixPath(path).parent for path in files}
    others = {path: source for path, source in reference.items() if PurePosixPath(path).parent not in golds}
    return {**{path: source.read_bytes() for path, source in others.items()}, **files}


def _check(
    rules: Profile,
    reader: Reader,
    layout: Layout,
    files: Mapping[str, bytes],
    gold: Path,
    golds: Mapping[str, UnitValues],
    registry: Registry,
) -> None:
    """Read the files again, beside the submissions, and raise a `DataError` if another gold comes out."""
    with temporary_folder() as root:
        write_files(root, files)
        for place in [layout.shared] if layout.shared else layout.folders:
            shutil.copytree(*_submissions(layout, gold, root, place))
        try:
            read = {reading.name: reading.gold for reading in read_readings(rules, root, registry)}
        except DataError as error:
            raise _unwritten(reader) from error
    if not (set(golds) == set(read) and all(_same(golds[name], read[name]) for name in golds)):
        raise _unwritten(reader)


def _submissions(layout: Layout, gold: Path, root: Path, place: str) -> tuple[Path, Path]:
    if layout.shared:
        return gold / place, root / place
    of_place = gold / place
    return (of_place if of_place.is_dir() else gold) / SUBMISSIONS, root / place / SUBMISSIONS


def _same(expected: UnitValues, read: UnitValues) -> bool:
    if not np.array_equal(expected.ids, read.ids):
        return False
    ours, theirs = expected.values, read.values
    if isinstance(ours, Ragged):
        return np.array_equal(ours.offsets, theirs.offsets) and _labels(ours) == _labels(theirs)
    return np.array_equal(ours, theirs, equal_nan=True)


def _labels(values: Any) -> list[Any]:
    if hasattr(values, "classes"):
        return [values.classes[code] for code in values.values.tolist()]
    return list(values.values.tolist())
