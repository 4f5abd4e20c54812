"""Distributions with a mistake on the path of imports, and the command line that meets them."""

import shutil
import sys
from collections.abc import Callable
from functools import cache

import pytest

from qeframe.core import loader
from qeframe.testing.laws import free_name
from tests.mistakes.mistake import installed
from tests.outcome import Outcome, outcome_of
from tests.written import write_files

_COLUMNS = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id"
JUDGED = {
    "rankings.csv": f"{_COLUMNS},system1rank,system2rank\n"
    + "".join(f"Czech,English,{s},d,{s},ann,1,A,2,B,{1 + s % 2},{2 - s % 2}\n" for s in (1, 2, 3)),
    "text/t-ref.en": "a b c\nx y z\np q r\n",
    "text/cs-en/A": "a b d\nx y\np q r\n",
    "text/cs-en/B": "a b x\nx z\np q\n",
}
"""Texts and rankings of a small task, as `qeframe correlate` reads them."""


@pytest.fixture
def task_folder(tmp_path, monkeypatch):
    """Write a small task of plain files and go to its parent."""
    monkeypatch.chdir(tmp_path)
    sides = {
        "gold.txt": [0.1, 0.5, 0.3, 0.9, 0.45, 0.2],
        "submissions/good.txt": [0.1, 0.4, 0.35, 0.8, 0.5, 0.3],
        "submissions/fair.txt": [0.3, 0.2, 0.4, 0.6, 0.5, 0.3],
        "submissions/odd.txt": [0.9, 0.2, 0.6, 0.1, 0.5, 0.4],
    }
    write_files(tmp_path / "task", sides)
    for pair in ("en-de", "en-cs"):
        shutil.copytree(tmp_path / "task", tmp_path / "tasks" / pair)
    write_files(tmp_path / "judged", JUDGED)
    return tmp_path / "task"


@pytest.fixture
def install(tmp_path, monkeypatch) -> Callable[[str], None]:
    """Put a distribution, its module and its entry point, on the path; the registry is built anew."""

    def put(source: str) -> None:
        site = tmp_path / "site"
        write_files(site, installed(source))
        monkeypatch.syspath_prepend(site)
        monkeypatch.delitem(sys.modules, "faulty_module", raising=False)
        # Caches of its own, so that other tests of this process keep the registry that they have.
        for module, name in ((loader, "_load_once"), (free_name, "_installed")):
            monkeypatch.setattr(module, name, cache(getattr(module, name).__wrapped__))

    yield put
    sys.modules.pop("faulty_module", None)


@pytest.fixture
def meet(install, task_folder, capsys) -> Callable[..., Outcome]:
    """Install a distribution and run a command that meets it."""

    def run(source: str, *command: str) -> Outcome:
        install(source)
        return outcome_of(capsys, *command)

    return run
