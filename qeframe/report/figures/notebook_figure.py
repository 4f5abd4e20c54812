"""A figure that a notebook shows as it is, without pyplot. Import this module only where figures are drawn."""

from __future__ import annotations

from matplotlib.figure import Figure

from qeframe.report.figures.style import images, styled


class DrawnFigure(Figure):
    """A matplotlib figure with a picture of itself for notebooks. Its background is white in a dark one too."""

    def _repr_png_(self) -> bytes:
        with styled():
            return images(self, ["png"])["png"]
