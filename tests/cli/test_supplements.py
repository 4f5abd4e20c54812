"""What ``qeframe run`` and ``qeframe compare`` give on request: equivalence, detectable differences, influence."""

import json

import pytest


@pytest.fixture
def task(noisy_task):
    return noisy_task(30, {"good": 0.5, "fair": 0.6, "poor": 3.0})


RUN = ("run", "qe_sentence", "task", "--quiet", "--set", "test=jackknife")


def test_nothing_unless_asked_for(qeframe_command, task):
    record = json.loads(qeframe_command(*RUN, "--json").out)
    assert not {"detectable", "influence"} & set(record)
    assert {pair["equivalence"] for pair in record["comparisons"]} == {None}


def test_detectable(qeframe_command, task):
    out = qeframe_command(*RUN, "--detectable").out
    assert "detectable" in out.splitlines()[2]
    assert "detectable: the smallest difference from " in out
    found = json.loads(qeframe_command(*RUN, "--detectable", "--json").out)["detectable"]
    assert (found["power"], found["reason"]) == (0.8, "")
    assert found["from_leader"][found["leader"]] is None
    assert all(value > 0 for name, value in found["from_leader"].items() if name != found["leader"])


def test_equivalence(qeframe_command, task):
    assert "verdict" in qeframe_command(*RUN, "--equivalence", "0.4").out
    verdicts = {
        frozenset((c["a"], c["b"])): c["equivalence"]["verdict"]
        for c in json.loads(qeframe_command(*RUN, "--equivalence", "0.4", "--json").out)["comparisons"]
    }
    assert verdicts[frozenset(("good", "fair"))] == "equivalent"
    assert verdicts[frozenset(("good", "poor"))] == "different"


def test_influence(qeframe_command, task):
    assert "segments that move a score most" in qeframe_command(*RUN, "--influence").out
    found = json.loads(qeframe_command(*RUN, "--json", "--influence", "2").out)["influence"]
    assert {len(moved) for moved in found["moved"].values()} == {2}
    assert (found["units"], found["unit"]) == (30, "segment")
    gold = [float(line) for line in (task / "gold.txt").read_text().splitlines()]
    units = [one["unit"] for moved in found["moved"].values() for one in moved]
    assert all(unit["texts"]["gold"] == f"{gold[int(unit['name']) - 1]:g}" for unit in units), "lines count from 1"


def test_every_table_calls_a_unit_by_its_line(qeframe_command, task):
    record = json.loads(qeframe_command(*RUN, "--json", "--explain", "--influence", "30").out)
    moved = {one["unit"]["name"] for one in record["influence"]["moved"]["poor"]}
    assert moved == set(map(str, range(1, 31)))
    scores = next(each["scores"] for each in record["submissions"] if each["name"] == "poor")
    worst = scores[record["primary"]]["details"]["worst_units"]
    assert worst
    assert all(unit["name"] == str(unit["id"] + 1) for unit in worst)
    out = qeframe_command(*RUN, "--explain", "--influence").out
    assert out.count("its name or number in the files; without one its line, from 1") == 2


def test_files(qeframe_command, task, tmp_path, monkeypatch):
    monkeypatch.setattr("qeframe.report.result_files.evaluation_folder.available", lambda: False)
    done = qeframe_command(*RUN, "--influence", "3", "--detectable", "--equivalence", "0.4", "--out", "out")
    assert done.status == 0
    written = {path.name: path.read_text() for path in (tmp_path / "out").iterdir() if path.suffix in {".md", ".tex"}}
    assert {"comparisons.md", "comparisons.tex", "influence.md", "influence.tex"} <= set(written)
    assert "detectable" in written["leaderboard.md"]
    assert "detectable" in written["leaderboard.tex"]
    assert "equivalent" in written["comparisons.md"]
    assert "verdict" in (tmp_path / "out" / "comparisons.tsv").read_text().splitlines()[0]


def test_compare(qeframe_command, files):
    arguments = ("compare", "mae", "gold.txt", "a.txt", "b.txt", "--test", "randomization", "--quiet")
    (pair,) = json.loads(qeframe_command(*arguments, "--equivalence", "0.5", "--json").out)["comparisons"]
    assert (pair["equivalence"]["verdict"], pair["equivalence"]["p"]) == ("not determined", None), "six units are few"
    assert "not determined" in qeframe_command(*arguments, "--equivalence", "0.5").out
