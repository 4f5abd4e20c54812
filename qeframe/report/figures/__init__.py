"""The figures of results. They need matplotlib.

A function here takes a result and returns a matplotlib `Figure`, or None if the result has nothing to draw. `style` has
what all figures share. The package below is `qeframe.report.tables`.
"""

from qeframe.report.figures.correlations import correlations_figure
from qeframe.report.figures.significance import significance_figure
from qeframe.report.figures.style import available, images, styled

__all__ = ["available", "correlations_figure", "images", "significance_figure", "styled"]
