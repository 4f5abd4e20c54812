"""Broken files of ratings: each is refused in one line that names the file and a remedy, harmless, or undetectable."""

import pytest

from tests.fuzz.breakages import breakages_of
from tests.fuzz.rating_tasks import RATING_TASKS
from tests.fuzz.test_broken_input import EVERY, assert_no_defect, empty_folder, verdicts_on_files

__all__ = ["empty_folder"]

pytestmark = pytest.mark.slow

LEAST = 30


@pytest.mark.parametrize("name", RATING_TASKS)
def test_broken_ratings(name, empty_folder):
    task = RATING_TASKS[name]
    breakages = breakages_of(task)
    assert len({each.name for each in breakages}) == len(breakages) >= LEAST
    assert_no_defect(verdicts_on_files(task, breakages[::EVERY]), name)
