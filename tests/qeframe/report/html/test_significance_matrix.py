"""Significance matrices."""

import math
import re

from qeframe.report.html.significance_matrix import matrix


def test_details_and_lists_say_what_the_comparisons_say(pair):
    pairs = [pair("a", "b", 0.0004), pair("a", "c", 0.02), pair("b", "c", 0.5)]
    found = matrix(pairs, ["a", "b", "c", "never compared"], 0.05, adjusted=True)
    assert found["data"]["names"] == ["a", "b", "c"]
    assert found["data"]["pairs"] == [
        [0, 1, "0.125", "0.0004", "0.0004", 1],
        [0, 2, "0.125", "0.0200", "0.0200", 1],
        [1, 2, "0.125", "0.5000", "0.5000", 0],
    ]
    assert found["beaten"] == {"a": ["b", "c"], "b": [], "c": []}
    assert (found["significant"], found["tested"]) == (2, 3)
    assert [one["text"] for one in found["legend"]] == [
        "adjusted p < 0.05", "adjusted p < 0.01", "adjusted p < 0.001", "not significant",
    ]  # fmt: skip


def test_shades_and_dots_go_together(pair):
    found = matrix(
        [pair("a", "b", 0.0004), pair("a", "c", 0.02), pair("b", "c", 0.5)], ["a", "b", "c"], 0.05, adjusted=False
    )
    svg = found["svg"]
    assert set(re.findall(r'class="shade(\w)"', svg)) == {"1", "2", "4"}
    assert {shade: d.count("M") for d, shade in re.findall(r'd="([^"]*)" class="dots(\w)"', svg)} == {"4": 3, "2": 1}
    assert found["legend"][0]["text"] == "p < 0.05"


def test_pairs_that_were_not_tested_are_marked_with_their_reason(pair):
    untested = pair("a", "b", math.nan, difference=math.nan, reason="a constant")
    found = matrix([untested], ["a", "b"], 0.05, adjusted=True)
    assert found["tested"] == 0
    assert found["data"]["pairs"] == [[0, 1, "n/a", "n/a", "n/a", 0, "a constant"]]
    assert 'class="shaden"' in found["svg"]
    assert found["legend"][-1]["text"] == "not tested"


def test_names_are_escaped_and_long_ones_are_shortened(pair):
    evil = "<script>alert(1)</script>" * 9
    found = matrix([pair(evil, "b", 0.001)], [evil, "b"], 0.05, adjusted=True)
    assert "<script" not in found["svg"]
    assert "&lt;scr" in found["svg"]
    assert len(re.search(r'class="row">([^<]*)<', found["svg"])[1]) < 60


def test_large_matrices_are_small(pair):
    names = [f"system{i}" for i in range(100)]
    pairs = [pair(a, b, 0.001) for i, a in enumerate(names) for b in names[i + 1 :]]
    found = matrix(pairs, names, 0.05, adjusted=True)
    assert len(found["svg"]) < 20_000
    assert found["data"]["cell"] == 6.0


def test_without_comparisons_there_is_no_matrix():
    assert matrix([], ["a"], 0.05, adjusted=True) is None
