"""Texts as LaTeX: characters with a meaning in LaTeX are escaped, and long names can be told where to break."""

from __future__ import annotations

import re

from qeframe.core.errors import one_line

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "•": r"$\bullet$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": r"\textendash{}",
    "±": r"$\pm$",
    "≀": r"$\wr$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "§": r"\S{}",
    "¶": r"\P{}",
}
"""Brackets and stars are in braces: after a row break or a rule they would be read as its argument."""

_NEGATIVE = re.compile(r"(?<![\w.)-])-(?=\d)")
_HYPHEN = re.compile(r"-(?=-)")
"""Two hyphens in a row would be set as a dash."""

_PIECES = re.compile(r"[^\s_/.:,;=()-]{1,12}[_/.:,;=()-]{0,8}|[_/.:,;=()-]{1,8}")
"""Where a long name may break: after punctuation, else after 12 characters."""
_BREAK = r"\allowbreak{}"


def escape(text: str) -> str:
    """Return a text on one line with what LaTeX reads as a command escaped."""
    signed = _NEGATIVE.split(one_line(text))
    return "$-$".join(_HYPHEN.sub("-{}", "".join(_SPECIAL.get(c, c) for c in part)) for part in signed)


def breakable(text: str, *, longest: int = 24) -> str:
    """Return an escaped text whose words of more than ``longest`` characters may be broken."""
    pieces = []
    at = 0
    for long in re.finditer(rf"\S{{{longest + 1},}}", text):
        pieces += [escape(text[at : long.start()]), _BREAK.join(map(escape, _PIECES.findall(long[0])))]
        at = long.end()
    return "".join([*pieces, escape(text[at:])])
