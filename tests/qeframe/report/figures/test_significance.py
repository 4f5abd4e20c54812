"""The significance matrix."""

import math

import pytest

from qeframe.core.evaluation.result import Result
from qeframe.report.figures import (
    draw_figures,
    significance_figure,
)
from qeframe.report.figures.significance import shades_of


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def test_shades_darken_with_smaller_p_relative_to_alpha(pair):
    pairs = [pair("a", "b", 0.049), pair("a", "c", 0.0099), pair("b", "c", 0.0009), pair("b", "d", 0.2)]
    assert shades_of(pairs, "abcd", 0.05).tolist() == [[1, 2, 3, 0], [0, 1, 4, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_pairs_that_were_not_tested_have_a_shade_of_their_own(evaluation_of, scored, pair):
    pairs = [pair("a", "b", 0.001), pair("a", "c", math.nan), pair("b", "c", math.nan)]
    assert shades_of(pairs, "abc", 0.05).tolist() == [[1, 3, -1], [0, 1, -1], [-1, -1, 1]]
    scores = [scored(name, rank, {"pearson": 0.5}) for rank, name in enumerate("abc", 1)]
    figure = significance_figure(evaluation_of(scores, pairs))
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend[-1] == "n/a: not tested"


def test_shades_follow_the_verdict_not_p_alone(pair):
    at_alpha = pair("a", "b", 0.01, p_adjusted=0.05)
    assert shades_of([at_alpha], "ab", 0.05)[0, 1] == 2
    assert shades_of([pair("a", "b", 0.5, p_adjusted=0.001)], "ab", 0.05)[0, 1] == 0


def test_significance_lists_the_best_first_on_both_axes(evaluation):
    figure = significance_figure(evaluation)
    assert labels(figure.axes[0].yaxis) == ["first", "second", "third"] == labels(figure.axes[0].xaxis)
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == ["< 0.05", "< 0.01", "< 0.001", "not significant"]


@pytest.mark.parametrize(("higher", "order"), [(True, ["b", "a", "c"]), (False, ["a", "b", "c"])])
def test_significance_of_a_single_task_is_in_the_order_of_that_task(evaluation_of, scored, pair, higher, order):
    def result(value):
        return {"pearson": Result(value=0.5, tasks={"en-de": Result(value=value)})}

    made = evaluation_of(
        [scored("a", 1, result(0.1)), scored("b", 2, result(0.9)), scored("c", 3, result(math.nan))],
        [pair("a", "b", 0.5, task="en-de"), pair("a", "c", 0.5, task="en-de")],
        higher_is_better={"pearson": higher},
    )
    assert significance_figure(made) is None
    figure = significance_figure(made, "en-de")
    assert labels(figure.axes[0].yaxis) == order
    assert titles(figure) == ["pearson, en-de"]


def test_significance_of_the_only_task_is_in_order_of_rank(evaluation_of, scored, pair):
    made = evaluation_of(
        [scored("b", 1, {"pearson": 0.75}), scored("a", 2, {"pearson": 0.5})], [pair("b", "a", 0.5, task="en-de")]
    )
    ((stem, figure),) = draw_figures(made, [])
    assert stem == "significance"
    assert labels(figure.axes[0].yaxis) == ["b", "a"]


def test_comparisons_under_other_metrics_make_no_matrix(evaluation_of, scored, pair):
    made = evaluation_of([scored("a", 1, {}), scored("b", 2, {})], [pair("a", "b", 0.5, metric="mae")])
    assert significance_figure(made) is None
    assert list(draw_figures(made, [])) == []
