"""The page on submissions of one's own: its Python and its commands run on a generated task, and say what it says."""

import random
import re
from pathlib import Path

import pytest

import qeframe
from qeframe.cli import main
from qeframe.core.reader import ExampleRequest, Reader
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.registered import REGISTRY

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "enter-your-own-submission.md"
TEXT = PAGE.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Write the tasks of the page, and files to enter: noise."""
    monkeypatch.chdir(tmp_path)
    reader = with_example(REGISTRY.get(Reader, qeframe.choose_profile("wmt23_metrics_segment").reader), REGISTRY)
    reader.write_example(Path("wmt23"), ExampleRequest(seed=1, pairs=1))
    draw = random.Random(3)
    lines = next(Path("wmt23/metric-scores").glob("*/*.seg.score")).read_text().splitlines()
    Path("mine.seg.score").write_text("".join(f"{line.split()[0]}\t{draw.random()}\n" for line in lines))
    return tmp_path


def test_the_python_of_the_page_runs(folder, run_python):
    printed = run_python("\n".join(blocks("python"))).splitlines()
    assert re.match(
        r"mine takes rank \d+ of \d+\. It beats .* By rules that limit .* known transformations", printed[0]
    )
    assert printed[1] == re.search(r"rank (\d+)", printed[0])[1]


def test_the_command_of_the_page_writes_where_it_stands(folder, capsys):
    command, _ = blocks("sh")[0].splitlines()
    main(command.split()[1:])
    assert "mine takes rank" in capsys.readouterr().out
    page = Path("results/report.html").read_text()
    assert "Entered alone" in page
    assert "mine takes rank" in page
