"""Lying distributions that pip has installed, met by the program itself."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.hostile.liar import PRELUDE, SCORE
from tests.hostile.test_hostile import LIARS

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
    described = "liar_dist-6.6.dist-info"
    files = {
        "liar_module.py": PRELUDE + source,
        f"{described}/METADATA": "Metadata-Version: 2.1\nName: liar-dist\nVersion: 6.6\n",
        f"{described}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{described}/entry_points.txt": "[qeframe.v2]\nliar = liar_module\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{described}/RECORD"])
    wheel = folder / "liar_dist-6.6-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for name, text in {**files, f"{described}/RECORD": record}.items():
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


@pytest.mark.parametrize("lie", CHOSEN)
def test_an_installed_liar_gets_its_line(lie, site, task_folder, tmp_path):
    liar = next(liar for liar in LIARS if liar.lie == lie)
    sources = tmp_path / "sources"
    sources.mkdir()
    _install(site, liar.source, sources)
    done = _program(site, *liar.command)
    assert (done.stderr, done.stdout, done.returncode) == (liar.line, "", 2)


def test_a_blocked_liar_does_nothing(site, task_folder, tmp_path, monkeypatch):
    sources = tmp_path / "sources"
    sources.mkdir()
    _install(site, "sys.exit(0)", sources)
    monkeypatch.setenv("QEFRAME_BLOCK", "liar")
    done = _program(site, "score", "pearson", *SCORE[2:])
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith("good")
