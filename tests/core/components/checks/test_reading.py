"""What a reader returns: the readings that pass; tests/hostile has those that do not."""

from pathlib import Path

import numpy as np

from qeframe.batches.scores import Scores
from qeframe.components.checks.reading import read
from qeframe.components.reader import Reader
from qeframe.tasks.reading import Reading, UnitValues


def test_readings_pass():
    side = UnitValues(name="gold", ids=np.arange(2), values=np.ones(2), lines=np.array([1, 2]))
    reading = Reading(name="t", kind=Scores, gold=side, submissions=(side,), groups={"document": ["a", "b"]})
    own = Reader(name="own", summary="", kind=Scores, read=lambda path, best: (reading,))
    assert read(own, Path("x"), "low") == [reading]
