"""The rows of a store: one for all tasks together, and one for each task."""

import math

from qeframe_store.store_rows import score_rows, stored_score
from tests.plugins.qeframe_store.test_changes import OLD, evaluation, submission


def test_rows_of_several_tasks():
    rows = [(row[0], row[3], row[4], row[7]) for row in score_rows(OLD)]
    assert rows == [("A", "", 0.5, 1), ("A", "de", 0.4, None), ("A", "fr", 0.6, None), ("B", "", 0.3, 2)]


def test_a_single_task_has_the_score_over_all_tasks():
    alone = evaluation(submission("A", math.nan, 1, cluster=1), tasks={"de": {}})
    rows = list(score_rows(alone))
    assert rows == [
        ("A", "real", "m", "", None, None, None, 1, 1),
        ("A", "real", "m", "de", None, None, None, None, None),
    ]
    assert [row[3] for row in score_rows(evaluation(submission("A", 1, 1), tasks={"": {}}))] == [""]
    assert [row[3] for row in score_rows(evaluation(submission("A", 1, 1, {"de": 1}), tasks={"de": {}}))] == ["", "de"]


def test_undefined_numbers_are_read_as_nan():
    score = stored_score((1, "label", "p", "A", "real", "m", "", 0.5, None, None, 1, None))
    assert (score.value, score.rank, score.cluster) == (0.5, 1, None)
    assert math.isnan(score.low)
    assert math.isnan(score.high)
