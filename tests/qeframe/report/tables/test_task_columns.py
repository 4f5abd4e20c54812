"""Marks of order, clusters, gathered warnings."""

import math

import pytest

from qeframe.report.tables.task_columns import cluster_column, gathered_warnings, out_of_order


@pytest.mark.parametrize(
    ("values", "high", "marks"),
    [
        ([0.3, 0.2, 0.25], True, [False, False, True]),
        ([0.3, 0.2, 0.25], False, [False, True, False]),
        ([0.2, math.nan, 0.3], True, [False, False, True]),
        ([0.3, 0.1 + 0.2], True, [False, False]),
        ([math.nan, 0.1], True, [False, False]),
        ([], True, []),
    ],
)
def test_order_is_compared_with_the_value_above(values, high, marks):
    assert out_of_order(values, high) == marks


def test_clusters_of_rules_that_only_find_winners_are_called_winners():
    title, in_words = cluster_column([1, 2, None])
    assert (title, in_words(1), in_words(2), in_words(None)) == ("winner", "yes", "no", "")
    title, in_words = cluster_column([1, 3, None])
    assert (title, in_words(3), in_words(None)) == ("cluster", "3", "")


def test_equal_warnings_of_several_tasks_are_one():
    warnings = ["'t' on a: few: units", "other", "'t' on b: few: units", "'t' on b: many", "'s' on a: few: units"]
    assert gathered_warnings(warnings, ["a", "b"]) == [
        "'t' on a, b: few: units",
        "other",
        "'t' on b: many",
        "'s' on a: few: units",
    ]


def test_every_place_of_the_name_of_a_task():
    warnings = [
        *(f"{task}: c is constant" for task in ("a", "a b", "c", "a")),
        *(f"1 of 3 pairs{on} cannot be tested: few on a" for on in ("", " on a", " on a b")),
    ]
    assert gathered_warnings(warnings, ["a", "a b", "c"]) == [
        "a, a b, c: c is constant",
        "1 of 3 pairs cannot be tested: few on a",
        "1 of 3 pairs on a, a b cannot be tested: few on a",
    ]


def test_many_tasks_are_counted():
    tasks = [f"task {i}" for i in range(100)]
    assert gathered_warnings([f"x on {task}: y" for task in tasks], tasks) == [
        "x on task 0, task 1 and 98 more tasks: y"
    ]


@pytest.mark.parametrize("warning", ["", "on", "based on a: b", "a on ", "x on a:"])
def test_a_warning_about_no_task_stays_as_it_is(warning):
    assert gathered_warnings([warning], ["task"]) == [warning]
