"""Figures: the significance matrix, the correlations, the bitext grid, and what figures share."""

import math
import struct
import subprocess
import sys
import warnings

import numpy as np
import pytest
from matplotlib.figure import Figure

from qeframe import Result, Submission, Task
from qeframe.kinds.texts.alignments import Alignment, MatchedBlock
from qeframe.plugin import Batch
from qeframe.report.figures import correlations_figure, images, significance_figure, styled
from qeframe.report.figures.evaluation_figures import figure_makers, file_stems
from qeframe.report.figures.grid import grid_figure
from qeframe.report.figures.significance import shades_of
from qeframe.report.figures.small_multiples import corner_text, panels
from qeframe.report.figures.style import shortened
from qeframe.statistics.correlation import pearson_matrix

PAPER = Alignment(tuple("DABCDXBFG"), (tuple("ABCDEBFG"),), (MatchedBlock(1, 0, 0, 4), MatchedBlock(6, 0, 5, 3)))


TWO = Alignment(
    ("a", "b", "d", "e"), (("a", "b", "c"), ("d", "e")), (MatchedBlock(0, 0, 0, 0.5), MatchedBlock(2, 1, 0, 2))
)


@pytest.mark.parametrize("alignment", [PAPER, TWO, Alignment((), ((),), ()), Alignment(("$a_b$",), (("x",), ()), ())])
def test_picture(alignment):
    with styled():
        figure = grid_figure(alignment, "a caption")
        drawn = images(figure)
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == list(alignment.candidate)
    assert [label.get_text() for label in axes.get_xticklabels()] == [w for r in alignment.references for w in r]
    assert len(axes.patches) == 2 * len(alignment.blocks)
    assert sum(line.get_marker() == "o" for line in axes.lines) == len(alignment.hits)
    assert [text.get_text() for text in figure.texts] == ["a caption"]
    assert drawn["svg"].startswith(b"<?xml")


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def said(axes):
    return [text.get_text() for text in axes.texts]


def test_pearson_matrix_agrees_with_numpy_and_leaves_constants_undefined():
    values = np.random.default_rng(5).normal(1e6, 1, (4, 50))
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


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def test_other_kinds_of_batch_are_skipped():
    other = Task(name="t", batches={Submission(n): Batch(ids=np.arange(3)) for n in "ab"})
    assert correlations_figure(other) is None


def test_correlations_need_no_gold(task_of):
    assert correlations_figure(task_of({"a": [1.0, 2, 3], "b": [3.0, 1, 2]}, None)) is not None


def test_several_tasks_have_file_names_of_their_own(evaluation, task_of):
    tasks = [task_of({"first": [1.0, 2], "second": [2.0, 1]}, [1, 2], name=name) for name in ("en-de", "a/b")]
    stems = [stem for stem, _ in figure_makers(evaluation, tasks)]
    assert stems == ["significance", "correlations-en-de", "correlations-a_b"]


def test_file_names_never_clash_and_never_leave_the_folder():
    assert file_stems("correlations", ["x"]) == ["correlations"]
    assert file_stems("correlations", ["a/b", "a b", "A b", ""]) == [
        "correlations-a_b",
        "correlations-a_b_",
        "correlations-A_b__",
        "correlations",
    ]
    assert file_stems("correlations", ["../x", "y"])[0] == "correlations-.._x"


@pytest.mark.parametrize("count", [12])
def test_labels_and_titles_do_not_overlap(evaluation_of, scored, pair, task_of, count):
    names = [f"FBK-UPV-UEDIN-nowp-with-a-very-long-name-{i}" for i in range(count)]
    made = evaluation_of(
        [scored(n, i, {"pearson": 1 / i}) for i, n in enumerate(names, 1)], [pair(names[0], n, 0.01) for n in names[1:]]
    )
    rng = np.random.default_rng(3)
    task = task_of({name: rng.normal(size=20) for name in names}, rng.normal(size=20))
    with styled():
        for _, draw in figure_makers(made, [task]):
            figure = draw()
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


def test_shades_darken_with_smaller_p_and_follow_the_verdict(pair):
    pairs = [pair("a", "b", 0.049), pair("a", "c", 0.0099), pair("b", "c", 0.0009), pair("b", "d", 0.2)]
    assert shades_of(pairs, "abcd", 0.05).tolist() == [[1, 2, 3, 0], [0, 1, 4, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert shades_of([pair("a", "b", 0.01, p_adjusted=0.05)], "ab", 0.05)[0, 1] == 2
    assert shades_of([pair("a", "b", 0.5, p_adjusted=0.001)], "ab", 0.05)[0, 1] == 0


def test_pairs_that_were_not_tested_have_a_shade_of_their_own(evaluation_of, scored, pair):
    pairs = [pair("a", "b", 0.001), pair("a", "c", math.nan), pair("b", "c", math.nan)]
    assert shades_of(pairs, "abc", 0.05).tolist() == [[1, 3, -1], [0, 1, -1], [-1, -1, 1]]
    scores = [scored(name, rank, {"pearson": 0.5}) for rank, name in enumerate("abc", 1)]
    figure = significance_figure(evaluation_of(scores, pairs))
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend[-1] == "n/a: not tested"


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
    ((stem, draw),) = figure_makers(made, [])
    assert stem == "significance"
    assert labels(draw().axes[0].yaxis) == ["b", "a"]


def test_comparisons_under_other_metrics_make_no_matrix(evaluation_of, scored, pair):
    made = evaluation_of([scored("a", 1, {}), scored("b", 2, {})], [pair("a", "b", 0.5, metric="mae")])
    assert significance_figure(made) is None
    assert list(figure_makers(made, [])) == []


@pytest.mark.parametrize(("count", "columns", "rows"), [(1, 1, 1), (3, 3, 1), (6, 3, 2), (7, 4, 2), (13, 5, 3)])
def test_panels_are_row_by_row(count, columns, rows):
    names = [f"s{n}" for n in range(count)]
    figure, axes = panels(names, width=1.5, height=1.0, across="gold", up="predicted")
    assert [each.get_title(loc="left") for each in axes] == names
    assert figure.axes == axes, "cells without a submission are removed"
    corners = {(round(each.get_position().x0, 6), round(each.get_position().y0, 6)) for each in axes}
    assert len({x for x, _ in corners}) == columns
    assert len({y for _, y in corners}) == rows


def test_panels_have_their_size_and_share_their_axes():
    figure, axes = panels(["a", "b", "c", "d"], width=1.5, height=1.0, across="gold", up="predicted")
    wide, high = figure.get_size_inches()
    for each in axes:
        box = each.get_position()
        assert (box.width * wide, box.height * high) == pytest.approx((1.5, 1.0), abs=0.02)
    axes[0].set_xlim(-3, 3)
    axes[3].set_ylim(0, 9)
    assert all(each.get_xlim() == (-3, 3) and each.get_ylim() == (0, 9) for each in axes)
    assert figure.get_supxlabel() == "gold"
    assert figure.get_supylabel() == "predicted"


def test_long_names_are_shortened_in_the_middle():
    _, (axes,) = panels(["x" * 80], width=1.0, height=1.0, across="", up="")
    assert len(axes.get_title(loc="left")) <= 15
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 7) == "abc…ijk"
    assert len(shortened("x" * 99, 34)) == 34


def test_text_is_in_a_right_corner():
    _, (axes,) = panels(["a"], width=1.0, height=1.0, across="", up="")
    corner_text(axes, "")
    assert list(axes.texts) == []
    corner_text(axes, "r = 0.5")
    corner_text(axes, "n = 3", low=True)
    assert [(text.get_text(), text.get_position()) for text in axes.texts] == [
        ("r = 0.5", (0.98, 0.97)),
        ("n = 3", (0.98, 0.03)),
    ]


def test_numbers_of_neighboring_panels_do_not_touch():
    figure, axes = panels(["a", "b"], width=1.75, height=1.25, across="value", up="%")
    axes[0].set_xlim(-1.0, 1.0)
    axes[0].set_xticks([-1.0, 0.0, 1.0], ["-1.00", "0.00", "1.00"])
    figure.draw_without_rendering()
    left, right = axes[0].get_xticklabels()[-1].get_window_extent(), axes[1].get_xticklabels()[0].get_window_extent()
    digit = left.width / 4
    assert right.x0 - left.x1 > digit


def test_a_figure_is_one_of_matplotlib_and_a_picture(evaluation):
    from qeframe.report.figures.drawn_figure import DrawnFigure

    assert DrawnFigure()._repr_png_()[:4] == b"\x89PNG"
    with styled():
        drawn = significance_figure(evaluation)
    assert isinstance(drawn, Figure)
    picture = drawn._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert min(struct.unpack(">II", picture[16:24])) > 100
    assert picture == drawn._repr_png_()


def test_pages_need_no_matplotlib():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import qeframe.report.html.significance_matrix, qeframe.report.result_files.evaluation_folder\n"
        "import qeframe.gaming.audit_folder"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
