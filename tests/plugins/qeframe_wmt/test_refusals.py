"""Broken files of every reader: each is refused in one line, which the tables in ``refusals`` have.

A task has the reader and the path that is read; one without files has parameters that cannot be.
"""

import re
from pathlib import Path

import pytest

from qeframe.core.reader import Reader
from qeframe.data.align import align
from qeframe.data.validate import validate_submission
from tests.plugins.qeframe_wmt.readings import refused
from tests.refusals import cases_of, tasks_of, write_broken
from tests.written import write_files

TASKS = tasks_of(Path(__file__).with_name("refusals").glob("*.toml"))
CASES = cases_of(TASKS)
READ = [name for name, task in TASKS.items() if "files" in task and all("edits" in case for case in task["refused"])]
"""The tasks of which each case breaks the files, and not the parameters of the reader alone."""


SUBMISSION = re.compile(r"[^:]*/(submissions/[^/:]*|predictions\.txt)(?=:)")
BETWEEN = re.compile(r"the gold|/gold|column of ids|in a folder named|another file|/submissions/|of item")
"""What stands between a submission and the gold, another submission, its folder or the input."""
ALONE = [name for name, case in CASES.items() if "edits" in case and SUBMISSION.match(case["says"])]


def read(registry, case):
    """Return the tasks that are read and aligned."""
    return [align(reading) for reading in registry.get(Reader, case["reader"]).read(Path(case["path"]), "low")]


@pytest.mark.parametrize("name", CASES)
def test_a_broken_task_is_refused_in_one_line(name, registry, tmp_path, monkeypatch):
    monkeypatch.chdir(write_broken(tmp_path, CASES[name]))
    assert refused(read, registry, CASES[name]) == CASES[name]["says"]


@pytest.mark.parametrize("name", READ)
def test_the_task_that_is_broken_is_read(name, registry, tmp_path, monkeypatch):
    monkeypatch.chdir(write_files(tmp_path, TASKS[name]["files"]))
    assert read(registry, TASKS[name])


@pytest.mark.parametrize("name", ALONE)
def test_a_submission_that_is_broken_in_itself_is_refused_alone_in_the_same_line(name, registry, tmp_path, monkeypatch):
    case = CASES[name]
    file = SUBMISSION.match(case["says"]).group()
    monkeypatch.chdir(write_broken(tmp_path, case))
    reader = registry.get(Reader, case["reader"])
    if BETWEEN.search(case["says"].removeprefix(file)):
        assert "in a folder named" in case["says"] or validate_submission(reader, Path(file))
    elif reader.submission is not None:
        assert refused(validate_submission, reader, Path(file)) == case["says"]
