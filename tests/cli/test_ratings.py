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
    outcome = qeframe_command("ratings", "mqm_ratings(layout=rating)", rated, "--out", "scores", "--format", "mtme")
    assert outcome.status == 0
    assert outcome.out.splitlines()[1].split() == ["en-de", "B", "0.0000", "2", "2"]
    assert "en-de: 1 translation: without a rating" in outcome.err
    written = (tmp_path / "scores" / "en-de.mqm.seg.score").read_text()
    assert [line.split("\t")[1] for line in written.splitlines()[:2]] == ["-1.0", "None"]
    again = ("ratings", "mqm_ratings(layout=rating)", rated, "--out", "scores", "--format", "mtme")
    assert "this file is there already" in refused(*again)
    assert qeframe_command(*again[:-2]).status == 0
    published = (tmp_path / "scores" / "en-de.mqm.avg_seg_scores.tsv").read_text().splitlines()
    assert published == [
        "system mqm_avg_score seg_id", "A\t-1.000000 1", "A\tNone 2", "B\t-0.000000 1", "B\t-0.000000 2",
    ]  # fmt: skip


def test_json(qeframe_command, rated):
    found = json.loads(qeframe_command("ratings", "mqm_ratings(layout=rating)", rated, "--json").out)
    assert [row["name"] for row in found["en-de"]["systems"]] == ["B", "A"]
    assert found["en-de"]["systems"][1] == {"name": "A", "ratings": 1, "score": -1.0, "segments": 1}


@pytest.mark.parametrize("ending", ["", ".tar.gz"])
def test_a_published_table_and_its_archive(qeframe_command, shared_data, tmp_path, ending):
    (path,) = shared_data("mqm-side-by-side-2023").rglob(f"sxs_*.tsv{ending}")
    assert qeframe_command("ratings", "mqm_ratings", path, "--out", tmp_path / "scores").status == 0
    (file,) = (tmp_path / "scores").iterdir()
    assert file.name == "sxs_mqm_generalMT2023_ende.mqm.avg_seg_scores.tsv"
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "system mqm_avg_score seg_id"
    assert len(lines) == 71
    assert "ONLINE-W\t-0.000000 1" in lines


def test_every_segment_in_order(qeframe_command, tmp_path):
    rows = [
        "system doc doc_id seg_id rater source target score",
        "B d 1 3 r1 s t 6",
        "B d 1 3 r2 s t 5",
        "A d 1 1 r1 s t 0",
    ]
    (tmp_path / "psqm.tsv").write_text("\n".join(row.replace(" ", "\t") for row in rows))
    words = ("ratings", "sqm_ratings(segments=4)", tmp_path / "psqm.tsv", "--out", tmp_path / "o")
    assert qeframe_command(*words).status == 0
    assert (tmp_path / "o" / "psqm.sqm.avg_seg_scores.tsv").read_text().splitlines() == [
        "system sqm_avg_score seg_id", "B\tNone 1", "B\tNone 2", "B\t5.500000 3", "B\tNone 4", "A\t0.000000 1",
        "A\tNone 2", "A\tNone 3", "A\tNone 4",
    ]  # fmt: skip
