"""Scatter plots of gold and prediction."""

from qeframe.report.figures import (
    scatter_figure,
)


def said(axes):
    return [text.get_text() for text in axes.texts]


def test_scatter_counts_what_lies_outside_four_deviations(task_of):
    values = [*[0.0] * 99, 1000]
    figure = scatter_figure(task_of({"a": values}, range(100)))
    assert said(figure.axes[0])[0].endswith("\n1 outside")
