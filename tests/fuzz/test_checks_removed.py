"""The fuzzer broken on purpose: without a check, it finds a defect."""

import re

import pytest

from tests.fuzz.breakages import breakages_of
from tests.fuzz.small_tasks import SMALL_TASKS
from tests.fuzz.test_broken_input import empty_folder, verdicts_on_files
from tests.fuzz.verdicts import Verdicts

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow

REMOVED = {
    "_MARK": (b"\0", "rankings-texts", r"name .*\\ufeff"),
    "_has_other_blanks": (lambda text: False, "qe_plain", r": number '1\\x0[bc]'"),
    "_number": (lambda text, file, line: float(text), "qe_plain", r": number '(nan|NaN)'"),
}
"""What each check of `qeframe.data.text_lines` is replaced by, and the task and the cases that need it."""


@pytest.mark.parametrize("check", REMOVED)
def test_without_a_check_there_is_a_defect(check, empty_folder, monkeypatch):
    without, name, pattern = REMOVED[check]
    task = SMALL_TASKS[name]
    chosen = [each for each in breakages_of(task) if re.search(pattern, each.name)]
    assert {verdict.kind for _, verdict in verdicts_on_files(task, chosen)} == {Verdicts.GOOD}
    monkeypatch.setattr(f"qeframe.data.text_lines.{check}", without)
    assert Verdicts.DEFECT in {verdict.kind for _, verdict in verdicts_on_files(task, chosen)}
