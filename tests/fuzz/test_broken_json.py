"""Broken JSON lines: each file is refused in one line, harmless, or undetectable with a reason."""

import pytest

from tests.fuzz.json_breakages import LEAST_BREAKAGES, json_breakages_of
from tests.fuzz.json_tasks import JSON_TASKS
from tests.fuzz.test_broken_input import EVERY, assert_no_defect, empty_folder, verdicts_on_files

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow

CASES = [(name, file) for name, task in JSON_TASKS.items() for file in task.files if not file.endswith("two.jsonl")]


@pytest.mark.parametrize(("name", "file"), CASES)
def test_broken_json(name, file, empty_folder):
    task = JSON_TASKS[name]
    breakages = json_breakages_of(task)[file]
    assert len({each.name for each in breakages}) == len(breakages) >= LEAST_BREAKAGES
    assert_no_defect(verdicts_on_files(task, breakages[::EVERY]), f"{name} {file}")
