"""Render the templates of pages: everything that is not markup is escaped, and the page asks for nothing outside it.

The style and the script are inside the page. Its policy (Content-Security-Policy) allows these two by their hashes and
nothing else: a name that slipped through the escapes would still be no script.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import math
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from qeframe.core.errors import one_line

if TYPE_CHECKING:
    from jinja2 import Environment


_EARLY = 'document.documentElement.className = "scripted";'
"""What runs before the first paint, so that panels that are not shown are not laid out."""


def render(template: str, **context: Any) -> str:
    """Return the page that a template makes.

    Parameters
    ----------
    template : str
        The name of a file in the folder ``templates``.
    **context
        The names that the template uses; texts are escaped.

    Returns
    -------
    str
        HTML with the style and the script inside.
    """
    style, script = _source("page.css"), _source("page.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            "img-src data:",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(_EARLY)}' '{_hash(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    inside = {"style": Markup(style), "script": Markup(script), "early": Markup(_EARLY), "policy": policy}
    return _environment().get_template(template).render(**inside, **context)


def fragment(template: str, **context: Any) -> str:
    """Return a part of a page, for a notebook, with a style that holds inside it only; texts are escaped."""
    return _environment().get_template(template).render(style=Markup(_source("fragment.css")), **context)


def embedded_json(value: Any) -> Markup:
    """Return JSON for the inside of a script element of type application/json: no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def breakable(text: str) -> Markup:
    """Return an escaped text that may be broken after underscores, and before a capitalized word within a name."""
    return Markup("<wbr>").join(re.split(r"(?<=_)|(?<=[a-z0-9])(?=[A-Z][a-z])", one_line(text)))


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["embedded_json"] = embedded_json
    environment.filters["breakable"] = breakable
    return environment


def _visible(value: Any) -> Any:
    """Return a text with its unprintable characters escaped, so that no name is shown as another; markup as it is."""
    return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@functools.cache
def _source(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def element(name: str, *children: str, **attributes: object) -> Markup:
    """Return an element; the text of children is escaped unless it is markup, and so are the values of attributes.

    Characters of texts that are not printed, such as marks of direction, are shown by their codes.

    An underscore in the name of an attribute becomes a hyphen; one at its end is left out.

    Parameters
    ----------
    name : str
    *children : str
        Texts, or elements as markup.
    **attributes
        None: the attribute is not written.

    Returns
    -------
    Markup
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(c if isinstance(c, Markup) else escape(one_line(c)) for c in children)
    return Markup(f"<{name}{written}>{inside}</{name}>")  # a page has thousands: the formatter of `Markup` takes longer


def picture(title: str, *children: str, width: float, height: float, **attributes: object) -> Markup:
    """Return an SVG that a screen reader announces by its title.

    Parameters
    ----------
    title : str
    *children : str
        As for `element`.
    width, height : float
        In units of the drawing.
    **attributes
        Of the element ``svg``.

    Returns
    -------
    Markup
    """
    return element(
        "svg",
        element("title", title),
        *children,
        viewBox=f"0 0 {decimal(width)} {decimal(height)}",
        role="img",
        **attributes,
    )


def decimal(value: float) -> str:
    """Return a coordinate with at most one decimal.

    Parameters
    ----------
    value : float
        Finite.

    Returns
    -------
    str
    """
    return f"{value:.1f}".removesuffix(".0")


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers within a range: as many as fit, at most `most`, at least one if the range holds one.

    `low`, `high`: Finite, low < high.
    """
    for exponent in range(math.floor(math.log10((high - low) / most)), 308):
        for step in (1, 2, 5):
            size = step * 10.0**exponent
            first, last = math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)
            if last - first < most:
                return [float(f"{number * size:.12g}") for number in range(first, last + 1)]
    return []


def steps(heights: Sequence[float], *, width: float, height: float, top: float) -> str:
    """Return the path of a histogram's outline from the left end of the base line to its right end."""
    side = width / len(heights)
    y = [decimal(height * (1 - min(value, top) / top)) for value in heights]
    return f"M0 {decimal(height)}" + "".join(f"V{at}h{side:.3g}" for at in y) + f"V{decimal(height)}"
