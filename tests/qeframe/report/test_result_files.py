"""The folder of an evaluation."""

import os
import shutil
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qeframe.core.errors import DataError, OutputError
from qeframe.core.runner import Runner
from qeframe.report import (
    as_latex,
    as_markdown,
    as_tsv,
    comparison_records,
    latex_notes,
    leaderboard,
    score_records,
    write_files,
    write_report,
)
from qeframe.report.figures import evaluation_figures
from qeframe.report.folders.manifest import MANIFEST, foreign_files
from qeframe.report.html.evaluation_page import evaluation_page
from qeframe.report.html.facts import page_facts
from qeframe.report.result_files.evaluation_folder import remade_page, rewrite_page
from qeframe.report.result_files.files import write_file
from tests.outcome import failure

TABLES = ["leaderboard.md", "leaderboard.tex", "leaderboard_notes.tex", "scores.tsv", "comparisons.tsv"]
PAGE = ["report.html", "evaluation.json", "report.json", *TABLES]


FIGURES = [f"{kind}.svg" for kind in ("significance", "correlations")]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MANIFEST}


@pytest.fixture(scope="module")
def report(evaluation, task, tmp_path_factory):
    return write_report(evaluation, [task], tmp_path_factory.mktemp("made") / "new" / "out", figures="svg")


@pytest.fixture(scope="module")
def folder(report):
    return report.paths[0].parent


def test_everything_is_written_and_listed(report, folder):
    assert [path.name for path in report.paths] == PAGE + FIGURES
    assert set(contents(folder)) == {*PAGE, *FIGURES}
    assert report.notes == ()
    assert all(f'href="{name}"' in (folder / "report.html").read_text() for name in FIGURES)


def test_the_files_hold_what_their_names_say(evaluation, tmp_path):
    write_report(evaluation, [], tmp_path)
    read = {name: content.decode() for name, content in contents(tmp_path).items()}
    assert read == {
        "report.html": evaluation_page(evaluation, page_facts([])),
        "report.json": page_facts([]).to_json(),
        "leaderboard.md": as_markdown(leaderboard(evaluation)),
        "leaderboard.tex": as_latex(leaderboard(evaluation)),
        "leaderboard_notes.tex": latex_notes(leaderboard(evaluation)),
        "scores.tsv": as_tsv(score_records(evaluation)),
        "comparisons.tsv": as_tsv(comparison_records(evaluation)),
        "evaluation.json": evaluation.to_json(),
    }


def test_bytes_are_the_same_again_whatever_matplotlib_is_set_to_which_stays(evaluation, task, folder, tmp_path):
    import matplotlib

    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "none"}):
        write_report(evaluation, [task], tmp_path, figures="svg")
        assert matplotlib.rcParams["font.size"] == 30
    assert contents(tmp_path) == contents(folder)


def test_files_have_no_date_and_no_program(evaluation, task_of, folder, tmp_path):
    small = task_of({"first": [1.0, 2]}, [1.0, 3])
    drawn = [path for path in write_report(evaluation, [small], tmp_path, figures="png").paths if path.suffix == ".png"]
    for path in [*drawn, *(folder / name for name in FIGURES)]:
        content = path.read_bytes()
        assert not any(word in content for word in (b"dc:date", b"dc:creator", b"Software", b"Creation"))


def test_without_matplotlib_only_the_figures_are_missing(evaluation, task, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report = write_report(evaluation, [task], tmp_path, figures="png")
    assert sorted(contents(tmp_path)) == sorted(PAGE)
    (note,) = report.notes
    assert 'pip install "qeframe[report]"' in note
    assert "\n" not in note


def test_unwanted_figures_are_no_news(evaluation, task, tmp_path):
    assert write_report(evaluation, [task], tmp_path).notes == ()
    assert sorted(contents(tmp_path)) == sorted(PAGE)


def test_a_folder_with_other_files_is_refused_and_left_alone(evaluation, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(
        DataError, match=r"holds files that no run wrote, or that were changed since: 'notes\.txt'; move"
    ):
        write_report(evaluation, [], tmp_path)
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_figures_of_an_earlier_run_are_replaced_with_it(evaluation, task, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "out")
    write_report(evaluation, [task], tmp_path / "out")
    assert sorted(contents(tmp_path / "out")) == sorted(PAGE)


def test_more_files_belong_to_the_result(evaluation, tmp_path):
    for text in (b"one", b"two"):
        write_report(evaluation, [], tmp_path / "out", others={"task/gold.txt": text})
        assert (tmp_path / "out" / "task" / "gold.txt").read_bytes() == text


def test_a_figure_that_cannot_be_drawn_leaves_everything_else(evaluation, task, tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("drawing failed")

    monkeypatch.setattr(evaluation_figures, "correlations_figure", fail)
    with pytest.raises(OutputError, match=r"^correlations\.svg could not be made: RuntimeError: drawing failed; "):
        write_report(evaluation, [task], tmp_path / "out", figures="svg")
    assert sorted(contents(tmp_path / "out")) == sorted([*PAGE, *FIGURES[:-1]])
    assert "correlations.svg" not in (tmp_path / "out" / "report.html").read_text()


def test_names_that_no_encoding_has_are_written_visibly(evaluation_of, scored, tmp_path):
    write_report(evaluation_of([scored("bad\udcff", 1, {"pearson": 0.5})]), [], tmp_path)
    assert "bad\\udcff" in (tmp_path / "scores.tsv").read_text(encoding="utf-8")


def test_one_submission_and_no_comparison_is_enough(evaluation_of, scored, task_of, tmp_path):
    alone = evaluation_of([scored("a", 1, {"pearson": 0.5})])
    report = write_report(alone, [task_of({"a": [1.0, 2]}, [1.0, 3])], tmp_path, figures="png")
    assert [path.name for path in report.paths] == PAGE


def test_of_many_tasks_the_figure_over_all_is_drawn(evaluation, task_of, tmp_path):
    tasks = [task_of({"first": [1.0, 2], "second": [2.0, 1]}, [1.0, 2], f"t{i}") for i in range(9)]
    report = write_report(evaluation, tasks, tmp_path, figures="svg")
    assert [path.name for path in report.paths if path.suffix == ".svg"] == ["significance.svg"]
    assert report.notes == ("no figures of the 9 single tasks: they are drawn of at most 8",)
    seen = []
    counting = Runner(on_progress=lambda *counts: seen.append(counts))
    report = write_report(evaluation, tasks[:2], tmp_path, figures="svg", runner=counting)
    drawn = [path.name for path in report.paths if path.suffix == ".svg"]
    assert drawn == ["significance.svg", "correlations-t0.svg", "correlations-t1.svg"]
    assert report.notes == ()
    assert seen == [(1, 3), (2, 3), (3, 3)]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_files_are_the_whole_content_of_the_folder(tmp_path):
    write_files(tmp_path / "out", {"a": b"1", "b": b"2"})
    write_files(tmp_path / "out", {"b": b"3"})
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == [".qeframe.json", "b"]
    assert (tmp_path / "out" / "b").read_bytes() == b"3"


def test_a_file_in_the_place_of_the_folder_is_one_line(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(DataError) as caught:
        write_files(tmp_path / "out", {"a": b"1"})
    assert str(caught.value) == f"{tmp_path / 'out'}: is a file, not a folder; name a folder"
    assert (tmp_path / "out").read_text() == "a file"


def test_one_file_is_put_in_the_place_of_another(tmp_path):
    (tmp_path / "mine.txt").write_text("kept")
    for content in (b"1", b"2"):
        write_file(tmp_path / "new" / "grid.svg", content)
        write_file(tmp_path / "grid.svg", content)
    assert names(tmp_path) == ["grid.svg", "mine.txt", "new"]
    assert (tmp_path / "grid.svg").read_bytes() == (tmp_path / "new" / "grid.svg").read_bytes() == b"2"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "page.html"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        write_file(pipe, b"page")
        assert read.result(timeout=30) == b"page"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["page.html"]


def test_a_device_stays(monkeypatch):
    replaced = []
    monkeypatch.setattr(os, "replace", lambda *paths: replaced.append(paths))
    write_file(Path(os.devnull), b"page")
    assert replaced == []


def test_the_target_of_a_link_is_written(tmp_path):
    (tmp_path / "www").mkdir()
    (tmp_path / "page.html").symlink_to("www/index.html")
    for content in (b"1", b"2"):
        write_file(tmp_path / "page.html", content)
        assert (tmp_path / "www" / "index.html").read_bytes() == content
    assert (tmp_path / "page.html").is_symlink()
    assert names(tmp_path / "www") == ["index.html"]


def test_one_file_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "grid.svg").write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DataError, match=r"grid\.svg: cannot be written: No space left on device; name another file"):
        write_file(tmp_path / "grid.svg", b"new")
    assert names(tmp_path) == ["grid.svg"]
    assert (tmp_path / "grid.svg").read_text() == "old"


def test_the_page_made_again_is_the_page(evaluation, task, over_tasks, tmp_path):
    for made, name, figures in ((evaluation, "one", "svg"), (over_tasks, "two", "none")):
        folder = tmp_path / name
        write_report(made, [task], folder, command="qeframe run", figures=figures)
        assert remade_page(folder) == (folder / "report.html").read_bytes()
        others = {path.name: path.read_bytes() for path in folder.iterdir()}
        rewrite_page(folder)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == others
        assert foreign_files(folder) == []


def test_a_copy_without_the_facts_has_scores_and_significance(evaluation, task, tmp_path):
    write_report(evaluation, [task], tmp_path / "out")
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "out" / "evaluation.json", tmp_path / "copy")
    page = remade_page(tmp_path / "copy").decode()
    assert "Significance matrix" in page
    assert "Distributions" not in page
    with pytest.raises(
        DataError, match=r"copy: has no \.qeframe\.json, .*; write the page elsewhere by --html FILE, or"
    ):
        rewrite_page(tmp_path / "copy")
    shutil.copy(tmp_path / "out" / ".qeframe.json", tmp_path / "copy")
    (tmp_path / "copy" / "notes.txt").write_text("mine")
    assert "holds files that no run wrote" in failure(DataError, rewrite_page, tmp_path / "copy")


def test_what_is_no_result_is_refused(evaluation, tmp_path):
    assert "is not a folder" in failure(DataError, remade_page, tmp_path / "none")
    assert "the folder has no evaluation.json" in failure(DataError, remade_page, tmp_path)
    (tmp_path / "evaluation.json").write_text(evaluation.to_json())
    broken = evaluation.to_json().replace('"primary": "pearson",\n      "ranking"', '"ranking"')
    (tmp_path / "evaluation.json").write_text(broken)
    assert "'primary' is missing" in failure(DataError, remade_page, tmp_path)
    (tmp_path / "evaluation.json").write_text(evaluation.to_json())
    (tmp_path / "report.json").write_bytes(b"\xff")
    assert "not UTF-8" in failure(DataError, remade_page, tmp_path)
    (tmp_path / "report.json").unlink()
    (tmp_path / "report.json").mkdir()
    assert "not a regular file" in failure(DataError, remade_page, tmp_path)
