"""What limits scores, and what intervals do not promise."""

import numpy as np
import pytest

from qeframe import Result, ScoredSubmission, Submission
from qeframe.api.arrays.remarks import on_score, why_undefined
from qeframe.assembly.remarks_on_scores import UNDEFINED, few_of, on_ends, on_missing_intervals
from qeframe.plugin import Metric, Scores


@pytest.mark.parametrize(
    ("names", "listed"),
    [(["a"], "a"), (["a", "b", "c"], "a, b, c"), (list("abcd"), "a, b, c and 1 other"),
     (list("abcde"), "a, b, c and 2 others")],
)  # fmt: skip
def test_three_names_are_listed_and_the_others_counted(names, listed):
    assert few_of(names) == listed
    assert few_of(names, "other part") == listed.replace("others", "other parts").replace("1 other", "1 other part")


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


def result(value, low, high, **parts):
    return Result(value=value, low=low, high=high, tasks=parts)


def scored(name, overall, **parts):
    made = result(*overall, **{part: result(*ends) for part, ends in parts.items()})
    return ScoredSubmission(name=name, kind="real", scores={"overall": made}, rank=1, cluster=None)


def test_scores_outside_their_own_intervals_are_counted_by_part():
    inside, none = (0.5, 0.4, 0.6), (0.5, np.nan, np.nan)
    ranked = [scored("a", (0.9, 0.7, 0.8), spa=(0.9, 0.7, 0.8), acc=inside), scored("b", inside, spa=(0.1, 0.2, 0.3))]
    (line,) = on_ends(ranked, smooth=True)
    assert line.startswith(
        "scores outside their own intervals: the overall score (1 of 2), spa (2 of 2): in every draw"
    )
    assert list(on_ends([scored("a", inside, spa=none, acc=inside)], smooth=True)) == []
    assert list(on_ends([], smooth=True)) == []


@pytest.mark.parametrize(("scores", "where"), [((0.57, 0.58), "low"), ((0.43, 0.42), "high"), ((0.57, 0.47), "")])
def test_overall_scores_far_from_the_middle_of_their_intervals(scores, where):
    ranked = [scored(f"{score}", (score, 0.4, 0.6)) for score in scores]
    lines = list(on_ends(ranked, smooth=False))
    assert not [*on_ends(ranked, smooth=True)]
    assert [line.partition(":")[0] for line in lines] == [
        f"intervals of the overall score lie too {where} around the scores"
    ] * bool(where)
