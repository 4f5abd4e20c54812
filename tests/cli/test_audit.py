"""``qeframe audit``: tables, files, JSON, and what cannot be used."""

import json

import attrs
import pytest

from qeframe.cli import main
from qeframe.gaming.audit import AuditedMetric
from qeframe.report import counterexample_lines

ATTACKS = ("--attack", "all_bad", "--attack", "all_good")


@pytest.fixture
def run(capsys):
    def call(*arguments):
        try:
            main([*arguments])
            status = 0
        except SystemExit as stop:
            status = stop.code or 0
        told = capsys.readouterr()
        return status, told.out, told.err

    return call


def test_one_metric_has_a_row_for_each_attack(run):
    status, out, err = run("audit", "f1_bad", "--no-claims")
    assert (status, err) == (0, "")
    assert out.startswith("f1_bad: gaming index 0.154")
    assert "\nall_bad " in out
    assert "f1_bad is not constant_proof: the attack all_bad scores 0.3" in out


def test_a_broken_claim_of_one_metric_is_told_from_what_is_not_claimed():
    found = {"claim": "monotone", "what": "worse", "counterexample": {}, "exploit": "So."}
    claims = ({"claim": "monotone", "claimed": True},)
    metric = AuditedMetric(metric="m", gaming_index=0.0, attacks=(), claims=claims, counterexamples=(found,))
    assert counterexample_lines(metric) == ["m is not monotone (CLAIMED): worse. So."]
    assert counterexample_lines(attrs.evolve(metric, claims=())) == ["m is not monotone: worse. So."]


def test_several_metrics_are_a_matrix(run):
    status, out, _ = run("audit", "f1_mult", "span_f1(rule=2023)", "--no-claims")
    assert status == 0
    assert out.startswith("Which metrics can you trust?")
    assert "every_severity (b)" in out
    assert "best_of_tags (s)" in out
    assert "seed 0" in out


def test_json_and_files(run, tmp_path):
    status, out, err = run("audit", "mcc", "--json", "--out", str(tmp_path / "o"), "--no-claims", "--workers", "2")
    assert status == 0
    assert json.loads(out)["metrics"][0]["metric"] == "mcc"
    assert f"files written to {tmp_path / 'o'}" in err
    assert (tmp_path / "o" / "audit.json").read_text() == out
    page = (tmp_path / "o" / "audit.md").read_text()
    assert page.startswith("# Which metrics can you trust?\n")
    assert (tmp_path / "o" / "audit.svg").exists()


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
    _, out, _ = run("audit", "--profile", "qe_word", str(tmp_path), *ATTACKS, "--no-claims")
    assert "\nRanks\n" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "f1_badd"], "unknown metric 'f1_badd'"),
        (["audit", "mean"], "no generated gold for metrics on Values"),
        (["audit", "mcc", "--attack", "nobody"], "unknown attack 'nobody'"),
        (["audit", "mcc", "--set", "alpha=1"], "give --profile too"),
        (["audit", "mcc", "--profile", "qe_word", "nowhere"], "no such file or folder"),
    ],
)
def test_what_cannot_be_used_is_one_line(run, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
