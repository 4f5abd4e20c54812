"""The page of any command whose result is tables: the frame of the page of a run, around `Table` values and figures."""

import base64
from collections.abc import Sequence

from attrs import frozen

from qeframe.report.html.markup import render
from qeframe.report.layouts.table import Table


@frozen
class PageFigure:
    """A figure of a page.

    `svg`: a file that a figure of `qeframe.report.figures` was written into. `text`: what the figure shows, for those
    who do not see it.
    """

    svg: bytes
    text: str

    @property
    def source(self) -> str:
        """The figure as a data URL: an image runs no script."""
        return "data:image/svg+xml;base64," + base64.b64encode(self.svg).decode()


def tables_page(
    title: str,
    tables: Sequence[Table],
    *,
    introduction: str = "",
    figures: Sequence[PageFigure] = (),
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    listed: Sequence[str] = (),
    command: str = "",
) -> str:
    """Return a page with tables as HTML: one file without a reference to another. All texts are escaped.

    Parameters
    ----------
    title : str
    tables : sequence of Table
        Each becomes a section of its own, which sorts and filters.
    introduction : str
        A paragraph below the title.
    figures : sequence of PageFigure
    notes, warnings : sequence of str
        Notes are in a list after the tables, warnings before them.
    listed : sequence of str
        Lines of code after the tables, such as counterexamples.
    command : str
        The command that makes the page again.
    """
    from importlib.metadata import version

    return render(
        "tables.html.jinja",
        title=title,
        tables=tables,
        introduction=introduction,
        figures=figures,
        notes=notes,
        warnings=warnings,
        listed=listed,
        command=command,
        version=version("qeframe"),
    )
