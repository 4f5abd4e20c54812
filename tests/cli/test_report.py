"""``qeframe report``: the page of a result, made again."""

from pathlib import Path

import pytest


@pytest.fixture
def result(qeframe_command, task_folder):
    """Write a result into the folder "r"."""
    assert qeframe_command("run", "qe_sentence", "task", "--set", "interval=", "--out", "r", "--quiet").status == 0
    return Path("r")


def test_the_page_comes_again_without_the_data(qeframe_command, result, task_folder):
    page = (result / "report.html").read_bytes()
    for path in sorted(task_folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    outcome = qeframe_command("report", "r")
    assert (outcome.status, outcome.out) == (0, "")
    assert outcome.err == "qeframe: report.html and the tables written to r\n"
    assert (result / "report.html").read_bytes() == page
    assert b"Distributions" in page


def test_the_page_can_go_elsewhere(qeframe_command, result):
    outcome = qeframe_command("report", "r", "--html", "new/page.html", "--quiet")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    assert Path("new/page.html").read_bytes() == (result / "report.html").read_bytes()


def test_a_table_for_a_paper(qeframe_command, refused, result):
    before = {path.name: path.read_bytes() for path in result.iterdir()}
    outcome = qeframe_command("report", "r", "--latex", "paper/main.tex", "--caption", "Ranks & r", "--label", "main")
    assert (outcome.status, outcome.err) == (0, "qeframe: written to paper/main.tex and paper/main_notes.tex\n")
    table = Path("paper/main.tex").read_text()
    assert r"\caption{Ranks \& r}\label{tab:main}" in table
    assert r"\begin{table*}" in table
    assert Path("paper/main_notes.tex").read_bytes() == before["leaderboard_notes.tex"]
    assert qeframe_command("report", "r", "--latex", "narrow.tex", "--width", "99").status == 0
    assert r"\begin{sidewaystable*}" in Path("narrow.tex").read_text()
    assert before == {path.name: path.read_bytes() for path in result.iterdir()}
    assert "--caption, --label and --width need --latex" in refused("report", "r", "--label", "main")


def test_a_result_that_was_changed_is_refused(refused, result):
    (result / "scores.tsv").write_text("changed")
    assert "holds files that no run wrote, or that were changed since" in refused("report", "r")
