"""Broken JSON lines: each is refused in one line that names the file, the line and a remedy, or harmless."""

import pytest

from tests.fuzz.preference_files import PREFERENCE_BREAKAGES, PREFERENCE_TASKS
from tests.fuzz.test_broken_input import OUT, empty_folder, lay_out, run
from tests.fuzz.verdicts import Verdicts, judge, outcome_of

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow


def test_there_are_enough_cases_and_each_has_its_own_name():
    cases = [(name, each.name) for name, breakages in PREFERENCE_BREAKAGES.items() for each in breakages]
    assert len(cases) >= 100
    assert len(set(cases)) == len(cases)
    assert set(PREFERENCE_BREAKAGES) == set(PREFERENCE_TASKS)


@pytest.mark.parametrize("name", PREFERENCE_TASKS)
def test_broken_lines(name, empty_folder):
    task = PREFERENCE_TASKS[name]
    lay_out(task)
    usual = outcome_of(task.command("t"))
    assert usual.status == 0, usual
    wrong = []
    for breakage in PREFERENCE_BREAKAGES[name]:
        lay_out(task)
        breakage.apply(empty_folder / "t")
        outcome = run(task.command("t"), f"{name} | {breakage.name}")
        named = [f"t/{breakage.file}", *(f"t/{file}" for file in task.files), "t:", "section_accuracy"]
        verdict = judge(outcome, usual, named=named, line=breakage.line, must_be_refused=bool(breakage.says), out=OUT)
        expected = {Verdicts.GOOD} if breakage.says else {Verdicts.SAME}
        if verdict.kind not in expected or breakage.says not in outcome.err:
            wrong.append(f"{breakage.name}: {verdict.kind.value} {verdict.reason} {outcome.err[:300]}")
    assert not wrong, "\n".join(wrong)
