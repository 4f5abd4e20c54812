"""Broken repositories: each is refused in one line that says what is wrong, or harmless."""

import pytest

from tests.fuzz.cloned_trees import CLONED, CLONED_BREAKAGES
from tests.fuzz.published_trees import PUBLISHED, TREE_BREAKAGES
from tests.fuzz.test_broken_input import OUT, empty_folder, lay_out, run
from tests.fuzz.verdicts import Verdicts, judge, outcome_of

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow

TREES, BREAKAGES = {**PUBLISHED, **CLONED}, {**TREE_BREAKAGES, **CLONED_BREAKAGES}
CASES = [(name, each) for name, breakages in BREAKAGES.items() for each in breakages]


def test_there_are_enough_cases():
    assert len(CASES) >= 100
    assert set(TREES) == set(BREAKAGES)
    assert len({(name, each.name) for name, each in CASES}) == len(CASES)


@pytest.mark.parametrize("name", TREES)
def test_broken_trees(name, empty_folder, monkeypatch):
    task = TREES[name]
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    lay_out(task)
    usual = outcome_of(task.command("t"))
    assert usual.status == 0, usual
    wrong = []
    for breakage in BREAKAGES[name]:
        lay_out(task)
        breakage.apply(empty_folder / "t")
        outcome = run(task.command("t"), f"{name} | {breakage.name}")
        verdict = judge(outcome, usual, named=["t/", "t:"], must_be_refused=bool(breakage.says), out=OUT)
        expected = Verdicts.GOOD if breakage.says else Verdicts.SAME
        if verdict.kind is not expected or breakage.says not in outcome.err:
            wrong.append(f"{breakage.name}: {verdict.kind.value} {verdict.reason} {outcome.err[:300]}")
    assert not wrong, "\n".join(wrong)
