"""Sphinx extension: signatures of attrs classes show their defaults, and protocols show no signature.

The constructor that attrs writes takes a default from a dictionary, and autodoc would print that.
"""

import inspect
import re
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]

_DEFAULT = re.compile(r"=(?:attr_dict\['(?P<name>\w+)'\]\.default|NOTHING)")


def _show_defaults(
    sphinx: "Sphinx", what: str, name: str, value: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None] | None:
    if what != "class" or signature is None:
        return None
    if getattr(value, "_is_protocol", False):
        return "", None
    if not attrs.has(value):
        return None
    defaults = {field.name: field.default for field in attrs.fields(value)}
    return _DEFAULT.sub(
        lambda match: f"={_printed(defaults[match['name']]) if match['name'] else '...'}", signature
    ), returns


def _printed(default: Any) -> str:
    """Return a default as a reader would write it, a function by its name; long ones as three dots."""
    if inspect.isroutine(default) or inspect.isclass(default):
        return str(default.__name__)
    return repr(default) if len(repr(default)) < 40 else "..."


def setup(sphinx: "Sphinx") -> dict[str, bool]:
    """Register the extension."""
    sphinx.setup_extension("sphinx.ext.autodoc")
    sphinx.connect("autodoc-process-signature", _show_defaults)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
