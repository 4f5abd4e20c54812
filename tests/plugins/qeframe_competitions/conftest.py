"""Small tasks of two language pairs, with a gold and submissions, and competitions made of them."""

from pathlib import Path

import pytest

from qeframe_competitions.prepare import prepare
from tests.cli.conftest import qeframe_command, refused
from tests.plugins.qeframe_competitions.small_files import Platform, lay_out, metric_task, sentence_task, word_task

__all__ = ["competition", "metric_gold", "qeframe_command", "refused", "sentence_gold", "word_gold"]


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
def competition(registry, tmp_path, monkeypatch):
    """Make the folders of the platform from a gold; return a function that scores a submission in them."""

    def make(profile, gold, **options):
        prepared = prepare(profile, gold, registry, **options)
        root = tmp_path / "app"
        lay_out(prepared, root)
        return Platform(root)

    return make
