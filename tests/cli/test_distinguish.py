"""``qeframe distinguish``: the table, the JSON, the files, the tables by attacks and by sampling, what is refused."""

import json
from pathlib import Path

import pytest

from tests.schema import check_schema

COMMON = ("distinguish", "qe_sentence", "task", "--quiet", "--draws", "200")
ATTACKED = (*COMMON, "--by-attacks")


def test_table(qeframe_command, task_folder):
    done = qeframe_command(*COMMON, "--metric", "mae", "--metric", "pearson")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith(": which metric tells submissions apart")
    assert {line.split()[0] for line in lines[4:6]} == {"mae", "pearson"}
    assert lines[-1] == "profile:qe_sentence|splits:200|seed:0"


def test_files_and_json(qeframe_command, task_folder):
    outcome = qeframe_command(*COMMON, "--metric", "mae", "--gaming", "--json", "--out", "found")
    assert outcome.status == 0
    layouts = {"distinguish.json", "distinguish.md", "distinguish.tex", "distinguish.tsv"}
    assert layouts <= {path.name for path in Path("found").iterdir()}
    titles = Path("found/distinguish.tsv").read_text().splitlines()[0].split("\t")
    assert titles[:4] == ["metric", "pairs told apart", "agreement of halves", "gaming index"]
    written = Path("found/distinguish.json").read_text()
    check_schema(json.loads(written), "distinguish")
    assert outcome.out == written
    (row,) = json.loads(written)["metrics"]
    assert (row["metric"], row["gamed"]["submissions"], row["verdicts"]["pairs"]) == ("mae", 3, 3)


def test_metrics_of_the_kind_and_no_gaming(qeframe_command, task_folder, monkeypatch):
    monkeypatch.setattr("qeframe.studies.metric_study.other_metrics", lambda *_: ["mae"])
    rows = json.loads(qeframe_command(*COMMON, "--metric", "pearson", "--all-metrics", "--json").out)["metrics"]
    assert [row["metric"] for row in rows] == ["pearson", "mae"]
    assert all(row["gamed"] is None for row in rows)


def test_by_default_all_metrics_of_the_profile(qeframe_command, task_folder):
    shown = json.loads(qeframe_command("run", "qe_sentence", "task", "--json", "--quiet").out)
    for command in (COMMON, ATTACKED):
        rows = json.loads(qeframe_command(*command, "--json").out)["metrics"]
        assert [row["metric"] for row in rows] == shown["metrics"]


def test_table_by_attacks(qeframe_command, task_folder):
    done = qeframe_command(*ATTACKED, "--metric", "mae", "--metric", "pearson")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith(": which metrics separate submissions")
    assert {line.split()[0] for line in lines[4:6]} == {"mae", "pearson"}
    assert lines[-1] == "profile:qe_sentence|draws:200|seed:0"


def test_json_by_attacks(qeframe_command, task_folder):
    first, again, other = (qeframe_command(*ATTACKED, "--json", "--seed", seed).out for seed in (1, 1, 2))
    assert first == again
    record = json.loads(first)
    assert (record["profile"], record["draws"], record["seed"]) == ("qe_sentence", 200, 1)
    assert json.loads(other)["seed"] == 2
    for row in record["metrics"]:
        assert set(row) == {"metric", "beaten", "total", "d", "d_top", "d_bottom", "groups", "submissions"}
        assert row["total"] == sum(row["beaten"].values())
        assert row["submissions"] <= 3


def test_what_was_left_out_is_told(qeframe_command, task_folder):
    lenient = ("--set", "missing=drop_for_all", "--draws", "200", "--metric", "mae")
    for path in task_folder.rglob("*.txt"):
        path.write_text("".join(f"{n}\t{line}\n" for n, line in enumerate(path.read_text().split())))
    (task_folder / "submissions" / "long.txt").write_text("".join(f"{n}\t0.1\n" for n in range(7)))
    told = qeframe_command("distinguish", "qe_sentence", "task", *lenient)
    assert "qeframe: warning: dropped in task: 1 answer, extra in long, not in the gold" in told.err
    record = json.loads(qeframe_command("distinguish", "qe_sentence", "task", *lenient, "--json", "--quiet").out)
    assert [(each["count"], each["what"]) for each in record["dropped"]] == [(1, "answer")]


SAMPLED = ("distinguish", "qe_word", "made/task", "--by-sampling", "--quiet", "--draws", "300", "--base", "8")


@pytest.fixture
def word_task(qeframe_command, task_folder):
    """Generate a word-level task; a system of it knows each tag with some probability."""
    qeframe_command("demo", "word", "--quiet", "--json", "--out", "made")


def test_by_sampling(qeframe_command, word_task):
    chosen = ("--metric", "mcc", "--metric", "seqcor", "--gap", "0.05", "--gap", "0.2")
    done = qeframe_command(*SAMPLED, *chosen)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith("task: samples that tell qualities apart")
    assert lines[2].split() == ["metric", "8", "–", "8.05", "%", "8", "–", "8.2", "%"]
    assert {line.split()[0] for line in lines[4:6]} == {"mcc", "seqcor"}
    assert lines[-1] == "profile:qe_word|task:task|of:wrong|draws:300|seed:0"
    both = [json.loads(qeframe_command(*SAMPLED, *chosen, "--json", "--workers", count).out) for count in ("1", "2")]
    assert both[0] == both[1]
    (task,) = both[0]["tasks"]
    assert [entry["what"] for entry in both[0]["dropped"]] == []
    assert (both[0]["gaps"], both[0]["of"], task["name"], task["submissions"]) == ([0.05, 0.2], "wrong", "task", 6)
    for metric in task["metrics"]:
        for least in metric["least"]:
            assert len(least["mean_p"]) == len(both[0]["sizes"]) == 7
            assert least["size"] is None or least["mean_p"][both[0]["sizes"].index(least["size"])] <= 0.05


def test_by_sampling_refuses_other_data_and_thresholds(refused, word_task):
    assert "some data sets do not reach 30 % even with all sentences tagged by submissions: they then reach" in refused(
        *SAMPLED[:-1], "30"
    )
    assert "metric 'pearson' works on Scores, not on Tags" in refused(*SAMPLED, "--metric", "pearson")
    no_tags = refused("distinguish", "qe_sentence", "task", "--by-sampling", "--quiet")
    assert no_tags == "task 'task' has no tags: --by-sampling draws sentences with tags; give a word-level task"
    for option, value in (("--gap", "0.05"), ("--base", "20"), ("--of", "bad"), ("--step", "100")):
        told = refused("distinguish", "qe_word", "made/task", option, value)
        assert f"{option}: part of --by-sampling" in told
    assert "the step must lie from 2" in refused(*SAMPLED, "--step", "1")


def test_a_task_set_has_a_table_for_each_level(qeframe_command, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [("system", "segment", "human", "comet", "bleu")]
    rows += [
        (s, i, (i * 7 + n * 3) % 11, (i * 7 + n * 2) % 11, (i * n) % 5) for n, s in enumerate("ABCD") for i in range(9)
    ]
    Path("t.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    both = ("distinguish", "metrics", "t.csv", "--quiet", "--draws", "200")
    outcome = qeframe_command(*both, "--json")
    record = json.loads(outcome.out)
    check_schema(record, "distinguish")
    metrics = [[row["metric"] for row in one["metrics"]] for one in record["selections"]]
    assert metrics == [["pairwise_accuracy", "system_pearson"], ["segment_pearson", "acc_eq"]]
    assert [one["title"].rpartition(", ")[2] for one in record["selections"]] == ["system", "segment"]
    assert len(record["selections"][1]["dropped"]) == len(record["selections"][0]["dropped"])
    (alone,) = json.loads(qeframe_command(*both, "--metric", "segment_pearson", "--json").out)["selections"]
    assert alone["metrics"] == record["selections"][1]["metrics"][:1]
    assert len(json.loads(qeframe_command(*both, "--by-attacks", "--json").out)["selections"]) == 2
    assert "unknown metric of the parts of 'metrics' 'mae'" in refused(*both, "--metric", "mae")
    told = refused("audit", "metrics", "t.csv", "--quiet")
    assert "name metrics of one after the path: 'pairwise_accuracy system_pearson' or 'segment_pearson acc_eq'" in told
    of_one = ("audit", "metrics", "t.csv", "acc_eq", "--attack", "shrink", "--no-claims", "--quiet", "--json")
    audited = json.loads(qeframe_command(*of_one).out)
    assert [each["metric"] for each in audited["metrics"]] == ["acc_eq"]
