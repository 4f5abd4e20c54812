"""``qeframe audit``: tables, files, JSON, and what cannot be used."""

import json
import shlex

import attrs
import numpy as np
import pytest

from qeframe.gaming import counterexample_lines, given_gold
from qeframe.gaming.audit import AuditedMetric
from tests.outcome import outcome_of
from tests.schema import check_schema

ATTACKS = ("--attack", "all_bad", "--attack", "all_good")


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; what is random is drawn less often than for figures that are published."""
    monkeypatch.setattr(given_gold, "_MOST_DRAWS", 64)

    def call(*arguments):
        return attrs.astuple(outcome_of(capsys, *arguments))

    return call


def test_one_metric_has_a_row_for_each_attack(run):
    status, out, err = run("audit", "f1_bad", "--no-claims")
    assert (status, err) == (0, "")
    assert out.startswith("f1_bad: gaming index 0.151, 95 % interval 0.147 to 0.156")
    assert "\nall_bad " in out
    assert "f1_bad is not constant_proof: the attack all_bad scores 0.3" in out


def test_a_broken_claim_of_one_metric_is_told_from_what_is_not_claimed():
    found = {"claim": "monotone", "what": "worse", "counterexample": {}, "exploit": "So."}
    claims = ({"claim": "monotone", "claimed": True},)
    metric = AuditedMetric(metric="m", gaming_index=0.0, attacks=(), claims=claims, counterexamples=(found,))
    assert counterexample_lines(metric) == ["m is not monotone (CLAIMED): worse. So."]
    assert counterexample_lines(attrs.evolve(metric, claims=())) == ["m is not monotone: worse. So."]


def test_several_metrics_are_a_matrix(run):
    attacks = (word for name in ("every_severity", "best_of_tags", "all_bad") for word in ("--attack", name))
    status, out, _ = run("audit", "f1_mult", "span_f1(rule=2023)", "--no-claims", *attacks)
    assert status == 0
    assert out.startswith("Which metrics can you trust?")
    assert "every_severity (b)" in out
    assert "best_of_tags (s)" in out
    assert "seed 0" in out


def test_json_and_files(run, tmp_path):
    status, out, err = run(
        "audit", "mcc", "--json", "--out", str(tmp_path / "o"), "--no-claims", "--workers", "2", *ATTACKS
    )
    assert status == 0
    assert json.loads(out)["metrics"][0]["metric"] == "mcc"
    assert f"files written to {tmp_path / 'o'}" in err
    assert (tmp_path / "o" / "audit.json").read_text() == out
    check_schema(json.loads(out), "audit")
    assert (tmp_path / "o" / "audit.md").read_text().startswith("# Which metrics can you trust?\n")
    assert sorted(path.name for path in (tmp_path / "o").glob("[!.]*")) == ["audit.json", "audit.md", "report.html"]
    assert (
        "qeframe audit mcc --attack all_bad --attack all_good --no-claims"
        in (tmp_path / "o" / "report.html").read_text()
    )


def test_the_page_and_the_figure(run, tmp_path):
    given = ("audit", "mcc", "--no-claims", "--quiet", *ATTACKS)
    status, *_ = run(*given, "--html", str(tmp_path / "a.html"), "--out", str(tmp_path / "o"), "--figures", "svg")
    assert status == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "o" / "report.html").read_bytes()
    assert (tmp_path / "o" / "audit.svg").exists()
    status, _, err = run(*given, "--figures", "svg")
    assert status == 2
    assert "give --out too" in err


def test_attacks_of_real_submissions_are_ranked(run, tmp_path):
    (tmp_path / "submissions").mkdir()
    (tmp_path / "gold.tags").write_text("OK BAD OK\nOK OK\nBAD OK OK OK\n")
    (tmp_path / "submissions" / "a.tags").write_text("OK OK OK\nOK OK\nBAD OK OK OK\n")
    (tmp_path / "submissions" / "b.tags").write_text("BAD OK OK\nOK OK\nOK OK OK OK\n")
    status, out, _ = run("audit", "--profile", "qe_word", str(tmp_path), "f1_bad", *ATTACKS, "--json", "--no-claims")
    assert status == 0
    told = json.loads(out)
    ranks = {attacked["attack"]: attacked["rank"] for attacked in told["metrics"][0]["attacks"]}
    assert ranks["all_bad"] == 2
    assert ranks["all_good"] == 2  # no better than b, no worse
    assert next(iter(told["gold"]["sets"].values())).endswith("3 sentences, 2 real submissions")
    _, out, _ = run("audit", "qe_word", str(tmp_path), "--attack", "all_bad", "--no-claims")
    assert "\nRanks\n" in out
    check_schema(told, "audit")


def test_a_search_prints_what_it_finds_and_how_to_measure_it_again(run, tmp_path):
    words = ("audit", "mae", "--attack", "constant_quantile", "--search", "--tries", "5", "--no-claims")
    status, out, _err = run(*words, "--out", str(tmp_path / "o"))
    assert status == 0
    assert "Attacks found by search" in out
    assert "5 of 21" in out
    check_schema(json.loads((tmp_path / "o" / "audit.json").read_text()), "audit")
    (recipe,) = [line for line in out.splitlines() if line.startswith("qeframe audit mae --attack")]
    assert recipe in (tmp_path / "o" / "audit.md").read_text()
    status, again, _ = run(*shlex.split(recipe)[1:])
    assert status == 0
    assert again.startswith("mae: gaming index 0.2")


def test_each_submission_is_attacked(run, tmp_path):
    rng = np.random.default_rng(0)
    gold = rng.random(40)
    (tmp_path / "submissions").mkdir()
    sides = {"gold": gold, "submissions/noisy": gold + rng.normal(0, 0.5, 40), "submissions/exact": gold}
    for name, numbers in sides.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{number}\n" for number in numbers))
    words = ("audit", "qe_sentence", str(tmp_path), "mae", "--each", "--attack", "shrink", "--quiet")
    status, out, err = run(*words, "--out", str(tmp_path / "o"))
    assert (status, err) == (0, "")
    assert out.startswith("mae on ")
    assert [line.split()[0] for line in out.splitlines()[4:6]] == ["exact", "noisy"]
    assert (tmp_path / "o" / "gains.md").read_text().startswith("# What could each submission gain?")
    assert "<h1>What could each submission gain?</h1>" in (tmp_path / "o" / "report.html").read_text()
    gains = {gain["submission"]: gain for gain in json.loads((tmp_path / "o" / "gains.json").read_text())["gains"]}
    assert gains["noisy"]["gain"] > 0 > gains["exact"]["gain"]


def test_a_gate_fails_where_the_interval_is_above(run):
    def status(*options):
        found, _, told = run("audit", "f1_bad", "mcc", "--attack", "all_bad", "--no-claims", "--quiet", *options)
        return found, told

    assert status("--fail-above", "0.2") == (0, "")
    code, told = status("--fail-above", "0.05")
    assert code == 1
    assert told.startswith("qeframe: f1_bad fails: the gaming index is 0.151, 95 % interval 0.14")
    code, told = status("--fail-above", "0.151")
    assert (code, "f1_bad is not determined" in told) == (0, True)
    assert status("--fail-above", "0.151", "--strict")[0] == 1
    assert "give --fail-above too" in status("--strict")[1]
