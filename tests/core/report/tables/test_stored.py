"""The tables of a store: runs, and scores over runs."""

import math

import attrs

from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.stored import history_table, run_table
from qeframe.results.store_rows import StoredRun, StoredScore

RUN = StoredRun(number=1, label="monday", added="2026", profile="p", primary="m", signature="s", submissions=2)
SCORE = StoredScore(
    run=1, label="monday", profile="p", submission="A", kind="real", metric="m", task="", value=0.5, low=0.4, high=0.6,
    rank=1, cluster=None,
)  # fmt: skip


def test_runs():
    assert "  1  monday  2026   p        m                  2" in as_text(run_table([RUN], "Runs"))
    assert "the store is empty" in as_text(run_table([], "Runs"))


def test_what_all_scores_share_is_said_once():
    text = as_text(history_table([SCORE, attrs.evolve(SCORE, run=2, value=math.nan, low=math.nan, rank=2)], "A"))
    assert "profile: p, submission: A, metric: m, task: all" in text
    assert "  1  monday  0.500  0.400 to 0.600     1" in text
    assert "n/a" in text
    assert "cluster" not in text


def test_what_differs_is_a_column():
    text = as_text(history_table([SCORE, attrs.evolve(SCORE, submission="B", task="de", rank=None)], "all"))
    assert "  1  monday  A           all   0.500  0.400 to 0.600     1" in text
    assert "  1  monday  B           de    0.500" in text
    assert "profile: p, metric: m" in text
    assert "no score of this kind" in as_text(history_table([], "all"))
