"""Two versions of data: the same tasks and golds, by values of every shape."""

import attrs
import numpy as np
import pytest

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.core.tasks.task import Input
from qeframe.kinds.scores.batch import Scores
from qeframe_store.versions import both_versions, check_inputs, same_tasks
from tests.plugins.qeframe_store.test_changes import OLD


def reading(name="t", values=(1.0, 2.0), submissions=("A",), **more):
    sides = [UnitValues(name=side, ids=np.arange(len(values)), values=values) for side in ("gold", *submissions)]
    return Reading(name=name, kind=Scores, gold=sides[0], submissions=tuple(sides[1:]), best="high", **more)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0, 2.0]), np.array([1.0, 3.0]), False),
        (Ragged(np.array([1, 2]), np.array([0, 1, 2])), Ragged(np.array([1, 2]), np.array([0, 1, 2])), True),
        (Ragged(np.array([1, 2]), np.array([0, 1, 2])), Ragged(np.array([1, 2]), np.array([0, 0, 2])), False),
        (np.array(["a", "b"]), np.array(["a", "b"]), True),
    ],
)
def test_golds_of_every_shape(one, other, same):
    old, new = reading(values=one), reading(values=other)
    if same:
        assert same_tasks([old], [new]) == [(old, new)]
    else:
        with pytest.raises(DataError, match="the golds of task 't' differ"):
            same_tasks([old], [new])


def test_tasks_are_joined_by_name_unless_there_is_one():
    a, b = reading("a"), reading("b")
    assert same_tasks([a], [b]) == [(a, b)]
    assert same_tasks([a, b], [b, a]) == [(b, b), (a, a)]
    with pytest.raises(DataError, match="only one side has the task 'b'"):
        same_tasks([a, b], [a])


def test_the_two_versions_of_a_submission():
    joined = both_versions(reading(), reading(values=(1.0, 2.0)), "A")
    assert [answer.name for answer in joined.submissions] == ["old", "new"]
    assert both_versions(reading(), reading(), "B").submissions == ()
    with pytest.raises(DataError, match="only one version of 'A' has the task 't'"):
        both_versions(reading(), reading(submissions=("B",)), "A")


def test_files_of_a_result():
    recorded = attrs.evolve(OLD, signature=attrs.evolve(OLD.signature, inputs=(Input("gold", "ab"),)))
    check_inputs(recorded, [reading(inputs=(Input("gold", "ab"),))], "old", "here")
    with pytest.raises(DataError, match="here: gold is not the file from which the old result was made"):
        check_inputs(recorded, [reading(inputs=(Input("gold", "cd"),))], "old", "here")
