"""The rates of false borders on the page on significance are what is stored."""

import importlib.util
import json
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROWS = json.loads((DOCS / "reference" / "borders.json").read_text(encoding="utf-8"))["rows"]
PAGE = (DOCS / "explanation" / "significance.md").read_text(encoding="utf-8")


def test_the_table_is_what_is_stored():
    rates = {
        (row["null"], row["test"], row["ranking"]): f"{row['false'] / row['runs']:.3f}".lstrip("0") for row in ROWS
    }
    for null, test in dict.fromkeys((null, test) for null, test, _ in rates):
        cells = [rates[null, test, ranking] for ranking in ("clusters", "separated")]
        assert f"| {null} | {test} | {' | '.join(cells)} |" in PAGE
    assert {(row["units"], row["runs"]) for row in ROWS} == {(500, 200)}


def test_a_false_border_separates_equal_submissions():
    spec = importlib.util.spec_from_file_location("borders", DOCS / "studies" / "borders.py")
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    groups = (1.5, 1.5, 2.2)
    assert not study.has_false_border({"s0": 1, "s1": 1, "s2": 2}, groups)
    assert study.has_false_border({"s0": 1, "s1": 2, "s2": 2}, groups)
    assert study.drawn(groups, 5, 0).units == pytest.approx(5)
