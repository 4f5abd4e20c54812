"""Sphinx extension: writes the pages of the registry, the command line and `qeframe.plugin` before sources are read."""

from pathlib import Path
from typing import TYPE_CHECKING

from class_table import class_table
from command_page import command_page
from law_table import law_table
from plugin_page import plugin_page
from registry_pages import registry_pages

import qeframe
from qeframe import errors
from qeframe.cli.app import app

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["generated_pages", "setup"]

FOLDER = "reference/generated"


def generated_pages() -> dict[str, str]:
    """Return the Markdown of every generated page by its path below the folder."""
    described = frozenset(qeframe.__all__)
    return {
        **registry_pages(qeframe.load()),
        "classes.inc": class_table() + "\n",
        "command_line.md": command_page(app),
        "laws.inc": law_table() + "\n",
        "plugin.md": plugin_page(described | frozenset(errors.__all__) | {"Table"}),
    }


def _write(sphinx: "Sphinx") -> None:
    """Write what has changed, and remove pages of what no longer exists."""
    folder = Path(sphinx.srcdir) / FOLDER
    pages = generated_pages()
    known = {folder / name for name in pages}
    for page in folder.rglob("*.md") if folder.exists() else ():
        if page not in known:
            page.unlink()
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text:
            (folder / name).write_text(text, encoding="utf-8")


def setup(sphinx: "Sphinx") -> dict[str, bool]:
    """Register the extension."""
    sphinx.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
