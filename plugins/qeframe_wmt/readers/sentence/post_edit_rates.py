"""Rates: gold and predictions divided by the number of words of each translation."""

from __future__ import annotations

from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import DataError, FloatArray
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import Reading, TextFile, UnitValues, input_of, read_text_lines


def no_rate_of_ranks(rate_by: str, *, ranks: bool, instead: str) -> None:
    """Raise a `DataError` if `rate_by` is given for ranks; `instead` is the parameter that reads scores."""
    if rate_by and ranks:
        raise DataError("rate_by divides scores, ranks have no rate", remedy=f"set {instead} or leave rate_by out")


def per_word(reading: Reading, name: str, *, folder: Path, root: Path, first: int, units: int) -> Reading:
    """Return a reading with gold and predictions divided by the number of words of their segment.

    The file `name` in `folder` has one translation a line, the first of segment `first`, for all `units`; empty: the
    reading is returned as it is. Seconds a word instead of seconds, since long segments take everyone longer: Graham
    (2015), section 2.1.
    """
    if not name:
        return reading
    if Path(name).name != name:
        raise DataError(f"rate_by = '{name}' must be the name of a file", remedy=f"put the file into {folder}")
    file = read_text_lines(folder / name, texts=True)
    words = _words(file, units)
    return attrs.evolve(
        reading,
        gold=_divided(reading.gold, words, first),
        submissions=tuple(_divided(submission, words, first) for submission in reading.submissions),
        inputs=(*reading.inputs, input_of(file, root)),
    )


def _words(file: TextFile, units: int) -> FloatArray:
    counts = np.array([len(line.split()) for line in file.lines], dtype=np.float64)
    if len(counts) != units:
        what = f"{counted(len(counts), 'line')} for {counted(units, 'segment')}"
        raise file.error(what, line=min(len(counts), units + 1), remedy="give one translation a line")
    wordless = np.flatnonzero(counts == 0)
    if len(wordless):
        what = "a translation without words has no rate a word"
        raise file.error(what, line=int(wordless[0]) + 1, remedy="give the translation of every segment")
    return counts


def _divided(read: UnitValues, words: FloatArray, first: int) -> UnitValues:
    """Divide each value; answers to unknown segments are kept, the alignment refuses or drops them."""
    line = read.ids - first
    known = (line >= 0) & (line < len(words))
    return attrs.evolve(read, values=read.values / np.where(known, words[np.where(known, line, 0)], 1.0))
