"""The page on data of one's own: its table, its folder, and what it says of missing scores."""

import json
import re
import shlex
from pathlib import Path

import pandas
import pytest
from click.testing import CliRunner

import qeframe
from qeframe.cli.app import app
from qeframe.core.errors import DataError

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "evaluate-your-own-data.md"
TEXT = PAGE.read_text(encoding="utf-8")
UNITS = range(1, 61)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.fixture
def table() -> pandas.DataFrame:
    """Return a table with the columns of the page; `system_b` lacks one score."""
    rows = [(i, i + i % 3, i + i % 2, None if i == 4 else i + 9 * (i % 2)) for i in UNITS]
    return pandas.DataFrame(rows, columns=blocks("text")[0].splitlines()[0].split(","))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Return the folder of the page, in the current folder, with ids and one missing line."""
    monkeypatch.chdir(tmp_path)
    for path in map(Path, blocks("text")[1].split()):
        path.parent.mkdir(parents=True, exist_ok=True)
        lacking = 4 if path.name == "system_b.txt" else 0
        path.write_text("".join(f"{i} {i + i % 3}\n" for i in UNITS if i != lacking), encoding="utf-8")
    return tmp_path


def test_the_python_of_the_page_runs(table, tmp_path, run_python):
    table.to_csv(tmp_path / "scores.csv", index=False)
    columns = re.search(r"translations\.csv\"\)  # (.*)", TEXT)[1].split(", ")
    cells = [("en-de", i, s, i * (s == "x") + i % 7, i % 5, i % 7) for i in UNITS for s in "xyz"]
    pandas.DataFrame(cells, columns=columns).to_csv(tmp_path / "translations.csv", index=False)
    printed = run_python("\n".join(blocks("python")))
    assert re.search(r"1  •  system_a +0\.99", printed)
    assert "metric_b" in printed
    assert {path.name for path in (tmp_path / "results").iterdir()} >= {"report.html", "evaluation.json"}


def test_the_rows_that_the_page_shows_are_its_table(tmp_path):
    (tmp_path / "scores.csv").write_text(blocks("text")[0], encoding="utf-8")
    (task,) = qeframe.tasks_from_frame(
        pandas.read_csv(tmp_path / "scores.csv"), unit="segment", gold="human", missing="drop_for_all",
        submissions=["system_a", "system_b"],
    )  # fmt: skip
    assert [(note.count, note.what) for note in task.dropped] == [(1, "unit")]


@pytest.mark.parametrize("missing", ["error", "drop_for_all", "score_as_worst"])
def test_missing_scores(table, missing):
    def made():
        return qeframe.tasks_from_frame(
            table, unit="segment", gold="human", submissions=["system_a", "system_b"], missing=missing
        )

    if missing == "error":
        with pytest.raises(DataError, match=r"segment 4\b"):
            made()
    else:
        (task,) = made()
        kept = len(UNITS) - (missing == "drop_for_all")
        assert {len(batch) for batch in task.batches.values()} == {kept}
        assert [note.count for note in task.dropped] == [1]


def test_groups_tasks_and_long_tables(table):
    rows = table.drop(columns="system_b").assign(doc=table["segment"] // 6, lp="en-de")
    tasks = qeframe.tasks_from_frame(
        rows, unit="segment", gold="human", submissions=["system_a"], task="lp", groups=["doc"]
    )
    settings = ["resample=doc", "secondary=spearman"]
    evaluation = qeframe.evaluate("qe_sentence", tasks, settings=settings)
    assert (list(evaluation.tasks), list(evaluation.metrics)) == (["en-de"], ["pearson", "spearman"])
    long = table.drop(columns="system_b").melt(["segment", "human"], var_name="name", value_name="score")
    (task,) = qeframe.tasks_from_frame(long, unit="segment", gold="human", submission="name", score="score")
    assert [submission.name for submission in task.batches] == ["system_a"]


def test_the_commands_on_tables_run(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table.to_csv("scores.csv", index=False)
    cells = [("en-de", i, s, i * (s == "x") + i % 7, i % 5, i % 7) for i in UNITS for s in "xyz"]
    columns = ["lp", "segment", "system", "human", "metric_a", "metric_b"]
    pandas.DataFrame(cells, columns=columns).to_csv("translations.csv", index=False)
    for line in blocks("sh")[0].splitlines():
        done = CliRunner().invoke(app, shlex.split(line, comments=True)[1:])
        assert done.exit_code == 0, done.output
    for setting in re.findall(r"`--set ([^`]+)`", TEXT.split("In Python")[0]):
        key, _, value = shlex.split(setting)[0].partition("=")
        if key not in ("gold", "reader"):
            assert qeframe.choose_profile("qe", [f"{key}={value}"]).reader != "table"


def test_a_layout_in_a_profile_is_read_and_changed_for_one_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("campaign.toml").write_text(blocks("toml")[0])
    names = "direction;mt;doc;line;expert;crowd;minutes;comet;bleu"
    rows = [
        f"{pair};{system};d{i // 4};{i % 4};{i % 5 + n};{i % 4 + n};{i};{i % 5 + n + i % 2};{i % 3}"
        for pair in ("en-de", "zh-en")
        for n, system in enumerate("xyz")
        for i in range(24)
    ]
    Path("export.txt").write_text("\n".join(["made by our tool", names, *rows]) + "\n")
    found = []
    for line in blocks("sh")[1].splitlines():
        done = CliRunner().invoke(app, [*shlex.split(line)[1:], "--json", "--quiet"])
        assert done.exit_code == 0, done.output
        found.append({each["name"] for each in json.loads(done.stdout)["submissions"]})
    assert found == [{"crowd", "comet", "bleu"}, {"comet", "bleu"}]


def test_the_commands_of_the_page_run(folder):
    complete, dropping, score = [line.split()[1:] for line in blocks("sh")[2].splitlines()]
    assert "segment 4 is missing in system_b" in str(CliRunner().invoke(app, complete).exception)
    for command in (dropping, score):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
    (folder / "my-task/submissions/system_b.txt").unlink()
    assert CliRunner().invoke(app, complete).exit_code == 0
    (folder / "mine").mkdir()
    (folder / "my-task").rename(folder / "mine" / "en-de")
    assert CliRunner().invoke(app, ["run", "qe_sentence", "mine"]).exit_code == 0
