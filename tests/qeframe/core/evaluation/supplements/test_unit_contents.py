"""What units are called and hold."""

import attrs
import numpy as np

from qeframe.core.evaluation.supplements.unit_contents import describe_units, texts_of_unit
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from tests.qeframe.core.evaluation.supplements.made_comparables import made_task, scoreboard


def task_of(*batches, **options):
    return Task(name="t", batches={Submission(f"s{i}"): batch for i, batch in enumerate(batches)}, **options)


def test_numbers_texts_and_what_has_none():
    numbers = task_of(Scores.from_plain([1, 2], [0.5, 0.25]), Scores.from_plain([1, 2], [3, 4]))
    assert texts_of_unit(numbers, 1) == {"gold": "2", "s0": "0.25", "s1": "4"}
    one = task_of(Texts.from_plain(["a b", "c"], ["x", "y z"]))
    assert texts_of_unit(one, 1) == {"reference": "c", "s0": "y z"}
    two = task_of(Texts.from_plain([["a b", "a"], ["c", "d"]], ["x", "y z"]))
    assert texts_of_unit(two, 0) == {"reference 1": "a b", "reference 2": "a", "s0": "x"}
    tags = task_of(Tags.from_plain([["OK", "BAD"], []], [["OK", "OK"], []]))
    assert texts_of_unit(tags, 0) == {"gold": "OK BAD", "s0": "OK OK"}
    assert texts_of_unit(tags, 1) == {"gold": "", "s0": ""}
    assert texts_of_unit(task_of(Values.from_plain(None, [0.2, 0.4])), 0) == {}


def test_names_of_units_and_of_groups(registry):
    first = made_task(units=10)
    named = Task(name="en-de", batches=first.batches, names={3: "doc1:4"}, groups={"document": list("aabbbccccc")})
    board = scoreboard(registry, "mae", [named])
    describe = describe_units(board.tasks, board.scored_tasks)
    assert (describe(3).name, describe(2).name, describe(3).task) == ("doc1:4", "2", "")
    assert set(describe(3).texts) == {"gold", "good", "fair", "poor"}
    grouped = scoreboard(registry, "mae", [named], resample="document")
    assert describe_units(grouped.tasks, grouped.scored_tasks)(2).name == "c"


def test_units_without_names_are_numbered_as_the_task_says(registry):
    lines = attrs.evolve(made_task(units=10), numbered_from=1)
    board = scoreboard(registry, "mae", [lines])
    describe = describe_units(board.tasks, board.scored_tasks)
    assert [describe(i).name for i in (0, 9)] == ["1", "10"]


def test_positions_run_over_the_tasks(registry):
    board = scoreboard(registry, "mae", [made_task(units=10), made_task("en-ru", 8, 2)])
    describe = describe_units(board.tasks, board.scored_tasks)
    assert [(describe(i).task, describe(i).name) for i in (0, 9, 10, 17)] == [
        ("en-de", "0"),
        ("en-de", "9"),
        ("en-ru", "0"),
        ("en-ru", "7"),
    ]
    assert describe(10).texts["gold"] == f"{next(iter(board.tasks[1].batches.values())).gold[0]:g}"
    assert np.isfinite(float(describe(17).texts["good"]))
