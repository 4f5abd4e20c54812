"""Broken repositories: each is refused in one line that says what is wrong, or harmless.

What a remedy says of each breakage is stated with it.
"""

import pytest

from tests.fuzz.cloned_trees import CLONED, CLONED_BREAKAGES
from tests.fuzz.detection_tasks import DETECTION_TREES, PLAIN_FILES, TREE_BREAKAGES
from tests.fuzz.published_trees import PUBLISHED, PUBLISHED_BREAKAGES
from tests.fuzz.test_broken_input import LEAST, OUT, empty_folder, lay_out, run
from tests.fuzz.verdicts import Verdicts, judge, outcome_of

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow

SMALL_FILES = {**PUBLISHED, **CLONED}
"""Trees of files of less than one megabyte, so that larger ones can be refused."""
TREES = {**SMALL_FILES, **DETECTION_TREES}
BREAKAGES = {**PUBLISHED_BREAKAGES, **CLONED_BREAKAGES, **TREE_BREAKAGES}


def test_there_are_enough_cases_and_each_has_its_own_name():
    cases = {tree: {breakage.name for breakage in breakages} for tree, breakages in BREAKAGES.items()}
    assert {tree: len(names) for tree, names in cases.items()} == {tree: len(BREAKAGES[tree]) for tree in TREES}
    assert sum(len(cases[tree]) for tree in SMALL_FILES) >= 100
    assert all(len(of_format) >= LEAST for of_format in (TREE_BREAKAGES | PLAIN_FILES).values())


@pytest.mark.parametrize("name", TREES)
def test_broken_trees(name, empty_folder, monkeypatch):
    task = TREES[name]
    if name in SMALL_FILES:
        monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    lay_out(task)
    usual = outcome_of(task.command("t"))
    assert usual.status == 0, usual
    wrong = []
    for breakage in BREAKAGES[name]:
        lay_out(task)
        breakage.apply(empty_folder / "t")
        outcome = run(task.command("t"), f"{name} | {breakage.name}")
        verdict = judge(outcome, usual, named=["t/", "t:"], line=0, must_be_refused=bool(breakage.says), out=OUT)
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
