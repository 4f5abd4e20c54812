"""The command lock."""

import json
import re

import pytest

import qeframe


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_lock_and_check(here, qeframe_command, refused):
    outcome = qeframe_command("lock", "numbers.json", "--plugin", "qeframe_ties")
    assert (outcome.status, outcome.out) == (0, "numbers.json: 9 components\n")
    checked = qeframe_command("lock", "--check", "numbers.json", "--plugin", "qeframe_ties")
    assert (checked.status, checked.out) == (0, "no recorded components changed\n")
    text = (here / "numbers.json").read_text()
    old = f'"tie policy wmt12": {{"version": "qeframe {qeframe.__version__}", "digest": "#'
    assert old in text
    line = next(line for line in text.splitlines() if "tie policy wmt12" in line)
    (here / "numbers.json").write_text(text.replace(line, line.replace('"<=": "-1"', '"<=": "0"')))
    changed = qeframe_command("lock", "--check", "numbers.json", "--plugin", "qeframe_ties")
    assert changed.status == 1
    assert changed.out == (
        f"changed: tie policy wmt12: on <= 0 became -1 (recorded of qeframe {qeframe.__version__})\n"
        "    human = '<'\n    metric = '='\n1 recorded component changed\n"
    )
    found = json.loads(qeframe_command("lock", "--check", "numbers.json", "--plugin", "qeframe_ties", "--json").out)
    assert [(change["component"], change["kind"]) for change in found] == [("tie policy wmt12", "changed")]
    assert "cannot be read" in refused("lock", "--check", "nowhere.json")
    assert "cannot be written" in refused("lock", here / "nowhere" / "numbers.json", "--plugin", "qeframe_ties")
    assert "no plugin or distribution is named 'x'" in refused("lock", "--plugin", "x")


@pytest.mark.slow
def test_gaming_indices_are_recorded_and_checked(here, qeframe_command):
    assert qeframe_command("lock", "numbers.json", "--plugin", "qeframe_gtm", "--gaming").status == 0
    text = (here / "numbers.json").read_text()
    record = '"blind": {"index": 0.226, "by": "frequent_words (length=0.8)"}'
    assert record in next(line for line in text.splitlines() if line.startswith('"metric gtm_f"'))
    assert text.count('"gaming"') == 3  # with defaults alone
    check = ("lock", "numbers.json", "--plugin", "qeframe_gtm", "--check")
    assert qeframe_command(*check, "--gaming").status == 0
    text = re.sub(r', "gaming": {"blind": {[^}]*"(one_word|whole_vocabulary)"}, "cosmetic": {[^}]*}}', "", text)
    (here / "numbers.json").write_text(text)
    unrecorded = qeframe_command(*check, "--gaming", "--json")
    told = {change["component"]: change["what"] for change in json.loads(unrecorded.out)}
    assert set(told) == {"metric gtm_precision", "metric gtm_recall"}
    assert "is not recorded: 'qeframe lock --gaming' records it" in told["metric gtm_recall"]
    (here / "numbers.json").write_text(text.replace(record, record.replace("0.226", "0.05")))
    checked = qeframe_command(*check, "--gaming")
    assert checked.status == 1
    assert "changed: metric gtm_f: it is easier to game: the index 0.050 became 0.226" in checked.out
    assert qeframe_command(*check).status == 0  # nothing is attacked
