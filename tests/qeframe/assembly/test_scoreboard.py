"""The scoreboard: submissions of all tasks, weights of tasks, results and intervals."""

import attrs
import numpy as np
import pytest

from qeframe.assembly.scoreboard import bind_tasks
from qeframe.core.comparison import score_contest
from qeframe.core.runner import Runner
from qeframe.core.task import Submission, Task
from qeframe.plugin import Aggregation, DataError, Judgments, Metric, Scores, SignificanceTest


def task(name, units, *submissions):
    rng = np.random.default_rng(units)
    gold = rng.normal(size=units)
    batches = {Submission(s): Scores.from_plain(gold, gold + rng.normal(size=units)) for s in submissions}
    return Task(name=name, batches=batches, counts={"systems": units - 5})


def scoreboard(registry, across="mean", tasks=None, weights=None):
    tasks = tasks or (task("x", 6, "A", "B"), task("y", 8, "B", "C"))
    rule = registry.get(Aggregation, across) if isinstance(across, str) else across
    return bind_tasks(
        tasks, [(i,) for i in range(len(tasks))], [registry.get(Metric, "mae")], resample="unit", runner=Runner(),
        within=registry.get(Aggregation, "micro"), across=rule, weights=weights or {},
    )  # fmt: skip


def test_submissions_of_all_tasks_in_order_of_first_occurrence(registry):
    board = scoreboard(registry)
    assert [submission.name for submission in board.submissions] == ["A", "B", "C"]


def test_a_submission_is_scored_in_its_own_tasks(registry):
    board = scoreboard(registry)
    (x, y), whole = board.entries, board.contests[0].oriented
    assert [entry.positions.tolist() for entry in board.entries] == [[0, 1], [1, 2]]
    assert np.isnan(whole).tolist() == [True, False, True]
    assert whole[1] == pytest.approx((x.contest.oriented[1] + y.contest.oriented[0]) / 2)


def test_complete_submissions_alone(registry):
    """The scoreboard of some submissions is that of tasks which have no others; nothing is bound for it."""
    tasks = (task("x", 6, "A", "B", "C"), task("y", 8, "B", "C"), task("z", 7, "A"))
    rule = attrs.evolve(registry.get(Aggregation, "mean"), exclude=("z",))
    board = scoreboard(registry, rule, tasks)
    assert board.complete.tolist() == [1, 2]
    assert [board.absent_from(name) for name in "ABC"] == [("y",), (), ()], "z has no weight"
    whole = board.only_complete()
    assert (whole.names, [entry.name for entry in whole.entries]) == (["B", "C"], ["x", "y"])
    alone = [each.only(lambda submission: submission.name != "A") for each in tasks[:2]]
    expected = scoreboard(registry, "mean", tuple(alone)).contests[0]
    contest = whole.contests[0]
    assert contest.oriented.tolist() == expected.oriented.tolist()
    assert contest.resample(9).tolist() == expected.resample(9).tolist()
    assert (
        contest.exchanged_differences(9, contest.pairs).tolist()
        == expected.exchanged_differences(9, expected.pairs).tolist()
    )
    first = board.entries[0].contest.terms[0].sample
    assert contest.terms[0].sample.stack.statistics == first.stack.statistics[1:]


def test_everyone_is_complete_where_nobody_is(registry):
    board = scoreboard(registry, tasks=(task("x", 6, "A"), task("y", 8, "B")))
    assert board.only_complete() is board


def test_an_interval_contains_the_score_of_a_single_task(registry):
    interval = registry.get(SignificanceTest, "bootstrap(draws=200)")
    contest = scoreboard(registry, tasks=(task("x", 20, "A", "B"),)).contests[0]
    scored = score_contest(contest, interval, 0.95)
    for result in scored.results:
        assert result.low < result.value < result.high
    assert scored.draws is not None
    assert scored.draws.shape == (200, 2)
    assert score_contest(contest, None, 0.95).draws is None


def test_declared_weights(registry):
    board = scoreboard(registry, across="weighted", weights={"x": 3.0, "y": 1.0})
    assert [entry.weight for entry in board.entries] == [3.0, 1.0]
    by_units = scoreboard(registry, across="weighted").entries
    assert [entry.weight for entry in by_units] == [6.0, 8.0], "by default numbers of units"


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
        scoreboard(registry, across="weighted", weights=weights)


def test_an_undefined_score_has_no_interval_though_draws_are_defined(registry):
    human = np.array([1, 1], dtype=np.int8)
    judged = Judgments(
        ids=np.arange(2),
        human=human,
        predicted=np.array([[0.0, 2.0], [2.0, 0.0]]),  # both systems have the same mean, but not in every draw
        systems=np.array([[0, 1], [0, 1]]),
        system_count=2,
    )
    tasks = [Task(name="x", batches={Submission("A"): judged})]
    board = bind_tasks(
        tasks, [(0,)], [registry.get(Metric, "judged_pearson")], within=registry.get(Aggregation, "micro"),
        across=registry.get(Aggregation, "mean"), weights={}, resample="unit", runner=Runner(),
    )  # fmt: skip
    (result,) = score_contest(board.contests[0], registry.get(SignificanceTest, "bootstrap(draws=40)"), 0.95).results
    assert np.isnan([result.value, result.low, result.high]).all()
