"""Sphinx extension: in the docstring of an attribute, text before a colon is a sentence, not a type.

Napoleon reads it as a type. The colons are hidden from Napoleon and restored afterwards.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]

_ATTRIBUTES = {"attribute", "data", "property"}
_HIDDEN = "\ue000"


def _hide(sphinx: "Sphinx", what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    if what in _ATTRIBUTES:
        lines[:] = [line.replace(":", _HIDDEN) for line in lines]


def _show(sphinx: "Sphinx", what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    if what in _ATTRIBUTES:
        lines[:] = [line.replace(_HIDDEN, ":") for line in lines]


def setup(sphinx: "Sphinx") -> dict[str, bool]:
    """Register the extension; napoleon listens with priority 500."""
    sphinx.setup_extension("sphinx.ext.autodoc")
    sphinx.connect("autodoc-process-docstring", _hide, priority=400)
    sphinx.connect("autodoc-process-docstring", _show, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
