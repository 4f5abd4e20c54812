"""Curves of correlations, and the scatter plot of two judges."""

import attrs
import numpy as np
import pytest

from qeframe.data.reading import Assessments
from qeframe.report.figures import images, styled
from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve
from qeframe.studies.figures import curves_figure, judges_figure, power_figure
from tests.qeframe.studies.test_tables import STUDY

NAN = float("nan")


def curve(name, values, references=1, scale="rank"):
    return AgreementCurve(
        name=name, scale=scale, references=references, sizes=(1, 10), values=np.array(values, dtype=float)
    )


CURVES = [
    curve("bleu", [[0.2, NAN, 0.4], [0.6, 0.6, 0.6]]),
    curve("gtm_f", [[0.1, NAN, 0.3], [0.9, 0.7, 0.8]], references=2),
    curve(BETWEEN_JUDGES, [[NAN, 1, 0], [1, 1, 1]], references=0),
]


def test_picture_of_curves():
    both = [*CURVES, curve("bleu", [[-0.1] * 3] * 2, scale="fluency")]
    with styled():
        figure = curves_figure(both)
        drawn = images(figure)
    left, right = figure.axes
    assert (left.get_xscale(), [label.get_text() for label in left.get_xticklabels()]) == ("log", ["1", "10"])
    assert [list(line.get_ydata()) for line in left.lines] == [pytest.approx(one.mean.tolist()) for one in CURVES]
    assert {text.get_text() for text in left.texts} == {"bleu", "gtm_f, 2 references", "between judges"}
    heights = sorted(text.get_position()[1] for text in left.texts)
    assert min(np.diff(heights)) * left.get_position().height * figure.get_figheight() > 0.16
    assert right.lines[0].get_color() == left.lines[0].get_color()
    assert right.get_ylim()[0] < -0.1
    assert drawn["png"].startswith(b"\x89PNG")


def test_picture_of_judges():

    def looks(judges):
        values = np.array([[1.0, 2, 4], [1, 3, NAN]])
        return Assessments(
            scale="rank", systems=("A", "B", "C"), segments=np.array([1, 1]), judges=judges, values=values
        )

    with styled():
        assert judges_figure(looks(("ann", "ann"))) is None
        figure = judges_figure(looks(("ann", "ben")))
    assert figure.axes[0].get_title(loc="left").startswith("rank: 2 translations seen twice, r = ")
    points = figure.axes[0].collections[0].get_offsets()
    assert len(points) == 4
    np.testing.assert_allclose(sorted(points[:, 0]), sorted(points[:, 1]))


def test_a_panel_for_each_pair_with_a_curve():
    with styled():
        figure = power_figure(STUDY)
        assert figure is not None
        drawn = images(figure)
    first, second = figure.axes
    assert [axes.get_title(loc="left") for axes in (first, second)] == ["b", "c"]
    assert list(first.lines[0].get_ydata()) == [0.25, 0.5]
    assert list(first.lines[1].get_ydata()) == [0.3, 0.45]
    assert (first.get_xscale(), first.texts[0].get_text()) == ("log", "80 %: 412")
    assert list(first.lines[4].get_xdata()) == [200]
    assert figure.get_supxlabel() == "segments; a against each"
    (legend,) = figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert [word.split()[0] for word in words] == ["power", "its", "chance", "segments", "power", "power"]
    assert words[3:5] == [f"segments that there are: {STUDY.units}", "power asked for: 80 %"]
    assert drawn["svg"].startswith(b"<?xml")


def test_pairs_of_different_leaders_are_named_in_full():
    other = attrs.evolve(STUDY.curves[0], better="a very long name of a system", worse="b")
    with styled():
        figure = power_figure(attrs.evolve(STUDY, curves=(STUDY.curves[0], other), sizes=np.array([120, 900])))
    assert figure is not None
    assert figure.axes[1].get_title(loc="left") == "a very…system – b"
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["300"]


def test_no_curve_no_picture():
    assert power_figure(attrs.evolve(STUDY, curves=STUDY.curves[2:])) is None
