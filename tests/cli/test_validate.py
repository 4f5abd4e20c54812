"""``qeframe validate``: a submission alone, and against the input of the task."""

import json
from pathlib import Path

import pytest

from qeframe.cli.shared.demo_files import write_demo

ROWS = "en-de\tm\t0\t.5\nen-de\tm\t1\t.25\n"
HEAD = "3264730349\n560145557\n-\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("predictions.txt").write_text(HEAD + ROWS)
    Path("source.txt").write_text("the house\nyes\n")
    Path("longer.txt").write_text("the house\nyes\nno\n")
    return tmp_path


def test_a_valid_submission(qeframe_command, here):
    outcome = qeframe_command("validate", "wmt22_qe_sentence_da", "predictions.txt", "--like", "source.txt")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [
        "predictions.txt is valid for wmt22_qe_sentence_da",
        "",
        "language pair  submission   segments  lowest  highest",
        "-------------  -----------  --------  ------  -------",
        "en-de          predictions         2    0.25      0.5",
        "",
        "segments are those of source.txt",
        "stated: disk_footprint 3264730349, parameters 560145557",
    ]
    alone = qeframe_command("validate", "wmt22_qe_sentence_da", "predictions.txt")
    assert alone.status == 0
    assert "segments not compared: give the input of the task with --like\n" in alone.out


def test_json(qeframe_command, here):
    outcome = qeframe_command("validate", "wmt22_qe_sentence_da", "predictions.txt", "--like", "source.txt", "--json")
    record = json.loads(outcome.out)
    assert (record["profile"], record["input"]) == ("wmt22_qe_sentence_da", "source.txt")
    (part,) = record["parts"]
    assert (part["part"], part["submission"]) == ("en-de", "predictions")
    assert part["found"] == {"segments": 2, "lowest": 0.25, "highest": 0.5}
    assert part["stated"] == {"disk_footprint": 3264730349, "parameters": 560145557}


@pytest.mark.parametrize(
    ("task", "like"), [("sentence", ""), ("word", ""), ("wmt26_task1", "input.jsonl"), ("wmt26_task2", "input.jsonl")]
)
def test_the_submissions_of_the_demo(qeframe_command, here, task, like):
    profile, folder = write_demo(task, here, 2015)
    first, second, *_ = sorted((folder / "submissions").iterdir())
    outcome = qeframe_command("validate", profile, first, "--like", folder / like if like else second)
    assert outcome.status == 0, outcome.err


def test_official_submissions_are_valid(qeframe_command, shared_data):
    words = shared_data("wmt22-qe") / "word/en-de"
    outcome = qeframe_command("validate", "wmt22_qe_word", words / "submissions/NJUQE.txt", "--like", words / "src_tok")
    assert outcome.status == 0, outcome.err
    assert "en-de          NJUQE            511  13577  280" in outcome.out
    outcome = qeframe_command(
        "validate", "wmt22_qe_word", words / "submissions/NJUQE.txt", "--like", words / "submissions/papago.txt"
    )
    assert outcome.status == 0, outcome.err


def test_a_file_for_one_level_of_several(qeframe_command, here):
    refused = qeframe_command("validate", "qe_parts", "predictions.txt")
    assert (refused.status, "give --level: sentence, word, span" in refused.err) == (2, True)
    valid = qeframe_command("validate", "qe_parts", "predictions.txt", "--level", "sentence", "--like", "source.txt")
    assert (valid.status, valid.out.splitlines()[0]) == (0, "predictions.txt is valid for qe_parts")
    assert qeframe_command("validate", "qe_parts", ".", "--level", "word").status == 2


def test_a_table_that_holds_the_gold_is_checked_as_a_whole(qeframe_command, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"s{n},{n},{n + 1},{n % 3}" for n in range(5)]
    Path("t.csv").write_text("\n".join(["id,gold,A,B", *rows, ""]))
    outcome = qeframe_command("validate", "qe", "t.csv")
    assert (outcome.status, outcome.out) == (
        0, "t.csv for qe: 0 mistakes; submissions without one: 2 of 2\n\nvalid: A, B\n"
    )  # fmt: skip
    rows[3] = "s3,3,4,x"
    Path("t.csv").write_text("\n".join(["id,gold,A,B", *rows, ""]))
    assert refused("validate", "qe", "t.csv").startswith("t.csv:5: the B 'x' is not a number")
    assert "the reader 'table' cannot read a submission without the gold" in refused(
        "validate", "qe", "t.csv", "--like", "t.csv"
    )
