"""The heat map of correlations."""

import numpy as np
import pytest

from qeframe.report.figures import (
    correlations_figure,
)
from qeframe.statistics.correlation import pearson_matrix


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def said(axes):
    return [text.get_text() for text in axes.texts]


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
