"""The command ratings."""

import json

import pytest

RATED = 'A\t{"errors": [{"category": "x", "severity": "minor"}]}\nA\tNone\nB\t{"errors": []}\nB\t{"errors": []}\n'


@pytest.fixture
def rated(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en-de.mqm.seg.rating").write_text(RATED)
    return "en-de.mqm.seg.rating"


def test_scores_of_segments_are_written(qeframe_command, refused, rated, tmp_path):
    outcome = qeframe_command("ratings", "mqm_ratings(layout=rating)", rated, "--out", "scores")
    assert outcome.status == 0
    assert outcome.out.splitlines()[1].split() == ["en-de", "B", "0.0000", "2", "2"]
    assert "en-de: 1 translation: without a rating" in outcome.err
    written = (tmp_path / "scores" / "en-de.mqm.seg.score").read_text()
    assert [line.split("\t")[1] for line in written.splitlines()[:2]] == ["-1.0", "None"]
    assert "this file is there already" in refused("ratings", "mqm_ratings(layout=rating)", rated, "--out", "scores")


def test_json(qeframe_command, rated):
    found = json.loads(qeframe_command("ratings", "mqm_ratings(layout=rating)", rated, "--json").out)
    assert [row["name"] for row in found["en-de"]["systems"]] == ["B", "A"]
    assert found["en-de"]["systems"][1] == {"name": "A", "ratings": 1, "score": -1.0, "segments": 1}


def test_a_reader_without_ratings_is_refused(refused, rated, tmp_path):
    (tmp_path / "table.tsv").write_text("METRIC\tSID\tSCORE\tRANK\tHUMAN\na\t1\t.5\t1\t.2\na\t2\t.4\t2\t.3\n")
    assert "reads no ratings" in refused("ratings", "graham_table", "table.tsv")
