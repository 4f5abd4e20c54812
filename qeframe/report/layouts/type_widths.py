"""How wide texts are in Computer Modern, the type of LaTeX: estimates that are rather too large than too small."""

from __future__ import annotations

import math
from functools import cache

from attrs import frozen


@frozen
class TypeSize:
    r"""A size of type: the command that chooses it, the height of a line, and the size of an em, in points.

    Small type is set wider than its size says, so that an em of ``\footnotesize`` is more than 8 points.
    """

    command: str
    line: float
    em: float

    def lines(self, text: str, width: float) -> int:
        """Return how many lines a paragraph takes at a width in points: at least one, words are not divided."""
        return max(1, math.ceil(1.2 * text_width(text) * self.em / width))


SMALL = TypeSize(r"\small", 11.0, 9.25)
FOOTNOTE = TypeSize(r"\footnotesize", 9.5, 8.5)

_BOLD = 1.16
_CLASSES = {
    "ijl.,:;'|![]": 0.31,
    " ": 0.36,
    "frts()I-`": 0.4,
    "0123456789/–": 0.5,
    "aceghkosvxyz": 0.53,
    "w": 0.73,
    "ABCDEFGHJKLNOPQRSTUVXYZ_{}#": 0.79,
    "mMW%&@<>=+~^\\±↑↓‡•": 1.03,
}
_WIDTHS = {character: width for characters, width in _CLASSES.items() for character in characters}
_OTHERS = 0.56
"""The width of the other characters of ASCII."""


def text_width(text: str, *, strong: bool = False) -> float:
    """Return the width of a text in ems; letters beyond ASCII count as one em each."""
    width = math.fsum(map(_width, text))
    return _BOLD * width if strong else width


@cache
def _width(character: str) -> float:
    return _WIDTHS.get(character, _OTHERS if character.isascii() or character in "†≀" else 1.0)
