"""The SLURM script and the Makefile of the how-to, run as they are printed, on a small task."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "compute-on-several-machines.md"
RULES = "--set 'interval=bootstrap(draws=60)' --set 'test=permutation(draws=60)'"


def block(language: str) -> str:
    """Return the fenced block of a language, on the small task in place of that of the page."""
    [found] = re.findall(f"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert "wmt23_metrics data" in found
    return found.replace("wmt23_metrics data", f"qe_sentence data {RULES}")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a task, in which the command of this environment is called qeframe."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=400)
    for name, values in {"gold": gold, **{f"submissions/s{k}": gold + rng.normal(size=400) for k in range(3)}}.items():
        file = tmp_path / "data" / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{value:.4f}\n" for value in values))
    command = tmp_path / "bin" / "qeframe"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m qeframe "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("QEFRAME_WORK", str(tmp_path / "work"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*command: str, **more: str) -> None:
    done = subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def whole(place: Path) -> bytes:
    run("bash", "-c", f"qeframe run qe_sentence data {RULES} --out whole --quiet")
    return (place / "whole" / "evaluation.json").read_bytes()


@pytest.mark.slow
@pytest.mark.needs_program("make")
def test_the_makefile(place):
    (place / "Makefile").write_text(block("make"))
    run("make", "-j", "2")
    assert (place / "results" / "evaluation.json").read_bytes() == whole(place)
    again = subprocess.run(["make"], capture_output=True, text=True, check=True)
    assert "up to date" in again.stdout


@pytest.mark.slow
@pytest.mark.needs_program("make")
def test_the_makefile_goes_on_after_a_shard_is_lost(place):
    (place / "Makefile").write_text(block("make"))
    run("make", "-j", "2")
    shutil.rmtree(place / "shard-3")
    (place / "shard-3.done").unlink()
    shutil.rmtree(place / "results")
    run("make", "-j", "2")
    assert (place / "results" / "evaluation.json").read_bytes() == whole(place)


@pytest.mark.slow
@pytest.mark.needs_program("bash")
def test_the_array_of_slurm(place):
    script = block("sh")
    assert "#SBATCH --array=1-16\n" in script
    (place / "job.sh").write_text(script.replace("/16", "/3"))
    for number in (1, 2, 3):
        run("bash", "job.sh", SLURM_ARRAY_TASK_ID=str(number))
        assert json.loads((place / f"shard-{number}" / "manifest.json").read_text())["shard"] == [number, 3]
    run("bash", "-c", "qeframe merge shard-* --out results --quiet")
    assert (place / "results" / "evaluation.json").read_bytes() == whole(place)
