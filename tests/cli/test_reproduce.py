"""``qeframe reproduce``: layouts, exit status, and tables without data."""

import json

import pytest

from qeframe.data.places import RECORD, description
from qeframe.data.published import beside_profiles
from qeframe.data.published.data_source import DataSource, SourceFile
from qeframe.data.published.published_table import PublishedTable

SOURCE = DataSource(name="made_task", summary="", files=[SourceFile(url="https://example.org/a", path="gold.txt")])


def table(name, **changed):
    base = {
        "summary": "made values", "source": "A paper", "data": "made_task", "paths": ["task"],
        "profile": "qe_sentence", "columns": [{"title": "MAE", "metric": "mae"}],
    }  # fmt: skip
    return PublishedTable(name=name, **{**base, **changed})


@pytest.fixture(autouse=True)
def tables(monkeypatch, task_folder, tmp_path):
    """Have tables of which some lack their data."""
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path / "cache"))
    made = [
        table("right", rows={"good": [".067"]}),
        table("wrong", rows={"good": [".5"], "fair": [".175"]}),
        table("absent", paths=["nowhere"], rows={"good": [".5"]}),
        table("of_its_own", paths=["."], rows={"good": [".067"]}),
        table("not_fetchable", data="", paths=["none"], rows={"good": [".5"]}),
    ]
    monkeypatch.setattr(beside_profiles, "find_data_sources", lambda registry: {SOURCE.name: SOURCE})
    monkeypatch.setattr(
        beside_profiles, "find_published_tables", lambda registry: {each.name: each for each in sorted(made, key=str)}
    )


def test_a_table_that_is_reproduced(qeframe_command, tmp_path):
    outcome = qeframe_command("reproduce", "right", "--data", tmp_path)
    assert outcome.status == 0
    assert outcome.out.startswith("right: made values\n")
    (row,) = [line.split() for line in outcome.out.splitlines() if line.startswith("good")]
    assert row[:3] + row[5:] == ["good", "MAE", ".067", "equal"]
    assert "published in: A paper; data: made_task" in outcome.out
    assert outcome.err == ""


def test_a_table_that_differs_has_exit_status_1(qeframe_command, tmp_path):
    outcome = qeframe_command("reproduce", "wrong", "--data", tmp_path)
    assert outcome.status == 1
    assert "differs*" in outcome.out


def test_the_page_is_written_whatever_the_exit_status(qeframe_command, tmp_path):
    assert qeframe_command("reproduce", "wrong", "--data", tmp_path, "--html", tmp_path / "new" / "r.html").status == 1
    page = (tmp_path / "new" / "r.html").read_text(encoding="utf-8")
    assert "<strong>differs</strong>" in page
    assert "<h1>wrong</h1>" in page


def test_all_tables(qeframe_command, tmp_path):
    outcome = qeframe_command("reproduce", "--data", tmp_path)
    assert outcome.status == 1
    assert outcome.out.startswith("Published values beside computed values\n")
    assert "\nwrong: made values\n" in outcome.out
    assert "right: made values" not in outcome.out
    lines = outcome.err.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["absent", "not_fetchable", "of_its_own"]
    assert "'qeframe fetch made_task' downloads them" in lines[0]
    assert "--data" in lines[1]


def test_layouts(qeframe_command, tmp_path):
    markdown = qeframe_command("reproduce", "--data", tmp_path, "--format", "markdown", "--quiet")
    assert markdown.err == ""
    assert [line for line in markdown.out.splitlines() if line.startswith("#")] == [
        "# Published values beside computed values", "## right: made values", "## wrong: made values",
    ]  # fmt: skip
    tsv = qeframe_command("reproduce", "wrong", "--data", tmp_path, "--format", "tsv").out.splitlines()
    assert tsv[0].split("\t") == ["table", "row", "column", "published", "computed", "difference", "verdict", "reason"]
    assert len(tsv) == 3
    (record,) = json.loads(qeframe_command("reproduce", "wrong", "--data", tmp_path, "--format", "json").out)
    assert [value["verdict"] for value in record["values"]] == ["differs", "equal"]
    assert record["profile"] == "qe_sentence"


def test_the_folder_itself_is_the_data_of_one_table(qeframe_command, task_folder):
    assert qeframe_command("reproduce", "of_its_own", "--data", task_folder).status == 0


def test_fetched_data(qeframe_command, task_folder, tmp_path):
    (tmp_path / "cache").mkdir()
    task_folder.rename(tmp_path / "cache" / "made_task")
    (tmp_path / "cache" / "made_task" / RECORD).write_text(description(SOURCE))
    assert qeframe_command("reproduce", "of_its_own").status == 0


def test_without_data(refused, tmp_path):
    assert refused("reproduce", "right") == ("right: its data are not there; 'qeframe fetch made_task' downloads them")
    assert "the data of no published table are there" in refused("reproduce")
    assert "has no nowhere" in refused("reproduce", "absent", "--data", tmp_path)
    assert "is not a folder" in refused("reproduce", "right", "--data", tmp_path / "none")
    assert "did you mean 'right'?" in refused("reproduce", "rght", "--data", tmp_path)
