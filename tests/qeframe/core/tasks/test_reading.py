"""The values of units in a file: their lines, their names, and some of them."""

import numpy as np

from qeframe.core.batches.ragged import Ragged
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.kinds.scores.batch import Scores


def test_lines_and_names() -> None:
    values = UnitValues(
        name="A", ids=np.array([7, 8]), values=np.array([0.5, 1.0]), lines=np.array([3, 5]), names={8: "2.1"}
    )
    assert [values.line(0), values.line(1)] == [3, 5]
    assert [values.unit_name(7), values.unit_name(8)] == ["7", "2.1"]


def test_units_in_another_order() -> None:
    values = UnitValues(name="A", ids=np.array([7, 8, 9]), values=np.array([0.5, 1.0, 2.0]), lines=np.array([3, 5, 6]))
    taken = values.take(np.array([2, 0]))
    assert taken.lines is not None
    assert (taken.name, taken.ids.tolist(), taken.values.tolist()) == ("A", [9, 7], [2.0, 0.5])
    assert taken.lines.tolist() == [6, 3]


def test_ragged_values_without_lines() -> None:
    ragged = Ragged.from_lengths(np.array([1, 2, 3]), np.array([2, 0, 1]))
    taken = UnitValues(name="A", ids=np.arange(3), values=ragged).take(np.array([2, 1]))
    assert [row.tolist() for row in taken.values] == [[3], []]
    assert (taken.lines, taken.line(0)) == (None, None)


def test_a_reading_has_nothing_but_its_values_by_default() -> None:
    gold = UnitValues(name="gold", ids=np.arange(1), values=np.zeros(1))
    reading = Reading(name="en-de", kind=Scores, gold=gold, submissions=())
    assert (reading.best, reading.groups, reading.dropped, reading.inputs) == ("low", {}, (), ())
    assert (reading.texts, reading.assessments, reading.may_be_unanswered) == (None, (), False)
