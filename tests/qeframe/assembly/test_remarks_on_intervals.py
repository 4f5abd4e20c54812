"""What intervals do not promise."""

import numpy as np
import pytest

from qeframe import Result, Submission
from qeframe.assembly.remarks_on_intervals import UNDEFINED, few_of, on_missing_intervals, on_score, why_undefined
from qeframe.plugin import Metric, Scores


@pytest.mark.parametrize(
    ("names", "listed"),
    [(["a"], "a"), (["a", "b", "c"], "a, b, c"), (list("abcd"), "a, b, c and 1 other"),
     (list("abcde"), "a, b, c and 2 others")],
)  # fmt: skip
def test_three_names_are_listed_and_the_others_counted(names, listed):
    assert few_of(names) == listed


@pytest.mark.parametrize(
    ("gold", "predicted", "why"),
    [([1.0, 2.0], [3.0, 3.0], "its answers are constant"), ([1.0, 1.0], [1.0, 2.0], "the gold is constant"),
     ([1.0, 2.0], [1.0, 2.0], UNDEFINED)],
)  # fmt: skip
def test_why_a_score_is_undefined(gold, predicted, why):
    assert why_undefined(Scores.from_plain(gold, predicted)) == why


def test_what_limits_one_score():
    assert list(on_score("mae", "A", "", 0.5, {})) == []
    assert list(on_score("mae", "A", "few labels", np.nan, {})) == ["few labels", f"mae of A is undefined: {UNDEFINED}"]
    details = {"no_interval": "one unit", "undefined_draws": 2, "few_units": {"units": 1, "share": 0.8}}
    missing, draws, few = on_score("mae", "A", "", 0.5, details)
    assert missing == "no interval of mae for A: one unit"
    assert draws == "mae of A is undefined in 2 draws, which do not count for its interval"
    assert few.startswith("few units carry mae of A (1 unit with 0.80 of its jackknife variance): ")


def test_a_reason_is_told_once_for_all_scores_without_an_interval(registry):
    metrics = [registry.get(Metric, name) for name in ("mae", "rmse")]
    without = Result(value=0.5, details={"no_interval": "one unit"})
    lost = Result(value=0.5, low=0.4, high=0.6, details={"undefined_draws": 1})
    told = on_missing_intervals(metrics, [Submission("A"), Submission("B")], [[without, lost], [without, without]])
    assert list(told) == [
        "mae is undefined in some draws, which do not count for its intervals: B 1 draw",
        "no interval of mae, rmse for A, B: one unit",
    ]
