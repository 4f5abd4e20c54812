"""The page of a run, made again from its folder."""

import shutil

import pytest

from qeframe.core.errors import DataError
from qeframe.report import write_report
from qeframe.report.folders.manifest import foreign_files
from qeframe.report.pages.remade_page import remade_page, rewrite_page


def test_the_page_made_again_is_the_page(evaluation, task, over_tasks, tmp_path):
    for made, name, figures in ((evaluation, "one", "svg"), (over_tasks, "two", "none")):
        folder = tmp_path / name
        write_report(made, [task], folder, command="qeframe run", figures=figures)
        page = (folder / "report.html").read_bytes()
        assert remade_page(folder) == page
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
    with pytest.raises(DataError, match="holds files that no run wrote"):
        rewrite_page(tmp_path / "copy")


def test_what_is_no_result_is_refused(evaluation, tmp_path):
    with pytest.raises(DataError, match="is not a folder"):
        remade_page(tmp_path / "none")
    with pytest.raises(DataError, match=r"the folder has no evaluation\.json"):
        remade_page(tmp_path)
    (tmp_path / "evaluation.json").write_text(evaluation.to_json())
    broken = evaluation.to_json().replace('"primary": "pearson",\n      "ranking"', '"ranking"')
    (tmp_path / "evaluation.json").write_text(broken)
    with pytest.raises(DataError, match="'primary' is missing"):
        remade_page(tmp_path)
    (tmp_path / "evaluation.json").write_text(evaluation.to_json())
    (tmp_path / "report.json").write_bytes(b"\xff")
    with pytest.raises(DataError, match="not UTF-8"):
        remade_page(tmp_path)
    (tmp_path / "report.json").unlink()
    (tmp_path / "report.json").mkdir()
    with pytest.raises(DataError, match="not a regular file"):
        remade_page(tmp_path)
