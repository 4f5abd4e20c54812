"""Sentence level, the table of Graham (2015): all submissions of 2014 and the gold in one file."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, FloatArray, IntArray, Scores
from qeframe.plugin.readers import (
    Reader,
    Reading,
    TableColumns,
    UnitValues,
    columns_by_name,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    visible,
)
from qeframe_wmt.readers.sentence.wmt12_to_19 import Variant, methods_in, submitted

_HEADER = ("METRIC", "SID", "SCORE", "RANK", "HUMAN")
_FORMAT = f"the first line must be {' '.join(_HEADER)}"
Rescale = Literal["none", "gold", "own"]
_VARIANTS: Mapping[str, Variant] = {"SCORE": "score", "RANK": "rank"}


def graham_table(*, score: Literal["SCORE", "RANK"] = "SCORE", rescale: Rescale = "none") -> Reader:
    """Read a table with the header ``METRIC SID SCORE RANK HUMAN``: one file, or a folder with one such file.

    Parameters
    ----------
    score : {"SCORE", "RANK"}
        The column of predictions. A submission whose whole column is 0 did not submit it and is left out. Rank 1 is
        the best.
    rescale : {"none", "gold", "own"}
        Whether the predictions of each submission get another mean and deviation, as in the experiments of the paper:
        those of the gold with half the deviation (tables 2 and 3), or their own with half the deviation (figure 2).

    Returns
    -------
    Reader
        Of `Scores`. METRIC is the name of the submission. HUMAN is the gold, equal for all submissions.

    References
    ----------
    Graham (2015), Improving Evaluation of Machine Translation Quality Estimation, and its tool mt-qe-eval.
    """
    return Reader(
        name="graham_table",
        summary="one table METRIC SID SCORE RANK HUMAN of all submissions and the gold",
        source="Graham (2015), mt-qe-eval",
        kind=Scores,
        read=partial(_read_table, column=score, rescale=rescale),
    )


def _read_table(path: Path, best: Best, *, column: str, rescale: Rescale) -> Sequence[Reading]:
    file = read_text_lines(_table_in(path), pipe=not path.is_dir())
    separator = "\t" if "\t" in file.lines[0] else None
    table = columns_by_name(file, _HEADER, separator=separator, remedy=_FORMAT)
    ids, name, variant = table.read("SID", parse_ids), file.path.stem, _VARIANTS[column]
    gold = _gold(table, ids, table.read("HUMAN", parse_numbers))
    methods = methods_in(table, ids, "METRIC", variant)
    submissions, dropped = submitted(methods, variant, task=name, best=best, gold=gold)
    if not submissions:
        raise file.error(f"no submission has a {column}: all are 0", remedy="read another column")
    reading = Reading(
        name=name,
        kind=Scores,
        gold=gold,
        submissions=submissions,
        best=best,
        dropped=dropped,
        inputs=(input_of(file, path),),
    )
    return [_rescaled(reading, rescale)]


def _rescaled(reading: Reading, rescale: Rescale) -> Reading:
    """Return a reading with every submission standardized and given another mean and deviation.

    A submission of equal values gets that mean.
    """
    if rescale == "none":
        return reading
    submissions = tuple(_moved(side, reading.gold if rescale == "gold" else side) for side in reading.submissions)
    return attrs.evolve(reading, submissions=submissions)


def _moved(submission: UnitValues, target: UnitValues) -> UnitValues:
    values, wanted = submission.values, target.values
    deviation = values.std()
    factor = wanted.std() / (2 * deviation) if deviation > 0 else 0.0
    return attrs.evolve(submission, values=wanted.mean() + (values - values.mean()) * factor)


def _table_in(path: Path) -> Path:
    """Return the path of the table: the given file, or the only one in the given folder with the header of a table."""
    if not path.is_dir():
        return path
    files = [file for file in visible(path) if not file.is_dir()]
    tables = [file for file in files if _begins_like_a_table(file)] if len(files) > 1 else files
    if len(tables) != 1:
        names = ", ".join(file.name for file in tables)
        what = f"{len(tables)} tables in the folder: {names}" if names else "no table in the folder"
        raise DataError(what, path=path, remedy=f"name one file; {_FORMAT}")
    return tables[0]


def _begins_like_a_table(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return "METRIC" in stream.read(200).decode("utf-8-sig", "replace").partition("\n")[0].split()
    except OSError:
        return False


def _gold(table: TableColumns, ids: IntArray, human: FloatArray) -> UnitValues:
    """Return the gold of every segment, in the order of segments; raise a `DataError` if two lines of one differ."""
    units, first, unit_of = np.unique(ids, return_index=True, return_inverse=True)
    other = np.flatnonzero(human != human[first][unit_of])
    if len(other):
        row, earlier = other[0], first[unit_of[other[0]]]
        what = f"HUMAN of segment {ids[row]} is {human[row]:g}, but {human[earlier]:g} on line {earlier + 2}"
        raise table.error(what, int(row), remedy="all submissions need the same gold")
    return table.take(first).side("gold", units, human[first])
