"""Figures of an evaluation, in the manner of Graham (2015); they need matplotlib."""

from qeframe.report.figures.canvas import available, images, styled
from qeframe.report.figures.correlations import correlations_figure
from qeframe.report.figures.distributions import distributions_figure
from qeframe.report.figures.gallery import draw_figures
from qeframe.report.figures.scatter import scatter_figure
from qeframe.report.figures.significance import significance_figure

__all__ = [
    "available",
    "correlations_figure",
    "distributions_figure",
    "draw_figures",
    "images",
    "scatter_figure",
    "significance_figure",
    "styled",
]
