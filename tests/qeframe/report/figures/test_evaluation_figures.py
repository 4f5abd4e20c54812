"""All figures of an evaluation, and the names of their files."""

import warnings

import numpy as np
import pytest

from qeframe.core.batches.base import Batch
from qeframe.core.tasks.task import Submission, Task
from qeframe.report.figures import (
    correlations_figure,
    distributions_figure,
    draw_figures,
    images,
    scatter_figure,
    significance_figure,
    styled,
)
from qeframe.report.figures.evaluation_figures import file_stems


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_other_kinds_of_batch_are_skipped():
    other = Task(name="t", batches={Submission(n): Batch(ids=np.arange(3)) for n in "ab"})
    assert [draw(other) for draw in (correlations_figure, distributions_figure, scatter_figure)] == [None] * 3


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


@pytest.mark.parametrize("count", [12])
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
