"""The bitext grid as a figure."""

import pytest

from qeframe.core.batches.word_alignment import Alignment, MatchedBlock

PAPER = Alignment(tuple("DABCDXBFG"), (tuple("ABCDEBFG"),), (MatchedBlock(1, 0, 0, 4), MatchedBlock(6, 0, 5, 3)))


TWO = Alignment(
    ("a", "b", "d", "e"), (("a", "b", "c"), ("d", "e")), (MatchedBlock(0, 0, 0, 0.5), MatchedBlock(2, 1, 0, 2))
)


@pytest.mark.parametrize("alignment", [PAPER, TWO, Alignment((), ((),), ()), Alignment(("$a_b$",), (("x",), ()), ())])
def test_picture(alignment):
    pytest.importorskip("matplotlib")
    from qeframe.report.figures import images, styled
    from qeframe.report.figures.bitext_grid import grid_figure

    with styled():
        figure = grid_figure(alignment, "a caption")
        drawn = images(figure)
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == list(alignment.candidate)
    assert [label.get_text() for label in axes.get_xticklabels()] == [w for r in alignment.references for w in r]
    assert len(axes.patches) == 2 * len(alignment.blocks)
    assert sum(line.get_marker() == "o" for line in axes.lines) == len(alignment.hits)
    assert [text.get_text() for text in figure.texts] == ["a caption"]
    assert drawn["svg"].startswith(b"<?xml")
