"""The tables of what changed: the old and the new value of everything, and nothing that stayed the same but ranks."""

import attrs

from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.changes import change_tables
from qeframe.results.changes import find_changes
from qeframe.tasks.task import Dropped, Input
from tests.core.results.test_changes import OLD, evaluation, outcome, signature, submission


def printed(old, new):
    return [as_text(table) for table in change_tables(find_changes(old, new), "old -> new")]


def test_equal_results_have_one_table():
    (table,) = printed(OLD, OLD)
    assert "0 of 2 submissions changed" in table
    assert "m: 0 better, 0 worse, 2 equal or undefined" in table


def test_scores_and_ranks_before_and_after():
    a = submission("A", 0.4995, 3, {"de": 0.4, "fr": 0.6})
    new = evaluation(submission("B", 0.6, 1), submission("C", 0.55, 2), a)
    (table,) = printed(OLD, new)
    rows = {line.split()[0]: line.split() for line in table.splitlines()[4:7]}
    assert rows["B"] == ["B", "2", "->", "1", "-", "0.300000", "0.600000", "+0.300000", "both"]
    assert rows["A"][1:4] == ["1", "->", "3"]
    assert rows["A"][-2] == "-0.000500*"
    assert rows["C"] == ["C", "-", "->", "2", "-", "-", "-", "-", "new", "only"]
    assert "* the score became worse" in table
    assert "nothing that the signatures record explains the changes" in table


def test_scores_of_tasks_outcomes_causes_and_what_is_left_out():
    new = attrs.evolve(
        evaluation(submission("A", 0.5, 1, {"de": 0.4, "fr": 0.5}), submission("B", 0.3, 2)),
        signature=signature(inputs=(Input("gold", "c" * 64),), seed=4),
        comparisons=(outcome("A", "B", significant=True, p=0.03),),
        dropped=(Dropped("de", "segments", 2, "no score"),),
        warnings=("few units",),
    )
    old = attrs.evolve(OLD, comparisons=(outcome("A", "B", significant=False, p=0.4),))
    first, scores, outcomes, causes, rest = printed(old, new)
    assert "explains" not in first
    assert "A           m       fr    0.600  0.500      -0.100*" in scores
    assert " de " not in scores
    assert next(line for line in outcomes.splitlines() if line.startswith("A")).split() == [
        "A", "B", "m", "all", "neither", "A", "0.4000", "0.0300",
    ]  # fmt: skip
    assert "data  gold  ab   cccccccccccc" in causes
    assert "files are shown by the start of their SHA-256" in causes
    assert "dropped: de: 2 segments: no score" in rest
    assert "new only  warning: few units" in rest
