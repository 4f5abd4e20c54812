"""Figures that notebooks show, whatever backend matplotlib has."""

import struct

from matplotlib.figure import Figure

from qeframe.report.figures.significance import significance_figure
from qeframe.report.figures.style import styled


def test_a_figure_is_one_of_matplotlib_and_a_picture(evaluation):
    with styled():
        drawn = significance_figure(evaluation)
    assert isinstance(drawn, Figure)
    picture = drawn._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert min(struct.unpack(">II", picture[16:24])) > 100
    assert picture == drawn._repr_png_()
