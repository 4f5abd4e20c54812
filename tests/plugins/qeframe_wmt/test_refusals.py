"""Broken files of every reader: each is refused in one line, which the tables in ``refusals`` have.

A table has tasks: files, the reader and the path that is read. Below each are ways to break it, of which each has the
line that is printed. An edit is the name of a file alone, which is taken out, or its name, a line, how many lines are
taken out there, and the text that is put in. A way may have a reader and a path of its own. A task without files has
parameters that cannot be.
"""

import tomllib
from pathlib import Path

import pytest

from qeframe.core.reader import Reader
from tests.plugins.qeframe_wmt.readings import refused
from tests.written import write_files

TASKS = {
    f"{table.stem} {number}": task
    for table in sorted(Path(__file__).with_name("refusals").glob("*.toml"))
    for number, task in enumerate(tomllib.loads(table.read_text("utf-8"))["tasks"], 1)
}
CASES = {
    f"{name}.{number}: {case['says']}": task | case
    for name, task in TASKS.items()
    for number, case in enumerate(task["refused"], 1)
}
READ = [name for name, task in TASKS.items() if "files" in task and all("edits" in case for case in task["refused"])]
"""The tasks of which each case breaks the files, and not the parameters of the reader alone."""


def broken(files, edits):
    """Return the files after the edits."""
    after = dict(files)
    for name, *edit in edits:
        lines = after.pop(name, "").splitlines(keepends=True)
        if edit:
            line, count, text = edit
            after[name] = "".join([*lines[: line - 1], text, *lines[line - 1 + count :]])
    return after


def read(registry, case):
    return registry.get(Reader, case["reader"]).read(Path(case["path"]), "low")


@pytest.mark.parametrize("name", CASES)
def test_a_broken_task_is_refused_in_one_line(name, registry, tmp_path, monkeypatch):
    case = CASES[name]
    monkeypatch.chdir(write_files(tmp_path, broken(case.get("files", {}), case.get("edits", []))))
    assert refused(read, registry, case) == case["says"]


@pytest.mark.parametrize("name", READ)
def test_the_task_that_is_broken_is_read(name, registry, tmp_path, monkeypatch):
    monkeypatch.chdir(write_files(tmp_path, TASKS[name]["files"]))
    assert read(registry, TASKS[name])
