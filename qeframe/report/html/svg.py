"""Small pictures as SVG, written directly: every text is escaped, and every picture has a title and a description."""

import math
from collections.abc import Sequence

from markupsafe import Markup, escape

from qeframe.core.errors import one_line


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
