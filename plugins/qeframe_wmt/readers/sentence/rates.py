"""Rates: scores divided by the number of words of their segment."""

from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray
from qeframe.plugin.calls import counted, did_you_mean
from qeframe.plugin.readers import Reading, TextFile, UnitValues, input_of, read_text_lines


@frozen
class Rates:
    """What is divided by the number of words of its segment: seconds a word instead of seconds.

    Long segments take everyone longer: Graham (2015), section 2.1.
    """

    by: str = ""  # the name of a file with one translation a line; empty: nothing is divided
    of: tuple[str, ...] = ()  # gold, and names of submissions; empty: all of them

    def check(self, *, ranks: bool = False, instead: str = "") -> None:
        """Raise a `DataError` for rates of ranks, and for rates without a file; `instead` reads scores."""
        if self.by and ranks:
            raise DataError("rate_by divides scores, ranks have no rate", remedy=f"set {instead} or leave rate_by out")
        if self.of and not self.by:
            raise DataError("rate_of says what is divided, and rate_by by which file", remedy="give both")

    def applied(self, reading: Reading, *, folder: Path, root: Path, first: int, units: int) -> Reading:
        """Return a reading with its sides divided; the file in `folder` has all `units`, from segment `first`."""
        if not self.by:
            return reading
        if Path(self.by).name != self.by:
            raise DataError(f"rate_by = '{self.by}' must be the name of a file", remedy=f"put the file into {folder}")
        known = [side.name for side in (reading.gold, *reading.submissions)]
        for name in self.of:
            if name not in known:
                what = f"rate_of = '{name}' is no submission of {reading.name}"
                raise DataError(what, remedy=did_you_mean(name, known))
            if known.count(name) > 1:
                raise DataError(f"rate_of = '{name}' names two sides", remedy="rename the submission")
        file = read_text_lines(folder / self.by, texts=True)
        words = _words(file, units)
        sides = (reading.gold, *reading.submissions)
        chosen = self.of or known
        gold, *submissions = (_divided(side, words, first) if side.name in chosen else side for side in sides)
        inputs = (*reading.inputs, input_of(file, root))
        return attrs.evolve(reading, gold=gold, submissions=tuple(submissions), inputs=inputs)


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
    has_words = (line >= 0) & (line < len(words))
    return attrs.evolve(read, values=read.values / np.where(has_words, words[np.where(has_words, line, 0)], 1.0))
