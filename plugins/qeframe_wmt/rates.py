"""Post-edit time as post-edit rate: gold and predictions divided by the words of each translation."""

from __future__ import annotations

from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import DataError, FloatArray, Reading, Side, TextFile, counted, read_text_lines
from qeframe_wmt.folders import input_of

__all__ = ["no_rate_of_ranks", "per_word"]


def no_rate_of_ranks(rate_by: str, *, ranks: bool, instead: str) -> None:
    """Raise a `DataError` if ranks are to be divided; `instead` is the setting that reads scores."""
    if rate_by and ranks:
        raise DataError("rate_by divides scores, ranks have no rate", remedy=f"set {instead} or leave rate_by out")


def per_word(reading: Reading, name: str, *, folder: Path, root: Path, first: int, units: int) -> Reading:
    """Return a reading whose gold and predictions are divided by the number of words of their segment.

    Parameters
    ----------
    name : str
        The file in `folder` with one translation a line; empty: the reading is returned as it is.
    root : Path
        The place that was asked for.
    first : int
        The segment of the first line.
    units : int
        How many lines there must be.

    Raises
    ------
    DataError
        If the file is not there, has another number of lines, or a line without a word.

    References
    ----------
    Graham (2015), section 2.1: seconds a word instead of seconds, since long segments take long for everybody.
    """
    if not name:
        return reading
    if Path(name).name != name:
        raise DataError(f"rate_by = '{name}' must be the name of a file", remedy=f"put the file into {folder}")
    file = read_text_lines(folder / name)
    words = _words(file, units)
    return attrs.evolve(
        reading,
        gold=_divided(reading.gold, words, first),
        submissions=tuple(_divided(side, words, first) for side in reading.submissions),
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


def _divided(side: Side, words: FloatArray, first: int) -> Side:
    """Divide each value; answers to segments that do not exist are left for the alignment to refuse or to drop."""
    place = side.ids - first
    known = (place >= 0) & (place < len(words))
    return attrs.evolve(side, values=side.values / np.where(known, words[np.where(known, place, 0)], 1.0))
