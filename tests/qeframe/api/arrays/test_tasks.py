"""A task in place of a gold: its submissions are compared and scored as those that are given by name."""

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores

UNITS = 30
RNG = np.random.default_rng(4)
GOLD = RNG.normal(size=UNITS)
ANSWERS = {name: GOLD + scale * RNG.normal(size=UNITS) for name, scale in (("A", 0.4), ("B", 0.9), ("C", 2.0))}
GROUPS = [str(unit // 3) for unit in range(UNITS)]


@pytest.fixture
def task():
    batches = {Submission(name): Scores.from_plain(GOLD, answers) for name, answers in ANSWERS.items()}
    human = {Submission("h", "human"): Scores.from_plain(GOLD, GOLD)}
    return Task(name="t", batches={**batches, **human}, groups={"doc": GROUPS})


def test_compare_takes_the_ranked_submissions(task):
    assert qeframe.compare("pearson", task) == qeframe.compare("pearson", GOLD, ANSWERS)
    assert qeframe.compare(["pearson", "mae"], task) == qeframe.compare(["pearson", "mae"], GOLD, ANSWERS)


def test_score_takes_all_of_them(task):
    found = qeframe.score("pearson", task)
    assert list(found) == ["A", "B", "C", "h"]
    assert found["B"] == qeframe.score("pearson", GOLD, ANSWERS["B"])
    with_intervals = qeframe.score("pearson", task, interval="jackknife")
    assert with_intervals["B"] == qeframe.score("pearson", GOLD, ANSWERS["B"], interval="jackknife")


def test_a_string_names_a_grouping(task):
    assert qeframe.compare("pearson", task, groups="doc") == qeframe.compare("pearson", GOLD, ANSWERS, groups=GROUPS)
    by_name = qeframe.score("pearson", task, interval="jackknife", groups="doc")
    assert by_name["A"] == qeframe.score("pearson", GOLD, ANSWERS["A"], interval="jackknife", groups=GROUPS)


def test_what_is_refused(task):
    with pytest.raises(DataError, match="task 't' has no grouping 'docs'; did you mean 'doc'"):
        qeframe.compare("pearson", task, groups="docs")
    with pytest.raises(DataError, match="a task has submissions of its own"):
        qeframe.compare("pearson", task, ANSWERS)
    with pytest.raises(DataError, match="a task has submissions of its own"):
        qeframe.score("pearson", task, GOLD)
    with pytest.raises(DataError, match="the submissions have no names"):
        qeframe.compare("pearson", GOLD)
