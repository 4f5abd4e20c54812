"""The gate: what a paired test and what intervals say of a known loss, and the data that they refuse."""

import math

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.read import read_readings
from qeframe.cli.shared.demo_files import write_demo
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.metric import Metric
from qeframe.core.ragged import Ragged
from qeframe.core.resolve import resolve
from qeframe.core.result import Result, ScoredSubmission
from qeframe.core.task import Input
from qeframe.data.reading import Reading, UnitValues
from qeframe.kinds.scores.batch import Scores
from qeframe.studies.changes.regression_gate import (
    both_versions,
    check_inputs,
    judge_by_data,
    judge_by_intervals,
    same_tasks,
    submissions_to_judge,
)
from tests.qeframe.studies.changes.test_evaluation_changes import OLD, evaluation, submission


def scored(name, value, low, high, kind="real"):
    return ScoredSubmission(name=name, kind=kind, scores={"m": Result(value=value, low=low, high=high)}, rank=1)


def test_who_is_judged():
    old = evaluation(submission("A", 0.5, 1), submission("B", 0.4, 2), scored("H", 0.9, 0, 1, kind="human"))
    new = evaluation(submission("B", 0.4, 1), submission("C", 0.3, 2), scored("H", 0.9, 0, 1, kind="human"))
    assert submissions_to_judge(old, new) == ["B"]
    assert submissions_to_judge(old, new, ["H"]) == ["H"]
    with pytest.raises(DataError, match="submission 'A' is not in the new result"):
        submissions_to_judge(old, new, ["A"])
    with pytest.raises(UnknownNameError, match="unknown submission 'X'"):
        submissions_to_judge(old, new, ["X"])
    with pytest.raises(DataError, match="no submission in common"):
        submissions_to_judge(old, evaluation(submission("Z", 1, 1)))
    with pytest.raises(DataError, match="the primary metrics differ: m and n"):
        submissions_to_judge(old, attrs.evolve(new, primary="n"))


def test_intervals_by_the_formula():
    """Half widths of .1 at 95 % are .1 * 1.6449 / 1.9600 at one-sided 5 %; the two add in squares."""
    old, new = evaluation(scored("A", 0.7, 0.6, 0.8)), evaluation(scored("A", 0.5, 0.4, 0.6))
    (judgment,) = judge_by_intervals(old, new, ["A"], 0.05)
    spread = math.sqrt(2) * 0.1 * 1.6448536269514722 / 1.959963984540054
    assert judgment.loss == pytest.approx(0.2)
    assert judgment.least_loss == pytest.approx(0.2 - spread)
    assert judgment.worse
    assert judgment.detectable == pytest.approx(
        0.05 + spread / 1.6448536269514722 * (1.6448536269514722 + 0.8416212335729143)
    )
    assert not judge_by_intervals(old, new, ["A"], 0.15)[0].worse
    assert not judge_by_intervals(new, old, ["A"], 0.0)[0].worse


def test_a_loss_is_a_rise_where_lower_is_better():
    lower = {"higher_is_better": {"m": False}}
    old, new = evaluation(scored("A", 0.2, 0.19, 0.21), **lower), evaluation(scored("A", 0.4, 0.39, 0.41), **lower)
    (judgment,) = judge_by_intervals(old, new, ["A"], 0.0)
    assert judgment.worse
    assert judgment.loss == pytest.approx(0.2)


def test_what_intervals_cannot_judge():
    old, new = evaluation(scored("A", 0.7, 0.6, 0.8)), evaluation(scored("A", 0.5, math.nan, math.nan))
    with pytest.raises(DataError, match="'A' has no interval, and no data were given"):
        judge_by_intervals(old, new, ["A"], 0.0)
    with pytest.raises(DataError, match="the new score of 'A' is undefined"):
        judge_by_intervals(old, evaluation(scored("A", math.nan, 0, 1)), ["A"], 0.0)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two versions of a task; in the second one a submission has noise added to it."""
    root = tmp_path_factory.mktemp("gate")
    for name in ("old", "new"):
        profile, task = write_demo("sentence", root / name, 5)
    worse = task / "submissions" / "Dune.txt"
    values = np.loadtxt(worse) + np.random.default_rng(0).normal(0, 0.08, 500)
    worse.write_text("".join(f"{value:.6f}\n" for value in values))
    return profile, root / "old" / task.name, task


def readings(folders):
    profile = qeframe.choose_profile(folders[0])
    return resolve(profile, qeframe.load()), *(read_readings(profile, path) for path in folders[1:])


def test_data_find_a_loss_that_intervals_do_not(folders):
    resolved, old, new = readings(folders)
    kept, worse = judge_by_data(resolved, old, new, ["Birch-large", "Dune"], 0.0)
    assert (kept.loss, kept.least_loss, kept.detectable, kept.worse) == (0.0, 0.0, 0.0, False)
    assert worse.worse
    assert worse.least_loss < worse.loss
    rules = ["test=", "interval=bootstrap(draws=199)"]
    results = [qeframe.evaluate(folders[0], path, settings=rules) for path in folders[1:]]
    (by_intervals,) = judge_by_intervals(*results, ["Dune"], 0.0)
    assert by_intervals.loss == pytest.approx(worse.loss, abs=1e-12)
    assert by_intervals.least_loss < worse.least_loss
    assert by_intervals.detectable > worse.detectable
    for result, read in zip(results, (old, new), strict=True):
        check_inputs(result, read, "old", "here")
    message = "here: submissions/Dune.txt is not the file from which the old result was made"
    with pytest.raises(DataError, match=message):
        check_inputs(results[0], new, "old", "here")


def test_the_allowed_loss_is_the_border(folders):
    resolved, old, new = readings(folders)
    (judgment,) = judge_by_data(resolved, old, new, ["Dune"], 0.0)
    for allowed, worse in ((judgment.least_loss - 1e-9, True), (judgment.least_loss + 1e-9, False)):
        (judged,) = judge_by_data(resolved, old, new, ["Dune"], allowed)
        assert judged.worse is worse
        assert judged.detectable == pytest.approx(judgment.detectable + allowed)


def test_data_that_cannot_be_compared(folders):
    resolved, old, new = readings(folders)
    other = [attrs.evolve(old[0], gold=attrs.evolve(old[0].gold, values=old[0].gold.values + 1))]
    with pytest.raises(DataError, match="the golds of task 'task' differ"):
        judge_by_data(resolved, other, new, ["Dune"], 0.0)
    with pytest.raises(DataError, match="only one side has the task 'x'"):
        judge_by_data(resolved, [old[0], attrs.evolve(old[0], name="x")], new, ["Dune"], 0.0)
    fewer = [attrs.evolve(old[0], submissions=old[0].submissions[:1])]
    with pytest.raises(DataError, match="only one version of 'Dune' has the task"):
        judge_by_data(resolved, fewer, new, ["Dune"], 0.0)
    with pytest.raises(DataError, match="submission 'nobody' has no answers in the data"):
        judge_by_data(resolved, old, new, ["nobody"], 0.0)
    profile = qeframe.choose_profile(folders[0], ["test="])
    ranks = attrs.evolve(qeframe.load().get(Metric, "pearson"), smooth=False)
    stepwise = attrs.evolve(resolve(profile, qeframe.load()), metrics=(ranks,))
    with pytest.raises(DataError, match="pearson is not smooth in the weights of units"):
        judge_by_data(stepwise, old, new, ["Dune"], 0.0)


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
