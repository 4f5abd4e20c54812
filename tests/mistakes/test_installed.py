"""Distributions with a mistake that pip has installed, met by the program itself."""

import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.mistakes.mistake import DESCRIBED, SCORE, installed
from tests.mistakes.test_mistakes import MISTAKES
from tests.written import write_files

pytestmark = pytest.mark.slow
CHOSEN = ("gold over predicted", "sys.exit at import", "p above 1", "a reader returns text")


@pytest.fixture
def site(tmp_path) -> Path:
    """Name an empty folder that the program finds installed distributions in."""
    folder = tmp_path / "installed"
    folder.mkdir()
    return folder


def _install(site: Path, source: str, folder: Path) -> None:
    """Write the wheel of a distribution and let pip install it, without the network."""
    about_wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {**installed(source), f"{DESCRIBED}/WHEEL": about_wheel}
    record = "".join(f"{name},,\n" for name in [*files, f"{DESCRIBED}/RECORD"])
    wheel = folder / "faulty_dist-6.6-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for name, text in {**files, f"{DESCRIBED}/RECORD": record}.items():
            archive.writestr(name, text)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--no-index"]
    done = subprocess.run([*pip, "--target", str(site), str(wheel)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _program(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qeframe", *command],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("name", CHOSEN)
def test_an_installed_faulty_gets_its_line(name, site, task_folder, tmp_path):
    mistake = next(mistake for mistake in MISTAKES if mistake.name == name)
    sources = tmp_path / "sources"
    sources.mkdir()
    _install(site, mistake.source, sources)
    done = _program(site, *mistake.command)
    assert (done.stderr, done.stdout, done.returncode) == (mistake.line, "", 2)


def test_a_blocked_plugin_does_nothing(site, task_folder, tmp_path, monkeypatch):
    sources = tmp_path / "sources"
    sources.mkdir()
    _install(site, "sys.exit(0)", sources)
    monkeypatch.setenv("QEFRAME_BLOCK", "faulty")
    done = _program(site, "score", "pearson", *SCORE[2:])
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith("good")


LOUD = """
import atexit, os, subprocess, threading

os.system("echo a child program")
atexit.register(print, "at exit")

def rows(batch):
    os.write(1, b"to number 1\\n")
    subprocess.run(["echo", "a child program"])
    thread = threading.Thread(target=print, args=["from a thread"])
    thread.start()
    thread.join()
    return pairs(batch)

def score(sums):
    print("from a worker process")
    return mean(sums)

@hookimpl
def qeframe_metrics():
    return faulty(extract=rows, score=score)
"""


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_standard_output_is_the_result_alone(executor, site, task_folder, tmp_path):
    write_files(site, installed(LOUD))
    draws = ("--set", "primary=faulty", "--set", "test=bootstrap(draws=200)", "--workers", "2", "--executor", executor)
    done = _program(site, "run", "qe_sentence", "task", *draws, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["primary"] == "faulty"
    for line in ("a child program", "to number 1", "from a thread", "from a worker process", "at exit"):
        assert f"{line}\n" in done.stderr
