"""Histograms of gold and predictions."""

from qeframe.report.figures import (
    correlations_figure,
    distributions_figure,
    scatter_figure,
)
from qeframe.report.figures.distributions import axis_range
from qeframe.report.figures.predictions import predictions


def said(axes):
    return [text.get_text() for text in axes.texts]


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def test_panels_are_in_order_and_constants_say_so(task):
    for draw, remarks in (
        (distributions_figure, [[], [], ["constant"]]),
        (scatter_figure, [["r = 0.986"], ["r = -0.189"], ["constant"]]),
    ):
        figure = draw(task, ["first", "second", "third"])
        assert titles(figure) == ["first", "second", "third"]
        assert [said(axes) for axes in figure.axes] == remarks


def test_constant_gold_is_drawn_too(task_of):
    flat = task_of({"a": [1.0, 2, 3]}, [2.0, 2, 2])
    assert said(scatter_figure(flat).axes[0]) == ["gold constant"]
    assert distributions_figure(flat).axes[0].get_xlim() == (1, 3)
    assert distributions_figure(task_of({"a": [2.0, 2]}, [2.0, 2])).axes[0].get_xlim() == (1.5, 2.5)


def test_panels_share_axes_and_count_what_lies_outside(task_of):
    gold = [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 10]
    figure = distributions_figure(task_of({"far": [*gold[:-2], -100, 100], "near": gold}, gold))
    assert {axes.get_xlim() for axes in figure.axes} == {(-5, 15)}
    assert [said(axes) for axes in figure.axes] == [["2 outside"], []]
    assert len({axes.get_ylim() for axes in figure.axes}) == 1


def test_histograms_are_percentages_and_high_peaks_are_named(task_of):
    gold = list(range(20))
    figure = distributions_figure(task_of({"peak": [*[5] * 18, 6, 7], "gold": gold}, gold))
    (remark,) = said(figure.axes[0])
    assert remark == "peak 90 %"
    assert figure.axes[0].get_ylim()[1] < 90


def test_shown_range_never_cuts_the_gold(task_of):
    narrow = predictions(task_of({"a": [0.5, 0.5, 0.6]}, [0.0, 1, 2]))
    assert axis_range(narrow) == (0, 2)


def test_predictions_without_gold_get_what_they_can(task_of):
    ungolded = task_of({"a": [1.0, 2, 3], "b": [3.0, 1, 2]}, None)
    assert scatter_figure(ungolded) is None
    assert correlations_figure(ungolded) is not None
    labels_ = [text.get_text() for text in distributions_figure(ungolded).legends[0].get_texts()]
    assert labels_ == ["prediction", "mean of prediction"]


def test_gold_is_the_same_in_every_panel(task):
    assert all(item.gold.tolist() == [0, 1, 2, 3, 4] for item in predictions(task))
