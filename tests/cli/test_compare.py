"""The command compare."""

import json

import pytest


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
