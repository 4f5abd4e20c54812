"""A figure that notebooks show. It needs matplotlib, which is imported with this module alone."""

from matplotlib.figure import Figure

from qeframe.report.figures.style import images, styled


class DrawnFigure(Figure):
    """A matplotlib figure with a picture of itself for notebooks. Its background is white in a dark one too."""

    def _repr_png_(self) -> bytes:
        with styled():
            return images(self, ["png"])["png"]
