"""The command that makes the page of benchmarks finds what is to be measured, and writes what was measured."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


@pytest.fixture(scope="module")
def run():
    spec = importlib.util.spec_from_file_location("benchmarks_run", FOLDER / "run.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_modules_with_rows_are_found_by_themselves(run, tmp_path, monkeypatch):
    assert "resampling" in run.modules()
    assert run.has_rows("resampling")
    assert not {"run", "rows"} & set(run.modules())
    monkeypatch.setattr(run, "HERE", tmp_path)
    (tmp_path / "new.py").write_text("ROWS = ()\n")
    (tmp_path / "old.py").write_text("print('5 times')\n")
    assert run.modules() == ["new", "old"]
    assert run.figures("new") == {"rows": [], "lines": []}
    assert run.figures("old") == {"lines": ["5 times"]}


ROW = """
from types import SimpleNamespace as Row
ROWS = (Row(number="1", what="sum", sizes={"n": 5}, repeats=1, ours=lambda sizes: lambda: sum(range(sizes["n"]))),)
"""


def test_the_previous_release_has_a_time_or_a_reason(run, tmp_path, monkeypatch):
    """By the same row in its own tree, or by ours."""
    monkeypatch.setattr(run, "HERE", tmp_path)
    (tmp_path / "rows.py").write_text((FOLDER / "rows.py").read_text())
    (tmp_path / "ours.py").write_text(ROW)
    row = {"number": "1", "what": "sum", "sizes": {"n": 5}}
    assert run.before("ours", row, sys.executable, 60.0)["before"] >= 0.0
    other = run.before("ours", {**row, "what": "product"}, sys.executable, 60.0)
    assert other == {"before": None, "no_before": "the release has no such row"}


def test_what_fails_or_does_not_end_is_said(run, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "HERE", tmp_path)
    (tmp_path / "failing.py").write_text("raise ValueError('no data')\n")
    (tmp_path / "missing.py").write_text("print('4 times'); raise SystemExit(1)\n")
    assert run.figures("failing") == {"lines": ["ValueError: no data"]}
    assert run.figures("missing") == {"lines": ["4 times", "a target was missed"]}
    monkeypatch.setattr(run, "MOST_SECONDS", 0.5)
    (tmp_path / "endless.py").write_text("import time; time.sleep(60)\n")
    assert run.figures("endless") == {"lines": ["not finished after 0.5 s"]}


def test_an_unknown_module_is_one_line(run, capsys):
    assert run.main(["no_such"]) == 2
    assert "there is no benchmark 'no_such'; there are " in capsys.readouterr().err


def test_the_page_is_that_of_the_stored_figures(run):
    kept = json.loads((REFERENCE / "benchmarks.json").read_text(encoding="utf-8"))
    assert (REFERENCE / "benchmarks.md").read_text(encoding="utf-8") == run.page(kept)
    assert {"date", "processor", "cores", "memory", "system", "versions"} == set(kept["machine"])
    assert set(kept["modules"]) <= set(run.modules())
