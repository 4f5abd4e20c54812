"""Running the command line in the tests' own process."""

import re
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from tests.outcome import Outcome, outcome_of
from tests.written import write_files


@pytest.fixture
def qeframe_command(capsys) -> Callable[..., Outcome]:
    """Run a command and return its outcome."""

    return partial(outcome_of, capsys)


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
    return write_files(tmp_path / "task", sides)


@pytest.fixture
def noisy_task(tmp_path, monkeypatch):
    """Write a task of random gold, and submissions with noise of a size each, and go to its parent."""

    def write(units, noise):
        monkeypatch.chdir(tmp_path)
        rng = np.random.default_rng(1)
        gold = rng.normal(size=units)
        sides = {f"submissions/{name}.txt": gold + size * rng.normal(size=units) for name, size in noise.items()}
        return write_files(tmp_path / "task", {"gold.txt": gold, **sides})

    return write
