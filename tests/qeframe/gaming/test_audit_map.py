"""The heat map of an audit."""

import math

import attrs
import pytest
from matplotlib.colors import to_hex

from qeframe.gaming.audit_map import audit_figure, color_of


@pytest.mark.parametrize(
    ("value", "color"),
    [
        (0.9, "#7f2704"),
        (0.5, "#7f2704"),
        (0.49, "#d94801"),
        (0.1, "#fd8d3c"),
        (0.05, "#fdbe85"),
        (0.02, "#feedde"),
        (0.0199, "#ffffff"),
        (-1.0, "#ffffff"),
        (math.nan, "#cccccc"),
    ],
)
def test_colors_have_a_least_index(value, color):
    assert color_of(value) == color


def test_a_block_for_each_group_of_attacks(audit):
    figure = audit_figure(audit)
    first, second = figure.axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["weak", "safe"]
    assert [label.get_text() for label in first.get_xticklabels()] == ["gaming index", "all_bad", "shift", "most"]
    assert [label.get_text() for label in second.get_yticklabels()] == ["other"]
    cells = [to_hex(patch.get_facecolor()) for patch in first.patches]
    assert cells == [
        *("#d94801", "#d94801", "#ffffff", "#e4ebf1"),  # the informed attack has a color of its own
        *("#ffffff", "#ffffff", "#ffffff", "#e4ebf1"),
    ]
    assert [text.get_text() for text in first.texts] == [".30", ".30", ".60"]
    assert [text.get_weight() for text in first.texts] == ["bold", "normal", "normal"]


def test_metrics_above_the_limit_are_left_out(audit):
    assert [len(axes.get_yticklabels()) for axes in audit_figure(audit, most=1).axes] == [1, 1]


def test_without_attacks_there_is_no_figure(audit):
    bare = tuple(attrs.evolve(metric, attacks=()) for metric in audit.metrics)
    assert audit_figure(attrs.evolve(audit, metrics=bare)) is None
