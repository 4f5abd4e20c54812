"""What functions of an evaluation are given."""

import attrs
import numpy as np

from qeframe import Task
from qeframe.assembly.compare import describe_units
from tests.qeframe.core.evaluation.made_contests import made_task, scoreboard


def test_names_of_units_and_of_groups(registry):
    first = made_task(units=10)
    named = Task(name="en-de", batches=first.batches, names={3: "doc1:4"}, groups={"document": list("aabbbccccc")})
    board = scoreboard(registry, "mae", [named])
    describe = describe_units(board.tasks, board.samples)
    assert (describe(3).name, describe(2).name, describe(3).task) == ("doc1:4", "2", "")
    assert set(describe(3).texts) == {"gold", "good", "fair", "poor"}
    grouped = scoreboard(registry, "mae", [named], resample="document")
    assert describe_units(grouped.tasks, grouped.samples)(2).name == "c"


def test_units_without_names_are_numbered_as_the_task_says(registry):
    board = scoreboard(registry, "mae", [attrs.evolve(made_task(units=10), numbered_from=1)])
    describe = describe_units(board.tasks, board.samples)
    assert [describe(i).name for i in (0, 9)] == ["1", "10"]


def test_positions_run_over_the_tasks(registry):
    board = scoreboard(registry, "mae", [made_task(units=10), made_task("en-ru", 8, 2)])
    describe = describe_units(board.tasks, board.samples)
    assert [(describe(i).task, describe(i).name) for i in (0, 9, 10, 17)] == [
        ("en-de", "0"),
        ("en-de", "9"),
        ("en-ru", "0"),
        ("en-ru", "7"),
    ]
    assert describe(10).texts["gold"] == f"{next(iter(board.tasks[1].batches.values())).gold[0]:g}"
    assert np.isfinite(float(describe(17).texts["good"]))
