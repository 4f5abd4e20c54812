"""What all figures share."""

import struct

from matplotlib.figure import Figure

from qeframe.report.figures.significance import significance_figure
from qeframe.report.figures.style import shortened, styled


def test_long_names_keep_both_ends():
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 7) == "abc…ijk"
    assert len(shortened("x" * 99, 34)) == 34


def test_a_figure_is_one_of_matplotlib_and_a_picture(evaluation):
    with styled():
        drawn = significance_figure(evaluation)
    assert isinstance(drawn, Figure)
    picture = drawn._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert min(struct.unpack(">II", picture[16:24])) > 100
    assert picture == drawn._repr_png_()
