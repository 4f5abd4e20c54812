"""Sphinx extension: a notebook is a page, with the outputs that are stored in it."""

from typing import TYPE_CHECKING

from myst_parser.parsers.sphinx_ import MystParser
from notebook_cells import cells_of, markdown_of

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

__all__ = ["NotebookParser", "setup"]


class NotebookParser(MystParser):
    """Parses the Markdown that is made of a notebook."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: "nodes.document") -> None:
        """Parse the cells with what they show."""
        super().parse(markdown_of(cells_of(inputstring)), document)


def setup(sphinx: "Sphinx") -> dict[str, bool]:
    """Register the extension."""
    sphinx.add_source_suffix(".ipynb", "ipynb")
    sphinx.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
