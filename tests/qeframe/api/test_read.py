"""From Python: a profile by name, file or hand, on a folder or on tasks, in one call."""

from pathlib import Path

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import DataError, Profile, ProfileError, Submission, Task, UnknownNameError, find_profile
from qeframe.api.evaluate import evaluate as evaluate_tasks
from qeframe.api.read import choose_profile, in_task_order, read_tasks
from qeframe.api.saved import evaluation_from_json
from qeframe.kinds.scores.batch import Scores
from tests.written import write_files

QUICK = ("test=", "interval=")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sides = {"gold.txt": "1\n2\n3\n4\n", "submissions/a.txt": "1\n2\n4\n3\n", "submissions/b.txt": "4\n2\n3\n1\n"}
    return write_files(tmp_path / "task", sides)


def test_a_folder_is_evaluated_in_one_call(folder, registry):
    found = qeframe.evaluate("qe_sentence", folder, settings=QUICK, seed=3)
    assert [(s.rank, s.name) for s in found.submissions] == [(1, "a"), (2, "b")]
    assert (found.signature.seed, found.signature.changed) == (3, {"test": "", "interval": ""})
    rules = choose_profile("qe_sentence", QUICK, registry)
    apart = evaluate_tasks(rules, read_tasks(rules, folder, registry), seed=3, registry=registry)
    assert found.to_json() == apart.to_json()
    for place in (str(folder), read_tasks(rules, folder, registry), read_tasks(rules, folder, registry)[0]):
        assert qeframe.evaluate(rules, place, seed=3).to_json() == apart.to_json()


def test_a_profile_may_be_a_file_or_made_by_hand(folder, tmp_path, registry):
    (tmp_path / "mine.toml").write_text('extends = "qe_sentence"\nprimary = "mae"\ntest = ""\n')
    for profile in (tmp_path / "mine.toml", str(tmp_path / "mine.toml")):
        assert qeframe.evaluate(profile, folder).primary == "mae"
        assert [task.units for task in read_tasks(profile, folder)] == [4]
    assert [task.units for task in read_tasks("qe_sentence", folder)] == [4]
    with pytest.raises(UnknownNameError, match="qe_sentense"):
        read_tasks("qe_sentense", folder)
    by_hand = attrs.evolve(find_profile("qe_sentence", registry), primary="rmse", test="")
    assert qeframe.evaluate(by_hand, folder).primary == "rmse"
    assert qeframe.evaluate(by_hand, folder, settings=["primary=mae"]).primary == "mae"


@pytest.mark.parametrize(
    ("profile", "task", "options", "error", "said"),
    [
        ("qe_sentense", "task", {}, UnknownNameError, "did you mean 'qe_sentence'"),
        (7, "task", {}, DataError, "a value of type int is not a profile; give a name, a .toml file, or a Profile"),
        (None, "task", {}, DataError, "a value of type NoneType is not a profile"),
        (Profile(reader="qe_plain", primary="mean", alpha=7.0), "task", {}, ProfileError, "alpha: must lie between"),
        ("qe_sentence", "nowhere", {}, DataError, "nowhere: there is no such file or folder"),
        (
            "qe_sentence",
            7,
            {},
            DataError,
            "a value of type int is not a task; give the path of a folder or file, a Task",
        ),
        ("qe_sentence", ["task"], {}, DataError, "a value of type str is not a task"),
        ("qe_sentence", [], {}, DataError, "there is no submission to evaluate"),
        ("qe_sentence", "task", {"settings": "primary=mae"}, DataError, "give a list of KEY=VALUE"),
        ("qe_sentence", "task", {"settings": ["primary"]}, DataError, "write KEY=VALUE"),
    ],
)
def test_what_cannot_be_evaluated(folder, monkeypatch, profile, task, options, error, said):
    monkeypatch.chdir(folder.parent)
    with pytest.raises(error, match=said) as caught:
        qeframe.evaluate(profile, task, **options)
    assert len(str(caught.value).splitlines()) == 1


def test_tasks_made_by_hand_need_no_reader():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=20)
    batches = {Submission(name): Scores.from_plain(gold, gold + rng.normal(size=20)) for name in "ab"}
    profile = Profile(reader="none", primary="pearson", test="", interval="")
    assert len(qeframe.evaluate(profile, Task(name="t", batches=batches)).submissions) == 2


def test_tasks_are_in_the_order_of_the_profile(registry):
    gold = np.arange(9.0)
    batches = {Submission(name): Scores.from_plain(gold, gold[::step]) for name, step in (("a", 1), ("b", -1))}
    tasks = [Task(name=name, batches=batches) for name in ("cs", "de", "ro", "zh")]
    by_weight = ["across=weighted", "weights={zh=2,de=1,ro=1,cs=1}"]
    for settings, order in (
        ([], "cs de ro zh"),
        (by_weight, "zh de ro cs"),
        (["task_order=[ro,zh]"], "ro zh cs de"),
        ([*by_weight, "task_order=[ro]"], "ro zh de cs"),
    ):
        found = qeframe.evaluate("qe_sentence", tasks, settings=settings)
        for evaluation in (found, evaluation_from_json(found.to_json())):
            assert " ".join(evaluation.tasks) == order
            assert " ".join(evaluation.shares) == order
            assert " ".join(evaluation.signature.units) == order
            assert {" ".join(s.scores[m].tasks) for s in evaluation.submissions for m in s.scores} == {order}
            assert evaluation.signature.text == found.signature.text
            assert [each for each in order.split() if each in evaluation.signature.rules["weights"]] == list(
                evaluation.signature.rules["weights"]
            )
    with pytest.raises(DataError, match="task_order: there is no task 'dr'; known: cs, de"):
        qeframe.evaluate("qe_sentence", tasks, settings=["task_order=[dr]"])
    registered = attrs.evolve(find_profile("qe_sentence", registry), task_order=("xx", "zh"))
    assert [task.name for task in in_task_order(registered, tasks)] == ["zh", "cs", "de", "ro"]
