"""``qeframe distinguish``: the table, the JSON, and what is refused."""

import json

COMMON = ("distinguish", "qe_sentence", "task", "--quiet", "--draws", "200")


def test_table(qeframe_command, task_folder):
    done = qeframe_command(*COMMON, "--metric", "mae", "--metric", "pearson")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith(": which metrics separate submissions")
    assert {line.split()[0] for line in lines[4:6]} == {"mae", "pearson"}
    assert lines[-1] == "profile:qe_sentence|draws:200|seed:0"


def test_json(qeframe_command, task_folder):
    first, again, other = (qeframe_command(*COMMON, "--json", "--seed", seed).out for seed in (1, 1, 2))
    assert first == again
    record = json.loads(first)
    assert (record["profile"], record["draws"], record["seed"]) == ("qe_sentence", 200, 1)
    assert json.loads(other)["seed"] == 2
    for row in record["metrics"]:
        assert set(row) == {"metric", "beaten", "total", "d", "d_top", "d_bottom", "groups", "submissions"}
        assert row["total"] == sum(row["beaten"].values())
        assert row["submissions"] <= 3


def test_by_default_all_metrics_of_the_profile(qeframe_command, task_folder):
    rows = json.loads(qeframe_command(*COMMON, "--json").out)["metrics"]
    shown = json.loads(qeframe_command("run", "qe_sentence", "task", "--json", "--quiet").out)
    assert [row["metric"] for row in rows] == shown["metrics"]


def test_too_few_draws_are_refused(refused, task_folder):
    message = refused("distinguish", "qe_sentence", "task", "--quiet", "--draws", "10")
    assert message == "10 draws cannot reach 0.05 / 3 pairs; ask for at least 60 draws"
