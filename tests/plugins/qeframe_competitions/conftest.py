"""Small tasks of two language pairs, with a gold and submissions, and competitions made of them."""

from pathlib import Path

import pytest

from qeframe_competitions.codabench import Options, bundle_files
from qeframe_competitions.prepare import prepare
from tests.cli.conftest import qeframe_command, refused
from tests.plugins.qeframe_competitions.small_files import GOLD, GUESSES, Platform, scores, words, write

__all__ = ["competition", "metric_gold", "qeframe_command", "refused", "sentence_gold", "word_gold"]


@pytest.fixture
def sentence_gold(tmp_path) -> Path:
    files = {f"{pair}/gold.da": "".join(f"{value}\n" for value in values) for pair, values in GOLD.items()}
    for name, by_pair in GUESSES.items():
        files |= {f"{pair}/submissions/{name}.txt": scores(pair, values) for pair, values in by_pair.items()}
    return write(tmp_path / "gold", {**files, "notes.txt": "not a task"})


@pytest.fixture
def word_gold(tmp_path) -> Path:
    return write(
        tmp_path / "words",
        {
            "en-de/gold.tags": "OK BAD OK\nOK OK\n",
            "en-de/mt_tok": "w0 w1 w2\nw0 w1\n",
            "en-de/submissions/baseline.txt": words("en-de", ["OK BAD BAD", "OK OK"]),
            "en-de/submissions/team.txt": words("en-de", ["BAD BAD OK", "OK BAD"]),
        },
    )


@pytest.fixture
def metric_gold(tmp_path) -> Path:
    systems = {"A": [3, 2, 4, 1], "B": [1, 4, 2, 3], "C": [2, 1, 3, 4]}

    def lines(shift: float, *, missing: bool = False) -> str:
        cells = [
            (name, value * shift + number) for name, values in systems.items() for number, value in enumerate(values)
        ]
        if missing:
            return "".join(f"{name}\t{'None' if i % 4 == 3 else value}\n" for i, (name, value) in enumerate(cells))
        return "".join(f"{name}\t{value}\n" for name, value in cells)

    files = {"human-scores/en-de.da.seg.score": lines(-1.0), "human-scores/en-de.mqm.seg.score": lines(1, missing=True)}
    files |= {"metric-scores/en-de/M-src.seg.score": lines(0.5), "metric-scores/en-de/N-src.seg.score": lines(-0.25)}
    return write(tmp_path / "metrics", files)


@pytest.fixture
def competition(registry, tmp_path, monkeypatch):
    """Make the folders of the platform from a gold; return a function that scores a submission in them."""

    def make(profile, gold, **options):
        prepared = prepare(profile, gold, registry, **options)
        root = tmp_path / "app"
        for name, content in bundle_files(prepared, Options(), {}).items():
            top, _, below = name.partition("/")
            place = {"scoring_program": "program", "reference_data": "input/ref"}.get(top, "pages")
            path = root / place / (below or top)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return Platform(root)

    return make
