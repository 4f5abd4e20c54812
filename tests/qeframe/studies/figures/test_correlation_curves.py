"""Curves of correlations, and the scatter plot of two judges."""

import numpy as np
import pytest

from qeframe.core.tasks.assessments import Assessments
from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve

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
    pytest.importorskip("matplotlib")
    from qeframe.report.figures import images, styled
    from qeframe.studies.figures.correlation_curves import curves_figure

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
    pytest.importorskip("matplotlib")
    from qeframe.report.figures import styled
    from qeframe.studies.figures.correlation_curves import judges_figure

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
