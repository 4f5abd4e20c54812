"""`evaluate` chooses a profile, reads files, enters attacks, and leaves the rest to `evaluate_tasks`."""

import inspect

import numpy as np
import pytest

import qeframe
from qeframe.additions.added import with_additions
from qeframe.api.evaluate import evaluate
from qeframe.core.errors import DataError, ProfileError
from qeframe.core.evaluation.run import EvaluationRequest, evaluate_tasks
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from tests.written import write_files

RULES = Profile(reader="qe_plain", primary="pearson", interval="", test="")
VALUES = {"gold.txt": [1.0, 2.0, 3.0, 5.0], "submissions/a.txt": [1.0, 3.0, 2.0, 5.0]}


@pytest.fixture
def folder(tmp_path):
    return write_files(tmp_path, VALUES)


def test_a_path_and_its_tasks_give_equal_results(folder):
    read = evaluate(RULES, folder, seed=2)
    assert evaluate(RULES, qeframe.read_tasks(RULES, folder), seed=2).to_json() == read.to_json()


def test_tasks_need_no_file_and_no_reader(registry):
    gold, values = (np.array(values) for values in VALUES.values())
    task = Task(name="t", batches={Submission("a"): Scores.from_plain(gold, values)})
    rules = Profile(reader="there is none", primary="pearson", interval="", test="")
    request = EvaluationRequest(seed=0, registry=registry, additions=with_additions)
    made = evaluate_tasks(resolve(rules, registry, reads=False), [task], request)
    assert made.to_json() == evaluate(rules, task).to_json()
    with pytest.raises(ProfileError, match="reader: "):
        evaluate(rules, "folder")


def test_the_keywords_are_those_of_the_last_release():
    assert list(inspect.signature(qeframe.evaluate).parameters)[:11] == [
        "profile", "task", "settings", "attacks", "explain", "equivalence", "detectable", "influence", "seed",
        "registry", "runner",
    ]  # fmt: skip


@pytest.mark.parametrize("attacks", ["constant", 3])
def test_attacks_are_a_list_or_all(folder, attacks):
    with pytest.raises(DataError, match=f"attacks cannot be {attacks!r}; give True, or a list of names or of attacks"):
        evaluate(RULES, folder, attacks=attacks)
