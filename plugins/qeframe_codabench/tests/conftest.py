"""Small tasks of two language pairs, and competitions that are made of them."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from qeframe_codabench.bundle import prepare
from small_files import Platform, lay_out, metric_task, sentence_task, word_task

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True, max_examples=40)
settings.load_profile("ci")


@pytest.fixture
def sentence_gold(tmp_path) -> Path:
    return sentence_task(tmp_path / "gold")


@pytest.fixture
def word_gold(tmp_path) -> Path:
    return word_task(tmp_path / "words")


@pytest.fixture
def metric_gold(tmp_path) -> Path:
    return metric_task(tmp_path / "metrics")


@pytest.fixture
def competition(tmp_path):
    """Return a function that makes the folders of the platform from a gold, in which submissions are scored."""

    def make(profile, gold, **options):
        lay_out(prepare(profile, gold, **options), tmp_path / "app")
        return Platform(tmp_path / "app")

    return make


@pytest.fixture
def qeframe_command():
    """Return a function that runs qeframe in a process of its own."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "qeframe", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run
