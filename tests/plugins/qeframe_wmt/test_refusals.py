"""Broken files of every reader: each is refused in one line, which the tables in ``refusals`` have.

A task has the reader and the path that is read; one without files has parameters that cannot be.
"""

from pathlib import Path

import pytest

from qeframe.core.reader import Reader
from tests.plugins.qeframe_wmt.readings import refused
from tests.refusals import cases_of, tasks_of, write_broken
from tests.written import write_files

TASKS = tasks_of(Path(__file__).with_name("refusals").glob("*.toml"))
CASES = cases_of(TASKS)
READ = [name for name, task in TASKS.items() if "files" in task and all("edits" in case for case in task["refused"])]
"""The tasks of which each case breaks the files, and not the parameters of the reader alone."""


def read(registry, case):
    return registry.get(Reader, case["reader"]).read(Path(case["path"]), "low")


@pytest.mark.parametrize("name", CASES)
def test_a_broken_task_is_refused_in_one_line(name, registry, tmp_path, monkeypatch):
    monkeypatch.chdir(write_broken(tmp_path, CASES[name]))
    assert refused(read, registry, CASES[name]) == CASES[name]["says"]


@pytest.mark.parametrize("name", READ)
def test_the_task_that_is_broken_is_read(name, registry, tmp_path, monkeypatch):
    monkeypatch.chdir(write_files(tmp_path, TASKS[name]["files"]))
    assert read(registry, TASKS[name])
