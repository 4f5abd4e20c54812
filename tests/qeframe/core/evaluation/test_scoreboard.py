"""The scoreboard: submissions of all tasks, weights of tasks, results and intervals."""

import numpy as np
import pytest

from qeframe.core.evaluation.scoreboard import Scoreboard
from qeframe.core.tasks.task import Submission, Task
from qeframe.plugin import Aggregation, DataError, Judgments, Metric, Scores, SignificanceTest


def task(name, units, *submissions):
    rng = np.random.default_rng(units)
    gold = rng.normal(size=units)
    batches = {Submission(s): Scores.from_plain(gold, gold + rng.normal(size=units)) for s in submissions}
    return Task(name=name, batches=batches, counts={"systems": units - 5})


def scoreboard(registry, across="mean", tasks=None, **options):
    tasks = tasks or (task("x", 6, "A", "B"), task("y", 8, "B", "C"))
    return Scoreboard(
        tasks=tasks, keys=tuple((i,) for i in range(len(tasks))), metrics=(registry.get(Metric, "mae"),),
        within=registry.get(Aggregation, "micro"), across=registry.get(Aggregation, across), **options,
    )  # fmt: skip


def test_submissions_of_all_tasks_in_order_of_first_occurrence(registry):
    board = scoreboard(registry)
    assert [submission.name for submission in board.submissions] == ["A", "B", "C"]


def test_a_submission_is_scored_in_its_own_tasks(registry):
    results = scoreboard(registry).results(0)
    assert [sorted(result.tasks) for result in results] == [["x"], ["x", "y"], ["y"]]
    assert [np.isnan(result.value) for result in results] == [True, False, True]
    both = results[1]
    assert both.value == pytest.approx((both.tasks["x"].value + both.tasks["y"].value) / 2)


def test_an_interval_contains_the_score_of_a_single_task(registry):
    interval = registry.get(SignificanceTest, "bootstrap(draws=200)")
    board = scoreboard(registry, tasks=(task("x", 20, "A", "B"),), interval_of=lambda **_: interval)
    for result in board.results(0):
        assert result.low < result.value < result.high
    draws = board.scored[0].draws
    assert draws is not None
    assert draws.shape == (200, 2)
    assert scoreboard(registry).scored[0].draws is None


def test_declared_weights(registry):
    board = scoreboard(registry, across="weighted", weights={"x": 3.0, "y": 1.0})
    assert board.task_weights.tolist() == [3.0, 1.0]
    assert scoreboard(registry, across="weighted").task_weights.tolist() == [6.0, 8.0], "by default numbers of units"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"x": 1.0}, "task 'y' has no weight, but other tasks have one"),
        ({"x": 1.0, "y": 1.0, "z": 1.0}, "task 'z' is given a weight, but there is no such task"),
        ({"x": 1.0, "y": -1.0}, "the weights of tasks must not be negative"),
    ],
)
def test_weights_that_are_refused(registry, weights, message):
    with pytest.raises(DataError, match=message):
        _ = scoreboard(registry, across="weighted", weights=weights).task_weights


def test_an_undefined_score_has_no_interval_though_draws_are_defined(registry):
    human = np.array([1, 1], dtype=np.int8)
    judged = Judgments(
        ids=np.arange(2),
        human=human,
        predicted=np.array([[0.0, 2.0], [2.0, 0.0]]),  # both systems have the same mean, but not in every draw
        systems=np.array([[0, 1], [0, 1]]),
        system_count=2,
    )
    board = Scoreboard(
        tasks=(Task(name="x", batches={Submission("A"): judged}),),
        keys=((0,),),
        metrics=(registry.get(Metric, "judged_pearson"),),
        within=registry.get(Aggregation, "micro"),
        across=registry.get(Aggregation, "mean"),
        interval_of=lambda **_: registry.get(SignificanceTest, "bootstrap(draws=40)"),
    )
    (result,) = board.results(0)
    assert np.isnan([result.value, result.low, result.high]).all()
