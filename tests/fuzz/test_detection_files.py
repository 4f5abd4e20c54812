"""Broken files with a gold of two classes: each is refused in one line that says what is wrong, or harmless."""

import pytest

from tests.fuzz.breakages import breakages_of
from tests.fuzz.detection_tasks import DETECTION_TASKS, DETECTION_TREES, PLAIN_FILES, TREE_BREAKAGES
from tests.fuzz.test_broken_input import EVERY, OUT, assert_no_defect, empty_folder, lay_out, run, verdicts_on_files
from tests.fuzz.verdicts import Verdicts, judge, outcome_of

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow

LEAST = 30


def test_there_are_enough_cases_of_each_format():
    for name, task in DETECTION_TASKS.items():
        assert len(breakages_of(task)) >= LEAST, name
    for name, cases in (TREE_BREAKAGES | PLAIN_FILES).items():
        assert len(cases) >= LEAST, name
    assert set(DETECTION_TREES) == set(TREE_BREAKAGES)


@pytest.mark.parametrize("name", DETECTION_TASKS)
def test_broken_folders(name, empty_folder):
    task = DETECTION_TASKS[name]
    assert_no_defect(verdicts_on_files(task, list(breakages_of(task))[::EVERY]), name)


@pytest.mark.parametrize("name", DETECTION_TREES)
def test_broken_trees(name, empty_folder):
    task = DETECTION_TREES[name]
    lay_out(task)
    usual = outcome_of(task.command("t"))
    assert usual.status == 0, usual
    wrong = []
    for breakage in TREE_BREAKAGES[name]:
        lay_out(task)
        breakage.apply(empty_folder / "t")
        outcome = run(task.command("t"), f"{name} | {breakage.name}")
        verdict = judge(outcome, usual, named=["t/", "t:"], must_be_refused=bool(breakage.says), out=OUT)
        expected = Verdicts.GOOD if breakage.says else Verdicts.SAME
        if verdict.kind is not expected or breakage.says not in outcome.err:
            wrong.append(f"{breakage.name}: {verdict.kind.value} {verdict.reason} {outcome.err[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("metric", PLAIN_FILES)
def test_broken_plain_files(metric, empty_folder):
    wrong = []
    for name, gold, answers, says in PLAIN_FILES[metric]:
        (empty_folder / "a").write_text(gold, encoding="utf-8")
        (empty_folder / "b").write_text(answers, encoding="utf-8")
        outcome = outcome_of(["score", metric, "a", "b"])
        one_line = outcome.err.count("\n") == 1 and outcome.err.startswith("qeframe: ") and "; " in outcome.err
        if outcome.status != 2 or not one_line or says not in outcome.err:
            wrong.append(f"{name}: {outcome.status} {outcome.err[:300]}")
    assert not wrong, "\n".join(wrong)
