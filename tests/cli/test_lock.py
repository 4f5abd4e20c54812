"""The command lock."""

import json

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
