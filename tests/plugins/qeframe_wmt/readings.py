"""What the tests of the readers say of a reading, and the remedies that many messages have."""

from collections.abc import Callable
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.core.reader import Reader
from qeframe.data.reading import Reading, UnitValues

DIGITS = "write digits only, without sign, point or blank"
EVERY_CELL = "every segment and system needs a finite number"
NOT_FILLED = "complete the file: missing scores are not filled"
NUMBER = "every line needs a number"
ONE_LINE = "keep one line a segment and system"
REPAIR = "repair or remove the line"


def only(reader: Reader, path: str | Path = "t", best: str = "low") -> Reading:
    """Return the only task that a reader reads."""
    (reading,) = reader.read(Path(path), best)
    return reading


def rows(side: UnitValues) -> list[list[object]]:
    """Return the values of each unit, of which each has several."""
    return [row.tolist() for row in side.values]


def sides(reading: Reading) -> dict[str, tuple[list[int], list[float], list[int]]]:
    """Return ids, values and lines of every submission."""
    return {side.name: (side.ids.tolist(), side.values.tolist(), side.lines.tolist()) for side in reading.submissions}


def refused(work: Callable[..., object], *arguments: object, **options: object) -> str:
    """Return the message, of one line, with which a function refuses its arguments."""
    with pytest.raises(DataError) as caught:
        work(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)
