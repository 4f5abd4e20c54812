"""The picture of power curves."""

import attrs
import numpy as np
import pytest

from tests.qeframe.studies.tables.test_power import STUDY


def test_a_panel_for_each_pair_with_a_curve():
    pytest.importorskip("matplotlib")
    from qeframe.report.figures.style import images, styled
    from qeframe.studies.figures.power_curves import power_figure

    with styled():
        figure = power_figure(STUDY)
        assert figure is not None
        drawn = images(figure)
    first, second = figure.axes
    assert [axes.get_title(loc="left") for axes in (first, second)] == ["b", "c"]
    assert list(first.lines[0].get_ydata()) == [0.25, 0.5]
    assert (first.get_xscale(), first.texts[0].get_text()) == ("log", "80 %: 412")
    assert list(first.lines[3].get_xdata()) == [200]
    assert figure.get_supxlabel() == "segments; a against each"
    assert drawn["svg"].startswith(b"<?xml")


def test_pairs_of_different_leaders_are_named_in_full():
    pytest.importorskip("matplotlib")
    from qeframe.report.figures.style import styled
    from qeframe.studies.figures.power_curves import power_figure

    other = attrs.evolve(STUDY.curves[0], better="a very long name of a system", worse="b")
    with styled():
        figure = power_figure(attrs.evolve(STUDY, curves=(STUDY.curves[0], other), sizes=np.array([120, 900])))
    assert figure is not None
    assert figure.axes[1].get_title(loc="left") == "a very…system – b"
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["300"]


def test_no_curve_no_picture():
    pytest.importorskip("matplotlib")
    from qeframe.studies.figures.power_curves import power_figure

    assert power_figure(attrs.evolve(STUDY, curves=STUDY.curves[2:])) is None
