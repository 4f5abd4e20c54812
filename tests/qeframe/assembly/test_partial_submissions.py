"""Submissions that lack a task: one of the family where they took part, apart over all tasks, and in nobody's way."""

import json
import math

import numpy as np
import pytest

import qeframe
from qeframe.api.saved import read_evaluation
from qeframe.core.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.report import leaderboard
from qeframe.report.layouts.terminal import as_text

NOISE = {"t1": 0.2, "t2": 0.3, "t3": 0.6, "t4": 0.9, "part": 0.25}


def task(name, *, seed, without=(), units=80):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    answers = {each: gold + sigma * rng.normal(size=units) for each, sigma in NOISE.items()}
    kept = {each: values for each, values in answers.items() if each not in without}
    return Task(name=name, batches={Submission(n): Scores.from_plain(gold, values) for n, values in kept.items()})


def evaluated(*, partial="apart", left_out=("part",), profile="qe_sentence", settings=(), everywhere=()):
    """Two language pairs; those in `left_out` are not in ro-en, those in `everywhere` in neither."""
    tasks = [task("en-de", seed=1, without=everywhere), task("ro-en", seed=2, without={*left_out, *everywhere})]
    return qeframe.evaluate(profile, tasks, settings=[f"partial={partial}", "interval=bootstrap(draws=200)", *settings])


def others(evaluation, name="part"):
    """What is said of all submissions but one: by submission, and of their pairs over all tasks."""
    scored = {
        each.name: (each.rank, each.rank_set, each.cluster, each.rank_shares, each.scores["spearman"].value)
        for each in evaluation.submissions
        if each.name != name
    }
    pairs = [str(each) for each in evaluation.comparisons if not each.task and name not in (each.a, each.b)]
    return scored, pairs


@pytest.mark.parametrize("partial", ["apart", "last", "mean_of_own"])
@pytest.mark.parametrize("across", ["mean", "average_rank"])
def test_it_changes_nothing_of_another_submission(partial, across):
    settings = [f"across={across}"]
    found = evaluated(partial=partial, settings=settings)
    assert others(found) == others(evaluated(everywhere=("part",), settings=settings))
    assert not any("part" in (pair.a, pair.b) for pair in found.comparisons if not pair.task)


def test_complete_submissions_keep_their_scores_in_the_only_task_that_counts():
    tasks = [task("en-de", seed=1, without=("t2", "t4", "part")), task("en-cs", seed=2, without=("t1", "t3", "part"))]
    settings = ['across=mean(exclude=["en-cs"])', "interval="]
    found = qeframe.evaluate("qe_sentence", tasks, settings=settings)
    for submission in found.submissions:
        own = "en-de" if submission.name in {"t1", "t3"} else "en-cs"
        assert {tuple(result.tasks) for result in submission.scores.values()} == {(own,)}


def test_it_is_one_of_the_family_in_its_task():
    found = evaluated()
    assert sum("part" in (pair.a, pair.b) for pair in found.comparisons if pair.task == "en-de") == 4
    assert not any("part" in (pair.a, pair.b) for pair in found.comparisons if pair.task == "ro-en")
    own = next(each for each in found.submissions if each.name == "part").scores["spearman"]
    alone = qeframe.score("spearman", task("en-de", seed=1).batches[Submission("part")], None)
    assert own.tasks["en-de"].value == pytest.approx(alone)
    assert list(own.tasks) == ["en-de"]


def test_scores_are_explained_beside_a_submission_that_lacks_a_task():
    tasks = [task("en-de", seed=1, units=12), task("ro-en", seed=2, units=12, without=("part",))]
    found = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="], explain=True)
    for submission in found.submissions:
        assert all("slices" in of_task.details for of_task in submission.scores["pearson"].tasks.values())


@pytest.mark.parametrize(("partial", "rank"), [("apart", 5), ("last", 5), ("mean_of_own", 2)])
def test_its_own_rank(partial, rank):
    part = next(each for each in evaluated(partial=partial).submissions if each.name == "part")
    assert (part.rank, part.rank_set, part.cluster, part.absent) == (rank, None, None, ("ro-en",))
    value = part.scores["spearman"].value
    assert math.isnan(value) if partial != "mean_of_own" else value == part.scores["spearman"].tasks["en-de"].value


@pytest.mark.parametrize(
    ("partial", "row", "note"),
    [
        ("apart", "–", "– submissions that lack a task: not ranked over all tasks, but in those where they took part"),
        ("last", "5", "submissions that lack a task: last over all tasks, ranked in those where they took part"),
        ("mean_of_own", "(2)", "the rank that they would take is in brackets"),
    ],
)
def test_the_leaderboard_says_so(partial, row, note):
    lines = as_text(leaderboard(evaluated(partial=partial))).splitlines()
    assert next(line.split()[0] for line in lines if " part " in line) == row
    assert any(line.startswith(note) or line.endswith(note) for line in lines)
    assert "part: no submission in ro-en; ranked in en-de" in lines


def test_json_says_so_and_reads_back(tmp_path):
    evaluation = evaluated()
    record = json.loads(evaluation.to_json())
    assert {each["name"]: each.get("absent") for each in record["submissions"] if "absent" in each} == {
        "part": ["ro-en"]
    }
    (tmp_path / "evaluation.json").write_text(evaluation.to_json())
    assert read_evaluation(tmp_path).to_json() == evaluation.to_json()


def test_a_task_without_a_weight_makes_nobody_partial():
    found = evaluated(settings=['across=mean(exclude=["ro-en"])'])
    assert not any(each.absent for each in found.submissions)
    assert next(each for each in found.submissions if each.name == "part").rank == 2


def test_where_everybody_lacks_a_task_nobody_stands_apart():
    tasks = [task("en-de", seed=1, without=("t1", "t2")), task("ro-en", seed=2, without=("t3", "t4", "part"))]
    found = qeframe.evaluate("qe_sentence", tasks)
    assert not any(each.absent for each in found.submissions)


def test_an_excluded_task_of_partial_submissions_alone():
    """A task without a weight can be left without a complete submission, and the profile still names it."""
    tasks = [
        task("en-de", seed=1, without=("part",)),
        task("ro-en", seed=2),
        task("en-xx", seed=3, without=("t1", "t2", "t3", "t4")),
    ]
    found = qeframe.evaluate("qe_sentence", tasks, settings=['across=mean(exclude=["en-xx"])'])
    assert next(each.absent for each in found.submissions if each.name == "part") == ("en-de",)


@pytest.mark.parametrize(
    "settings", [['across=mean(exclude=["ro-en"])'], ["across=weighted", "weights={en-de=1, ro-en=0}"]]
)
def test_one_task_with_a_weight_and_others_in_the_other_task(settings):
    """Who lacks the only task with a weight has no score over all tasks, and is compared where it took part."""
    tasks = [task("en-de", seed=1, without=("t3", "t4", "part")), task("ro-en", seed=2, without=("t1", "t2"))]
    found = qeframe.evaluate("qe_sentence", tasks, settings=settings)
    scored = {each.name: each for each in found.submissions}
    assert {name for name, each in scored.items() if each.absent} == {"t3", "t4", "part"}
    assert [scored[name].rank for name in ("t1", "t2", "t3", "t4", "part")] == [1, 2, 3, 3, 3]
    assert np.isnan(scored["t3"].scores["pearson"].value)
    assert {pair.task for pair in found.comparisons} == {"", "en-de", "ro-en"}


@pytest.mark.parametrize(
    "settings", [["across=weighted", "weights={en-de=1, ro-en=2}"], ['across=mean(exclude=["ro-en"])']]
)
def test_what_is_said_of_a_task_holds_without_a_submission_of_a_human(settings):
    """A submission that is not ranked can lack a task that the profile names."""
    first, second = task("en-de", seed=1), task("ro-en", seed=2)
    batches = {Submission("h", "human") if s.name == "t4" else s: batch for s, batch in first.batches.items()}
    second = second.only(lambda submission: submission.name != "t4")
    found = qeframe.evaluate("qe_sentence", [Task(name="en-de", batches=batches), second], settings=settings)
    assert {each.kind for each in found.submissions} == {"real", "human"}
