"""Running the command line in the tests' own process."""

import re
from collections.abc import Callable

import pytest
from attrs import frozen

from qeframe.cli import main


@frozen
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def qeframe_command(capsys) -> Callable[..., Outcome]:
    """Run a command and return its outcome."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        try:
            main([str(argument) for argument in arguments])
            status = 0
        except SystemExit as stop:
            status = int(stop.code or 0)
        printed = capsys.readouterr()
        return Outcome(status, printed.out, printed.err)

    return run


@pytest.fixture
def refused(qeframe_command) -> Callable[..., str]:
    """Run a command that must refuse its input: one line on standard error, status 2, nothing on standard output."""

    def run(*arguments: object) -> str:
        outcome = qeframe_command(*arguments)
        assert outcome.status == 2, outcome
        assert outcome.out == ""
        assert re.fullmatch(r"qeframe: [^\n]+\n", outcome.err), outcome.err
        return outcome.err.removeprefix("qeframe: ").rstrip("\n")

    return run


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write a gold side and submissions of six numbers, with and without ids, and go to their folder."""
    monkeypatch.chdir(tmp_path)
    sides = {
        "gold.txt": "1\n2\n3\n4\n5\n6\n",
        "a.txt": "1\n2\n4\n3\n5\n6\n",
        "b.txt": "3\n1\n2\n6\n4\n5\n",
        "ids.txt": "06\t6\n1\t1\n2\t2\n4\t3\n3\t4\n5\t5\n",
        "gold_ids.txt": "1\t1\n2\t2\n3\t3\n4\t4\n5\t5\n6\t6\n",
    }
    for name, text in sides.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def task_folder(tmp_path, monkeypatch):
    """Write a small task of plain files, six segments and three submissions, and go to its parent."""
    monkeypatch.chdir(tmp_path)
    sides = {
        "gold.txt": [0.1, 0.5, 0.3, 0.9, 0.45, 0.2],
        "submissions/good.txt": [0.1, 0.4, 0.35, 0.8, 0.5, 0.3],
        "submissions/fair.txt": [0.3, 0.2, 0.4, 0.6, 0.5, 0.3],
        "submissions/flat.txt": [0.4, 0.4, 0.4, 0.4, 0.4, 0.4],
    }
    for name, values in sides.items():
        (tmp_path / "task" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "task" / name).write_text("".join(f"{value}\n" for value in values))
    return tmp_path / "task"
