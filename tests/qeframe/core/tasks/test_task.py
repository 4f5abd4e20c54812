"""Tasks: their size, the choice of submissions, and their names."""

import pickle

import pytest

from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task, check_task_names
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts


def task(name: str = "en-de", **options: object) -> Task:
    batch = Scores.from_plain([1.0, 2.0, 3.0], [1.0, 3.0, 2.0])
    submissions = {Submission("A"): batch, Submission("B", "baseline"): batch}
    return Task(name=name, batches=submissions, **options)  # type: ignore[arg-type]


def test_the_size_is_that_of_the_batches() -> None:
    assert (task().units, task().unit) == (3, "segment")


def test_the_size_of_a_task_without_submissions() -> None:
    empty = Task(name="en-de", batches={}, unanswered=(5, "judgment"))
    assert (empty.units, empty.unit) == (5, "judgment")


def test_chosen_submissions() -> None:
    chosen = task(counts={"segments": 3}).only(lambda submission: submission.kind == "real")
    assert list(chosen.batches) == [Submission("A")]
    assert (chosen.name, chosen.counts) == ("en-de", {"segments": 3})


def test_names_of_tasks() -> None:
    check_task_names([task("en-de"), task("en-cs")])
    with pytest.raises(DataError, match=r"^two tasks are named 'en-de'; name every task differently$"):
        check_task_names([task("en-de"), task("en-cs"), task("en-de")])


def test_nothing_in_a_task_can_be_changed():
    labels = ["a", "b"]
    counts = {"systems": 2}
    task = Task(name="t", batches={}, groups={"document": labels}, counts=counts)
    labels[0], counts["systems"] = "changed", 3
    assert (task.groups, task.counts) == ({"document": ("a", "b")}, {"systems": 2})
    for mapping in (task.batches, task.groups, task.counts, task.versions, task.names):
        with pytest.raises(TypeError):
            mapping["x"] = 1
    again = pickle.loads(pickle.dumps(task))
    assert (again.groups, repr(again.counts)) == (task.groups, "{'systems': 2}")


def contents(*batches, position):
    return Task(name="t", batches={Submission(f"s{i}"): batch for i, batch in enumerate(batches)}).contents(position)


def test_what_a_unit_holds():
    numbers = (Scores.from_plain([1, 2], [0.5, 0.25]), Scores.from_plain([1, 2], [3, 4]))
    assert contents(*numbers, position=1) == {"gold": "2", "s0": "0.25", "s1": "4"}
    assert contents(Texts.from_plain(["a b", "c"], ["x", "y z"]), position=1) == {"reference": "c", "s0": "y z"}
    two = Texts.from_plain([["a b", "a"], ["c", "d"]], ["x", "y z"])
    assert contents(two, position=0) == {"reference 1": "a b", "reference 2": "a", "s0": "x"}
    tags = Tags.from_plain([["OK", "BAD"], []], [["OK", "OK"], []])
    assert contents(tags, position=0) == {"gold": "OK BAD", "s0": "OK OK"}
    assert contents(tags, position=1) == {"gold": "", "s0": ""}
    assert contents(Values.from_plain(None, [0.2, 0.4]), position=0) == {}
