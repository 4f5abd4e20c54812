"""Submissions that are given as arrays are bound to a metric, if they answer the same units."""

import numpy as np
import pytest

import qeframe
from qeframe.api.arrays.binding import bind_submissions, check_groups
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores

GOLD = np.array([0.1, 0.4, 0.3, 0.9])


def test_scores_are_those_of_the_metric_alone(registry):
    mae = registry.get(Metric, "mae")
    answers = {"A": GOLD + 0.5, "B": Scores.from_plain(GOLD, GOLD)}
    assert bind_submissions(mae, GOLD, answers).oriented == pytest.approx([-0.5, 0.0])


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"A": GOLD}, "1 submission cannot be compared; give at least two"),
        ({"A": GOLD, "B": Scores.from_plain(GOLD[:2], GOLD[:2])}, "'B' has 2 units, 'A' has 4; all submissions answer"),
        ({"A": GOLD, "B": GOLD[:2]}, "submission 'B': "),
    ],
)
def test_what_cannot_be_compared(registry, answers, said):
    with pytest.raises(DataError) as caught:
        bind_submissions(registry.get(Metric, "mae"), GOLD, answers)
    assert said in str(caught.value)


def test_groups_are_those_of_the_units():
    check_groups(["a", "a", "b"], 3)
    for groups, said in ((["a"], "'groups' has 1 label for 3 units"), (["a"] * 3, "'groups' has a single group")):
        with pytest.raises(DataError, match=said):
            check_groups(groups, 3)


UNITS = 30
RNG = np.random.default_rng(4)
TASK_GOLD = RNG.normal(size=UNITS)
ANSWERS = {name: TASK_GOLD + scale * RNG.normal(size=UNITS) for name, scale in (("A", 0.4), ("B", 0.9), ("C", 2.0))}
GROUPS = [str(unit // 3) for unit in range(UNITS)]


@pytest.fixture
def task():
    batches = {Submission(name): Scores.from_plain(TASK_GOLD, answers) for name, answers in ANSWERS.items()}
    human = {Submission("h", "human"): Scores.from_plain(TASK_GOLD, TASK_GOLD)}
    return Task(name="t", batches={**batches, **human}, groups={"doc": GROUPS})


def test_compare_takes_the_ranked_submissions(task):
    assert qeframe.compare("pearson", task) == qeframe.compare("pearson", TASK_GOLD, ANSWERS)
    assert qeframe.compare(["pearson", "mae"], task) == qeframe.compare(["pearson", "mae"], TASK_GOLD, ANSWERS)


def test_score_takes_all_of_them(task):
    found = qeframe.score("pearson", task)
    assert list(found) == ["A", "B", "C", "h"]
    assert found["B"] == qeframe.score("pearson", TASK_GOLD, ANSWERS["B"])
    with_intervals = qeframe.score("pearson", task, interval="jackknife")
    assert with_intervals["B"] == qeframe.score("pearson", TASK_GOLD, ANSWERS["B"], interval="jackknife")


def test_a_string_names_a_grouping(task):
    assert qeframe.compare("pearson", task, groups="doc") == qeframe.compare(
        "pearson", TASK_GOLD, ANSWERS, groups=GROUPS
    )
    by_name = qeframe.score("pearson", task, interval="jackknife", groups="doc")
    assert by_name["A"] == qeframe.score("pearson", TASK_GOLD, ANSWERS["A"], interval="jackknife", groups=GROUPS)


def test_what_is_refused(task):
    with pytest.raises(DataError, match="task 't' has no grouping 'docs'; did you mean 'doc'"):
        qeframe.compare("pearson", task, groups="docs")
    with pytest.raises(DataError, match="a task has submissions of its own"):
        qeframe.compare("pearson", task, ANSWERS)
    with pytest.raises(DataError, match="a task has submissions of its own"):
        qeframe.score("pearson", task, TASK_GOLD)
    with pytest.raises(DataError, match="the submissions have no names"):
        qeframe.compare("pearson", TASK_GOLD)
