"""The numbers of the page "How many segments do I need?"."""

import subprocess
import sys
from pathlib import Path

import pytest

import qeframe
from qeframe.cli.shared.demo_files import write_demo
from qeframe.studies import power_curves, power_table
from tests.docs.test_readme import ROOT, blocks

PAGE = Path(ROOT, "docs", "how-to", "how-many-segments.md")


def rows(page, header):
    """Return the cells of the rows of the table under a header."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(header))
    table = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return table
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


@pytest.fixture
def demo(tmp_path, registry):
    write_demo("sentence", tmp_path / "qeframe-demo", 2015)
    profile = qeframe.choose_profile("qe_sentence", (), registry)
    return profile, qeframe.read_tasks(profile, tmp_path / "qeframe-demo" / "task", registry)


def test_the_table_of_the_demo(demo, registry):
    table = power_table(power_curves(*demo, registry), "title")
    shown = rows(PAGE, "| better |")
    assert [[cell.text for cell in row] for row in table.rows[: len(shown)]] == shown
    assert len(table.rows) == len(shown) + 4


def test_what_is_said_of_the_influence_on_the_demo(demo, registry):
    profile, tasks = demo
    found = qeframe.evaluate(profile, tasks, settings=["test=", "interval="], influence=2, registry=registry).influence
    assert found is not None
    assert found.fewest is not None
    assert (found.changing, found.fewest.count, found.units) == (0, 5, 500)


def test_the_table_of_wmt14(registry, shared_data):
    path = shared_data("wmt14-qe-task1.2") / "task-1.2.csv"
    found = qeframe.evaluate(
        "wmt14_qe_task1_2", path, settings=["test=", "interval="], influence=5, registry=registry
    ).influence
    assert found is not None
    assert found.units == 208
    assert [
        [one.unit.name, one.unit.texts["gold"], *one.leaders, f"{one.lead:.4f}"] for one in found.winners_without
    ] == rows(PAGE, "| segment |")


@pytest.mark.slow
def test_the_python_runs(tmp_path):
    write_demo("sentence", tmp_path / "qeframe-demo", 2015)
    code = "\n".join(blocks(PAGE, "python"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 8
