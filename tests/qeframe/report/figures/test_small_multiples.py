"""Figures with one panel for each submission."""

import pytest

from qeframe.report.figures.small_multiples import corner_text, panels


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


def test_long_names_are_shortened():
    _, (axes,) = panels(["x" * 80], width=1.0, height=1.0, across="", up="")
    assert len(axes.get_title(loc="left")) <= 15


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
