"""The scores of panels."""

import math

from qeframe.core.evaluation.result import PartScore, Result, ScoredPart
from qeframe.report.html.panel_scores import scores_of_panels
from qeframe.report.html.panels import forest


def test_one_task_has_one_panel_with_everything(evaluation):
    (whole,) = scores_of_panels(evaluation)
    first, second, third = whole.rows
    assert (whole.name, whole.metric, whole.higher_is_better) == ("", "pearson", True)
    assert (first.name, first.value, first.low, first.high, first.cluster) == ("first", 0.75, 0.5, 0.875, 1)
    assert (second.mark, second.ranks) == ("†", (2, 3))
    assert math.isnan(third.value)
    assert third.ranks is None


def test_each_task_has_its_own_order(over_tasks):
    whole, *tasks = scores_of_panels(over_tasks)
    assert [row.name for row in whole.rows] == ["a", "b", "c"]
    assert [one.name for one in tasks] == ["en-de", "de-en", "cs-en"]
    assert [row.name for row in tasks[0].rows] == ["c", "a", "b"]
    assert [row.name for row in tasks[1].rows] == ["a", "b"]
    assert tasks[2].rows == ()
    assert tasks[0].note == "systems 4, pairs 12,345"


def test_parts_have_their_own_metric_and_direction(evaluation_of, scored):
    scores = {"a": PartScore(value=0.5, rank=2, cluster=2), "b": PartScore(value=0.25, rank=1, cluster=1)}
    part = ScoredPart(
        name="en-de ter", metric="ter", pairs=("en-de",), level="system", weight=0.5, scale=(1.0, 0.0),
        higher_is_better=False, submissions=scores,
    )  # fmt: skip
    submissions = [scored("a", 1, {"overall": 0.5}), scored("b", 2, {"overall": 0.25})]
    made = evaluation_of(submissions, parts=(part,), primary="overall", metrics=("overall",))
    _, shown = scores_of_panels(made)
    assert [row.name for row in shown.rows] == ["b", "a"]
    assert shown.note == "weight 0.5; en-de; system; in the overall score scaled 1..0 → 0..1"
    assert not shown.higher_is_better


def test_scores_that_few_units_carry_have_their_sign(evaluation_of, scored):
    carried = Result(value=0.5, low=0.25, high=0.75, details={"few_units": {"units": 2, "share": 0.95}})
    score = Result(
        value=0.5, low=0.25, high=0.75, details=carried.details, tasks={"de": carried, "cs": Result(value=0.5)}
    )
    made = evaluation_of(
        [scored("a", 1, {"pearson": score})], tasks={"de": {}, "cs": {}}, shares={"de": 0.5, "cs": 0.5}
    )
    whole, german, czech = scores_of_panels(made)
    assert [panel.rows[0].sign for panel in (whole, german, czech)] == ["°", "°", ""]
    assert german.note == "weight 0.5, ° few units carry the score"
    assert czech.note == "weight 0.5"
    drawn = forest(whole)
    assert drawn is not None
    assert drawn["rows"][0]["interval"].endswith("0.750°")
