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


def test_intervals_of_all_pairs_together(qeframe_command, files):
    options = ("compare", "mae", "gold.txt", "a.txt", "b.txt", "--test", "jackknife")
    alone, together = (qeframe_command(*options, *more).out for more in ((), ("--simultaneous",)))
    assert "interval: of the difference of the pair alone with confidence 95 %, without 0 where p is below" in alone
    told = (
        "interval: of the differences of all pairs together with confidence 95 %, which may hold 0 where the correction"
    )
    assert told in together


def test_several_metrics(qeframe_command, files):
    options = ("--also", "mae", "--test", "randomization(draws=99)")
    found = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", *options, "--json")
    together = json.loads(found.out)["comparisons"]
    assert [pair["metric"] for pair in together] == ["pearson", "mae"]
    each = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", *options, "--family", "metric", "--json")
    alone = json.loads(each.out)["comparisons"]
    assert [pair["p"] for pair in alone] == [pair["p"] for pair in together] == [pair["p_adjusted"] for pair in alone]
    smallest = min(pair["p"] for pair in alone)
    assert min(pair["p_adjusted"] for pair in together) == pytest.approx(2 * smallest)
    tables = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", *options).out
    assert "pearson: comparisons" in tables
    assert "mae: comparisons" in tables
    assert tables.count("correction holm of all pairs under 2 metrics") == 2
    assert [json.loads(one.out)["family"] for one in (found, each)] == ["all", "metric"]
    assert (json.loads(found.out)["correction"], json.loads(found.out)["alpha"]) == ("holm", 0.05)
    warnings = json.loads(found.out)["warnings"]
    assert all(warning.startswith(("pearson: ", "mae: ")) for warning in warnings)
