"""The command compare."""

import json

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sides = {
        "gold.txt": "1\n2\n3\n4\n5\n6\n",
        "a.txt": "1\n2\n4\n3\n5\n6\n",
        "b.txt": "3\n1\n2\n6\n4\n5\n",
        "ids.txt": "06\t6\n1\t1\n2\t2\n4\t3\n3\t4\n5\t5\n",
        "gold_ids.txt": "1\t1\n2\t2\n3\t3\n4\t4\n5\t5\n6\t6\n",
    }
    for name, text in sides.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_compare(qeframe_command, files):
    outcome = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "williams", "--json")
    (pair,) = json.loads(outcome.out)["comparisons"]
    assert (pair["a"], pair["b"], pair["test"], pair["sided"]) == ("a", "b", "williams", "two")
    one = qeframe_command(
        "compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "williams", "--sided", "one", "--json"
    )
    assert json.loads(one.out)["comparisons"][0]["p"] == pytest.approx(pair["p"] / 2)
    table = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "williams").out
    assert "williams" in table
    assert "a" in table.split()
