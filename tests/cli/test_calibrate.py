"""The command calibrate."""

import json
import shlex

import attrs
import pytest

from qeframe.core.evaluation.canonical_json import plain_values
from qeframe.studies.calibration_pages import Question, answer


def test_calibrate(qeframe_command):
    outcome = qeframe_command("calibrate", "jackknife", "mean", "--units", "20", "--runs", "4", "--json")
    rows = json.loads(outcome.out)["rows"]
    assert {row["null"] for row in rows} >= {"independent_values", "values_in_documents"}
    assert all(row["runs"] == 4 for row in rows)
    table = qeframe_command("calibrate", "williams", "pearson", "--null", "mqm_like", "--units", "20", "--runs", "3")
    assert "mqm_like" in table.out
    assert "Wilson" in table.out


def test_the_signature_repeats_the_result(qeframe_command):
    common = shlex.split("calibrate jackknife mean --units 20 --units 30 --runs 3 --null independent_values")
    lines = {
        options: qeframe_command(*common, *options.split()).out.splitlines()[-1]
        for options in ("", "--leader", "--sided one", "--alpha 0.1", "--correction holm --submissions 3")
    }
    assert len(set(lines.values())) == len(lines), "what changes the rates changes the signature"
    plain = lines[""].strip().partition("|")[2]
    assert plain == (
        "test:jackknife|metric:mean|null:independent_values|units:20,30|runs:3|sided:two|leader:no|resample:unit|"
        "alpha:0.05|seed:0"
    )
    assert "correction:holm|submissions:3" in lines["--correction holm --submissions 3"]


def test_the_page(qeframe_command, tmp_path):
    given = ("calibrate", "williams", "pearson", "--null", "mqm_like", "--units", "20", "--runs", "3", "--json")
    assert json.loads(qeframe_command(*given, "--html", tmp_path / "c.html").out)["runs"] == 3
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert "<h1>williams on pearson: measured error rates</h1>" in page
    assert "qeframe calibrate williams pearson --null mqm_like --units 20 --runs 3" in page


def test_mistakes(refused):
    assert "are not equal" in refused("calibrate", "jackknife", "mae", "--null", "scaled", "--runs", "2")
    assert "nothing" in refused("calibrate", "jackknife", "mae", "--null", "nothing")


def test_units_are_drawn_within_documents(qeframe_command, refused):
    common = ("calibrate", "bootstrap(draws=50)", "mean", "--null", "values_in_documents", "--units", "60")
    rows = [
        json.loads(qeframe_command(*common, "--runs", "20", "--json", "--resample", how).out)["rows"][0]
        for how in ("document", "document/unit")
    ]
    assert [row["undefined"] for row in rows] == [0, 0]
    assert rows[0]["covered"] != rows[1]["covered"]
    assert "no grouping 'chapter'" in refused(*common, "--runs", "2", "--resample", "chapter/unit")


def test_a_page(qeframe_command, refused, tmp_path):
    page = tmp_path / "page.md"
    common = ("calibrate", "wilcoxon", "mean", "--null", "independent_values", "--units", "20", "--runs", "2")
    assert "12 rates" in qeframe_command(*common, "--page", page).out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Measured error rates of wilcoxon on mean")
    for heading in ("declared different", "any false claim", "Rank sets"):
        assert heading in text
    stored = (tmp_path / "page.json").read_text(encoding="utf-8")
    assert qeframe_command(*common, "--page", page).status == 0
    assert (page.read_text(encoding="utf-8"), (tmp_path / "page.json").read_text(encoding="utf-8")) == (text, stored)
    assert "questions of its own" in refused(*common, "--page", page, "--leader")
    assert "another ending" in refused(*common, "--page", tmp_path / "page.json")


def test_real_answers_under_exchange(qeframe_command, refused, tmp_path):
    qeframe_command("demo", "--out", tmp_path / "demo", "--quiet")
    given = ("--from", "qe_sentence", tmp_path / "demo" / "task")
    common = ("calibrate", "jackknife", "pearson", *given, "--units", "30", "--runs", "3")
    (row,) = json.loads(qeframe_command(*common, "--json").out)["rows"]
    assert row["null"].startswith("answers of ")
    assert (row["runs"], row["covered"]) == (3, None)
    qeframe_command(*common, "--page", tmp_path / "page.md")
    assert "answers of " in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_default_is_what_qeframe_chooses_for_the_metric(qeframe_command):
    options = ("--units", "20", "--runs", "2", "--submissions", "3", "--correction", "default")
    for metric, null, test, correction in (
        ("pearson", "normal", "jackknife_and_exchange", "romano_wolf_and_max_t"),
        ("pairwise_accuracy", "equal_metrics", "exchange", "max_t(standardize=as_needed)"),
    ):
        outcome = qeframe_command("calibrate", "default", metric, "--null", null, *options)
        assert f"|test:{test}|metric:{metric}|" in outcome.out
        assert f"|correction:{correction}|" in outcome.out


def test_a_task_set(qeframe_command, refused):
    common = shlex.split("calibrate stated wmt23_metrics --null 'equal_metrics(systems=3)' --units 5 --runs 2")
    outcome = qeframe_command(*common, "--set", "exchanges=joint")
    assert "stated on wmt23_metrics: measured error rates" in outcome.out
    assert "|test:stated|metric:wmt23_metrics|set:exchanges=joint|null:equal_metrics(systems=3)|" in outcome.out
    assert "leave out --leader" in refused(*common, "--leader")
    assert "leave out --page" in refused(*common, "--page", "x.md")
    assert "has no parts" in refused("calibrate", "stated", "wmt23_metrics_segment", "--runs", "1")
    assert "METRIC is none; leave out --set" in refused("calibrate", "jackknife", "mean", "--set", "a=b")


MEAN = Question(test="jackknife", metric="mean", null="values_in_documents", units=20, runs=3, resample="document")
SET = Question(test="valid", metric="wmt23_metrics", null="equal_metrics(systems=3)", units=5, runs=1, seed=4)


@pytest.mark.parametrize("asked", [MEAN, attrs.evolve(MEAN, test="default", correction="holm", units=9), SET])
def test_the_command_of_a_cell_measures_it(asked, registry, qeframe_command):
    (row,) = json.loads(qeframe_command(*shlex.split(asked.command)[1:], "--json", "--quiet").out)["rows"]
    expected = answer(attrs.evolve(asked, test=row["test"]), registry)
    assert row == json.loads(json.dumps(plain_values(expected)))


def test_the_command_of_a_cell_has_its_settings():
    asked = attrs.evolve(SET, settings="exchanges=joint alpha=0.1")
    assert asked.command.endswith("--seed 4 --set exchanges=joint --set alpha=0.1")
