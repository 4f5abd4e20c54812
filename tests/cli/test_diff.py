"""``qeframe diff``: what changed, in the terminal, as JSON and as files."""

import json

import pytest

from qeframe.cli.shared.demo_files import write_demo
from tests.qeframe.studies.changes.test_evaluation_changes import OLD, evaluation, submission

NEW = evaluation(submission("B", 0.6, 1), submission("A", 0.45, 2, {"de": 0.4, "fr": 0.5}))


@pytest.fixture
def write_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**evaluations):
        for name, kept in evaluations.items():
            (tmp_path / name).mkdir()
            (tmp_path / name / "evaluation.json").write_text(kept.to_json())
        return tmp_path

    return write


@pytest.fixture
def results(write_results):
    return write_results(old=OLD, new=NEW)


def test_tables_json_and_files(qeframe_command, results):
    shown = qeframe_command("diff", "old", "new", "--out", "changes")
    assert (shown.status, shown.err) == (0, "qeframe: 2 files written to changes\n")
    assert "old -> new" in shown.out
    assert "-0.050" in shown.out
    record = json.loads((results / "changes" / "diff.json").read_text())
    assert record == json.loads(qeframe_command("diff", "old", "new/evaluation.json", "--json").out)
    assert [s["rank"] for s in record["submissions"]] == [[2, 1], [1, 2]]
    assert "| A" in (results / "changes" / "diff.md").read_text()


def test_equal_results(qeframe_command, results):
    assert "0 of 2 submissions changed" in qeframe_command("diff", "old", "old").out


def test_what_is_no_result(refused, results):
    assert "missing" in refused("diff", "old", "missing")
    assert "the folder has no evaluation.json" in refused("diff", ".", "new")
    (results / "new" / "evaluation.json").write_text("{}")
    assert refused("diff", "old", "new").startswith("new/evaluation.json: not the JSON of an evaluation")


@pytest.fixture
def versions(tmp_path, qeframe_command, monkeypatch):
    """Two results of a generated task; in the second one a submission answers in reverse order."""
    monkeypatch.chdir(tmp_path)
    for name in ("old", "new"):
        write_demo("sentence", tmp_path / name, 5)
        answers = tmp_path / name / "task" / "submissions" / "Dune.txt"
        if name == "new":
            lines = answers.read_text().splitlines()
            answers.write_text("\n".join([*lines[:400], *lines[:399:-1]]) + "\n")
        settings = ("--set", "test=", "--set", "interval=bootstrap(draws=99)")
        assert qeframe_command("run", "qe_sentence", f"{name}/task", *settings, "--out", f"{name}.out").status == 0
    return tmp_path


def test_the_gate(qeframe_command, refused, versions):
    gate = ("diff", "old.out", "new.out", "--quiet", "--fail-if-worse-than")
    data = ("--data", "old/task", "new/task")
    worse = qeframe_command(*gate, "0", *data, "--json")
    assert worse.status == 1
    judged = {j["submission"]: j for j in json.loads(worse.out)["judgments"]}
    assert [name for name, j in judged.items() if j["worse"]] == ["Dune"]
    assert "baseline" not in judged
    assert judged["Dune"]["method"] == "paired"
    assert qeframe_command(*gate, "1", *data).status == 0
    assert qeframe_command(*gate, "0", *data, "--submission", "Elm-sparse").status == 0
    shown = qeframe_command(*gate, "1")
    assert shown.status == 0
    assert "from the intervals, as if independent" in shown.out
    assert "is not the file from which the old result was made" in refused(*gate, "0", "--data", "new/task", "new/task")
    assert refused("diff", "old.out", "new.out", "--submission", "Dune").endswith("add --fail-if-worse-than LOSS")
    assert "unknown submission 'Dun'" in refused(*gate, "0", "--submission", "Dun")
    assert refused(*gate, "-1").startswith("Invalid value for '--fail-if-worse-than'")
