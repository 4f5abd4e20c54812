"""The folder of an evaluation."""

import sys

import pytest

import qeframe.report.pages.evaluation_folder as writing
from qeframe.errors import DataError
from qeframe.report import as_latex, as_markdown, as_tsv, comparison_records, leaderboard, score_records, write_report
from qeframe.report.folders.manifest import MANIFEST

TABLES = ["leaderboard.md", "leaderboard.tex", "scores.tsv", "comparisons.tsv", "evaluation.json"]


FIGURES = [f"{k}.{f}" for k in ("significance", "correlations", "distributions", "scatter") for f in ("svg", "png")]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MANIFEST}


def test_everything_is_written_and_listed(evaluation, task, tmp_path):
    report = write_report(evaluation, [task], tmp_path / "new" / "out")
    assert [path.name for path in report.paths] == TABLES + FIGURES
    assert all(path.is_file() for path in report.paths)
    assert set(contents(tmp_path / "new" / "out")) == {*TABLES, *FIGURES}
    assert report.notes == ()


def test_the_files_hold_what_their_names_say(evaluation, tmp_path):
    write_report(evaluation, [], tmp_path, figures=False)
    read = {name: content.decode() for name, content in contents(tmp_path).items()}
    assert read == {
        "leaderboard.md": as_markdown(leaderboard(evaluation)),
        "leaderboard.tex": as_latex(leaderboard(evaluation)),
        "scores.tsv": as_tsv(score_records(evaluation)),
        "comparisons.tsv": as_tsv(comparison_records(evaluation)),
        "evaluation.json": evaluation.to_json(),
    }


def test_two_writes_give_the_same_bytes(evaluation, task, tmp_path):
    for name in ("one", "two"):
        write_report(evaluation, [task], tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_matplotlib_settings_of_the_user_neither_change_figures_nor_are_changed(evaluation, task, tmp_path):
    import matplotlib

    write_report(evaluation, [task], tmp_path / "one")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "none"}):
        write_report(evaluation, [task], tmp_path / "two")
        assert matplotlib.rcParams["font.size"] == 30
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_files_have_no_date_and_no_program(evaluation, task, tmp_path):
    write_report(evaluation, [task], tmp_path)
    for name in FIGURES:
        content = (tmp_path / name).read_bytes()
        assert not any(word in content for word in (b"dc:date", b"dc:creator", b"Software", b"Creation"))


def test_without_matplotlib_only_the_figures_are_missing(evaluation, task, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report = write_report(evaluation, [task], tmp_path)
    assert sorted(contents(tmp_path)) == sorted(TABLES)
    (note,) = report.notes
    assert 'pip install "qeframe[report]"' in note
    assert "\n" not in note


def test_unwanted_figures_are_no_news(evaluation, task, tmp_path):
    assert write_report(evaluation, [task], tmp_path, figures=False).notes == ()


def test_a_folder_with_other_files_is_refused_and_left_alone(evaluation, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(
        DataError, match=r"holds files that no run wrote, or that were changed since: 'notes\.txt'; move"
    ):
        write_report(evaluation, [], tmp_path, figures=False)
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_figures_of_an_earlier_run_are_replaced_with_it(evaluation, task, tmp_path):
    write_report(evaluation, [task], tmp_path)
    write_report(evaluation, [task], tmp_path, figures=False)
    assert sorted(contents(tmp_path)) == sorted(TABLES)


def test_more_files_belong_to_the_result(evaluation, tmp_path):
    for text in (b"one", b"two"):
        write_report(evaluation, [], tmp_path / "out", figures=False, others={"task/gold.txt": text})
        assert (tmp_path / "out" / "task" / "gold.txt").read_bytes() == text


def test_a_figure_that_cannot_be_drawn_leaves_nothing(evaluation, task, tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("drawing failed")

    monkeypatch.setattr(writing, "draw_figures", fail)
    with pytest.raises(RuntimeError, match="drawing failed"):
        write_report(evaluation, [task], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_that_no_encoding_has_are_written_visibly(evaluation_of, scored, tmp_path):
    write_report(evaluation_of([scored("bad\udcff", 1, {"pearson": 0.5})]), [], tmp_path, figures=False)
    assert "bad\\udcff" in (tmp_path / "scores.tsv").read_text(encoding="utf-8")


def test_one_submission_and_no_comparison_is_enough(evaluation_of, scored, task_of, tmp_path):
    alone = evaluation_of([scored("a", 1, {"pearson": 0.5})])
    report = write_report(alone, [task_of({"a": [1.0, 2]}, [1.0, 3])], tmp_path)
    figures = [path.name for path in report.paths if path.suffix == ".png"]
    assert figures == ["distributions.png", "scatter.png"]
