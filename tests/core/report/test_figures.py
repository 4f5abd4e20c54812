"""What the figures show; whether they are beautiful is for eyes."""

import math
import warnings

import numpy as np
import pytest

from qeframe.batches.base import Batch
from qeframe.evaluation.result import Result
from qeframe.report.figures import (
    correlations_figure,
    distributions_figure,
    draw_figures,
    images,
    scatter_figure,
    significance_figure,
    styled,
)
from qeframe.report.figures.canvas import shortened
from qeframe.report.figures.distributions import shown_range
from qeframe.report.figures.gallery import file_stems
from qeframe.report.figures.predictions import predictions, standardized
from qeframe.report.figures.significance import shades_of
from qeframe.resampling.correlation import pearson_matrix
from qeframe.tasks.task import Submission, Task


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def said(axes):
    return [text.get_text() for text in axes.texts]


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


def test_pearson_matrix_agrees_with_numpy_and_leaves_constants_undefined():
    rng = np.random.default_rng(5)
    values = rng.normal(1e6, 1, (4, 50))
    np.testing.assert_allclose(pearson_matrix(values), np.corrcoef(values), atol=1e-9)
    matrix = pearson_matrix(np.array([[0.1, 0.1, 0.1], [1, 2, 3], [3, 2, 1]]))
    assert np.isnan(matrix[0]).all()
    assert np.isnan(matrix[:, 0]).all()
    assert matrix[1, 2] == pytest.approx(-1)


def test_correlations_print_numbers_up_to_fifteen_submissions(task_of):
    rng = np.random.default_rng(5)
    for count, numbers in ((15, 15 * 15), (16, 0)):
        figure = correlations_figure(task_of({f"s{i}": rng.normal(size=9) for i in range(count)}, range(9)))
        assert len(figure.axes[0].texts) == numbers


def test_correlations_follow_the_given_order_and_say_where_undefined(task):
    figure = correlations_figure(task, ["first", "second"])
    assert labels(figure.axes[0].yaxis) == ["first", "second", "third"]
    assert said(figure.axes[0])[:3] == ["1.00", "-0.28", "n/a"]


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
    assert shown_range(narrow) == (0, 2)


def test_scatter_counts_what_lies_outside_four_deviations(task_of):
    values = [*[0.0] * 99, 1000]
    figure = scatter_figure(task_of({"a": values}, range(100)))
    assert said(figure.axes[0])[0].endswith("\n1 outside")


def test_predictions_without_gold_get_what_they_can(task_of):
    ungolded = task_of({"a": [1.0, 2, 3], "b": [3.0, 1, 2]}, None)
    assert scatter_figure(ungolded) is None
    assert correlations_figure(ungolded) is not None
    labels_ = [text.get_text() for text in distributions_figure(ungolded).legends[0].get_texts()]
    assert labels_ == ["prediction", "mean of prediction"]


def test_other_kinds_of_batch_are_skipped():
    other = Task(name="t", batches={Submission(n): Batch(ids=np.arange(3)) for n in "ab"})
    assert [draw(other) for draw in (correlations_figure, distributions_figure, scatter_figure)] == [None] * 3


def test_standardized_constants_are_zero():
    assert standardized(np.full(3, 0.1)).tolist() == [0, 0, 0]
    assert standardized(np.array([1.0, 3.0])).tolist() == [-1, 1]


def test_several_tasks_have_file_names_of_their_own(evaluation, task_of):
    tasks = [task_of({"first": [1.0, 2], "second": [2.0, 1]}, [1, 2], name=name) for name in ("en-de", "a/b")]
    stems = [stem for stem, _ in draw_figures(evaluation, tasks)]
    assert stems == [
        "significance", "correlations-en-de", "correlations-a_b", "distributions-en-de", "distributions-a_b",
        "scatter-en-de", "scatter-a_b",
    ]  # fmt: skip


def test_file_names_never_clash_and_never_leave_the_folder():
    assert file_stems("scatter", ["x"]) == ["scatter"]
    assert file_stems("scatter", ["a/b", "a b", "A b", ""]) == [
        "scatter-a_b",
        "scatter-a_b_",
        "scatter-A_b__",
        "scatter",
    ]
    assert file_stems("scatter", ["../x", "y"])[0] == "scatter-.._x"


@pytest.mark.parametrize("count", [3, 11, 40])
def test_labels_and_titles_do_not_overlap(evaluation_of, scored, pair, task_of, count):
    names = [f"FBK-UPV-UEDIN-nowp-with-a-very-long-name-{i}" for i in range(count)]
    made = evaluation_of(
        [scored(n, i, {"pearson": 1 / i}) for i, n in enumerate(names, 1)], [pair(names[0], n, 0.01) for n in names[1:]]
    )
    rng = np.random.default_rng(3)
    task = task_of({name: rng.normal(size=20) for name in names}, rng.normal(size=20))
    with styled():
        for _, figure in draw_figures(made, [task]):
            figure.draw_without_rendering()
            boxes = [axes.title.get_window_extent() for axes in figure.axes]
            boxes += [axes._left_title.get_window_extent() for axes in figure.axes if axes.get_title(loc="left")]
            boxes += [label.get_window_extent() for label in figure.axes[0].yaxis.get_ticklabels() if label.get_text()]
            drawn = [box for box in boxes if box.width > 1]
            assert not any(a.overlaps(b) for i, a in enumerate(drawn) for b in drawn[i + 1 :])


def test_names_are_shown_as_they_are(task_of, pair, evaluation_of, scored):
    names = ["$x^2$ & %_", r"$\frac$", "系统", "tab\tnew\nline"]
    made = evaluation_of([scored(n, i, {}) for i, n in enumerate(names)], [pair(names[0], n, 0.01) for n in names[1:]])
    with styled(), warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        figure = significance_figure(made)
        assert labels(figure.axes[0].yaxis) == ["$x^2$ & %_", r"$\frac$", "系统", "tab·new·line"]
        assert images(figure)["svg"].startswith(b"<?xml")
        assert images(figure)["png"].startswith(b"\x89PNG")


def test_long_names_keep_both_ends():
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 7) == "abc…ijk"
    assert len(shortened("x" * 99, 34)) == 34


def test_gold_is_the_same_in_every_panel(task):
    assert all(item.gold.tolist() == [0, 1, 2, 3, 4] for item in predictions(task))
