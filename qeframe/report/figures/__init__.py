"""The figures of results. They need matplotlib.

A function here takes a result and returns a matplotlib `Figure`, or None if the result has nothing to draw. `style` has
what all figures share. The package below is `qeframe.report.tables`.
"""

from qeframe.report.figures.evaluation_figures import draw_figures
from qeframe.report.figures.predictions import correlations_figure, distributions_figure, scatter_figure
from qeframe.report.figures.significance import significance_figure
from qeframe.report.figures.style import available, images, styled

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
