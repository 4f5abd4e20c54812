"""``qeframe trace``: the way from files to a number, checked by hand against the files."""

import contextlib
import hashlib
import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from qeframe.cli import main

PROFILE = "wmt22_qe_sentence"
UNITS = 60


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Two language pairs of four teams, of which one is in the first pair alone; evaluated into the folder out."""
    here = tmp_path_factory.mktemp("evaluated")
    draw = random.Random(7)
    for pair in ("en-de", "ro-en"):
        gold = [draw.random() for _ in range(UNITS)]
        folder = here / "data" / pair / "submissions"
        folder.mkdir(parents=True)
        (folder.parent / "gold.txt").write_text("".join(f"{value}\n" for value in gold))
        for team in range(1, 5):
            rows = [f"{pair}\tm\t{i}\t{value + draw.gauss(0, 0.1 * team):.4f}" for i, value in enumerate(gold)]
            if (pair, team) != ("ro-en", 4):
                (folder / f"t{team}.tsv").write_text("\n".join(["1", "2", "1", *rows]) + "\n")
    settings = ("--set", "test=valid", "--set", "across=weighted", "--set", "weights={en-de=3,ro-en=1}")
    with contextlib.chdir(here):
        main(["run", PROFILE, "data", *settings, "--out", "out", "--quiet"])
    return here


@pytest.fixture
def result(evaluated, tmp_path, monkeypatch):
    """The folder out in a copy, which is the working folder."""
    monkeypatch.chdir(shutil.copytree(evaluated, tmp_path / "copy"))
    return Path("out")


def spearman(pair, team):
    """Spearman's correlation of the lines of two files, by hand: there are no ties."""
    gold = [float(line) for line in Path(f"data/{pair}/gold.txt").read_text().split()]
    lines = Path(f"data/{pair}/submissions/{team}.tsv").read_text().splitlines()[3:]
    answers = [float(line.split("\t")[3]) for line in lines]
    ranks = [np.argsort(np.argsort(values)) for values in (gold, answers)]
    return float(np.corrcoef(*ranks)[0, 1])


def test_the_number_follows_from_the_files(qeframe_command, result):
    record = json.loads(qeframe_command("trace", result, "t2", "--json").out)
    scores = {task["name"]: task["result"]["value"] for task in record["tasks"]}
    assert scores == pytest.approx({pair: spearman(pair, "t2") for pair in ("en-de", "ro-en")}, abs=1e-3)
    assert {task["name"]: task["share"] for task in record["tasks"]} == {"en-de": 0.75, "ro-en": 0.25}
    assert record["sum"] == pytest.approx(0.75 * scores["en-de"] + 0.25 * scores["ro-en"])
    assert record["sum"] == pytest.approx(record["result"]["value"])
    own = [f"{pair}/submissions/t2.tsv" for pair in ("en-de", "ro-en")]
    assert {file["path"]: file["sha256"] for file in record["own"]} == {
        path: hashlib.sha256((Path("data") / path).read_bytes()).hexdigest() for path in own
    }
    assert [file["path"] for file in record["others"]] == ["en-de/gold.txt", "ro-en/gold.txt"]
    assert {frozenset((pair["a"], pair["b"])) for pair in record["comparisons"]} == {
        frozenset(("t1", "t2")),
        frozenset(("t2", "t3")),
    }


def test_as_text(qeframe_command, result):
    outcome = qeframe_command("trace", result, "t2", "--data", "data")
    assert outcome.status == 0
    for said in ("rank 2 of 3", "0.75 x ", "rank set: from 1 + ", "missing: error", "all are those that were read"):
        assert said in outcome.out
    assert "weighted" in outcome.out


def test_the_tasks_are_in_the_order_of_the_profile(qeframe_command, result):
    more = ("--set", "task_order=[ro-en]", "--out", "other", "--quiet")
    assert qeframe_command("run", PROFILE, "data", *more).status == 0
    assert [task["name"] for task in json.loads(qeframe_command("trace", "other", "t2", "--json").out)["tasks"]] == [
        "ro-en",
        "en-de",
    ]


def test_a_file_that_was_changed(qeframe_command, result):
    Path("data/en-de/submissions/t2.tsv").write_text("other\n")
    Path("data/ro-en/gold.txt").unlink()
    outcome = qeframe_command("trace", result, "t2", "--data", "data")
    assert outcome.status == 1
    assert "en-de/submissions/t2.tsv: has another content" in outcome.out
    assert "ro-en/gold.txt: is not there" in outcome.out


def test_a_team_that_lacks_a_pair(qeframe_command, result):
    out = qeframe_command("trace", result, "t4").out
    assert out.startswith("t4 under spearman: undefined, no rank over all tasks\n")
    assert "no submission in ro-en; ranked in en-de" in out
    assert "ahead by score" not in out
    assert "not compared over all tasks; the comparisons in each:" in out
    assert " in en-de: difference " in out


def test_a_secondary_metric(qeframe_command, result):
    record = json.loads(qeframe_command("trace", result, "t2", "mae", "--json").out)
    assert record["comparisons"] == []
    assert "a secondary metric" in qeframe_command("trace", result, "t2", "mae").out


def test_names_that_are_not_there(refused, result):
    assert refused("trace", result, "t9").startswith("unknown submission 't9'")
    assert refused("trace", result, "t1", "bleu").startswith("unknown metric 'bleu'")


def test_a_submission_that_was_left_out(qeframe_command, refused, result):
    assert qeframe_command("run", PROFILE, "data", "--exclude", "t3=late", "--out", "less", "--quiet").status == 0
    assert "t3 has no number: en-de, ro-en left out by --exclude (late)" in refused("trace", "less", "t3")


def test_a_submission_that_was_entered(qeframe_command, result):
    """It has its file, its family and its rank among the others and itself; theirs have no pair of it."""
    file = Path("mine.tsv")
    given = Path("data/en-de/submissions/t2.tsv").read_text().splitlines()
    file.write_text(
        "\n".join([*given[:3], *(f"{line.rpartition(chr(9))[0]}\t{i % 7}" for i, line in enumerate(given[3:]))])
    )
    enter = ("--enter", f"mine={file}", "--set", "test=valid", "--out", "entered", "--quiet")
    assert qeframe_command("run", PROFILE, "data/en-de", *enter).status == 0
    record = json.loads(qeframe_command("trace", "entered", "mine", "--json").out)
    assert record["own"] == [{"path": "mine.tsv", "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}]
    pairs = {frozenset((pair["a"], pair["b"])) for pair in record["comparisons"]}
    assert pairs == {frozenset(("mine", f"t{team}")) for team in range(1, 5)}
    outcome = qeframe_command("trace", "entered", "mine", "--data", "data/en-de")
    assert outcome.status == 0
    for said in ("rank 5 of 5", "rank set: from 1 + 4 ", "worse than t1: difference", "mine.tsv  sha256"):
        assert said in outcome.out
    assert "mine" not in qeframe_command("trace", "entered", "t2").out
    rows = [line.split("\t") for line in Path("entered/comparisons.tsv").read_text().splitlines()]
    assert rows[0][-1] == "entered"
    assert [row[-1] for row in rows[1:]] == [""] * 6 + ["mine"] * 4


def test_a_team_with_a_broken_file(qeframe_command, result):
    broken = Path("data/ro-en/submissions/t3.tsv")
    broken.write_text("\n".join(broken.read_text().splitlines()[3:]))
    options = ("--skip-invalid", "--exclude", "t1=late", "--out", "less", "--quiet")
    assert qeframe_command("run", PROFILE, "data", *options).status == 1
    said = "t3: ro-en left out by --skip-invalid (line 1: 0 header lines of one column instead of 3); ranked in en-de"
    assert f"- {said}" in Path("less/leaderboard.md").read_text().replace("\\", "")
    assert "- t1: en-de, ro-en left out by --exclude (late)\n" in Path("less/leaderboard.md").read_text()
    out = qeframe_command("trace", "less", "t3").out
    assert "  left out by --skip-invalid: t3 (ro-en/submissions/t3.tsv): line 1: 0 header lines" in out
    assert f"  {said.removeprefix('t3: ')}" in out
    assert "nothing was dropped" not in out
    record = json.loads(qeframe_command("trace", "less", "t3", "--json").out)
    assert [each["files"] for each in record["left_out"]] == [["ro-en/submissions/t3.tsv"]]
    assert record["ahead"] == []


def test_the_aggregate_of_its_own_tasks_can_be_followed(qeframe_command, result):
    options = ("--set", "partial=mean_of_own", "--out", "own", "--quiet")
    weights = ("--set", "across=weighted", "--set", "weights={en-de=3,ro-en=1}")
    assert qeframe_command("run", PROFILE, "data", *weights, *options).status == 0
    record = json.loads(qeframe_command("trace", "own", "t4", "--json").out)
    assert [task["share"] for task in record["tasks"]] == [1]
    assert record["result"]["value"] == record["tasks"][0]["result"]["value"]
    assert "t4: no submission in ro-en; ranked in en-de" in Path("own/leaderboard.md").read_text()
