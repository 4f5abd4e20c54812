"""The marks of annotators: errors in a text, on ``[missing]``, or on ``[instructions fault]``.

An annotation tool counts as JavaScript does: in units of UTF-16, so that an emoji has two, and its ends are inclusive.
After the text there are the two tokens, as one unit each. Everything else counts code points, with exclusive ends.
"""

from bisect import bisect_left
from itertools import accumulate
from typing import Literal

from attrs import frozen

from qeframe_wmt.formats.json_lines import Fields

Beyond = Literal["error", "clip"]  # what happens to a span that ends after its text; a clipped one is counted
On = Literal["text", "missing", "instructions fault"]

SCORED = ("minor", "major")
_SEVERITIES = (*SCORED, "neutral", "undecided", None)
_MISSING = "missing"
_CUT = "mark characters of the text, or set beyond=clip in the reader"
_TOKENS: tuple[On, On] = ("missing", "instructions fault")


@frozen
class Mark:
    """An error that an annotator marked."""

    start: int  # code points, the end exclusive; both -1 for a mark on a token
    end: int
    severity: str | None  # "minor", "major", "neutral", "undecided" or None
    on: On = "text"
    clipped: bool = False

    @property
    def is_scored(self) -> bool:
        """Whether the severity counts in span scores."""
        return self.severity in SCORED


class Offsets:
    """The places in one text, from units of UTF-16 to code points.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self._starts: list[int] | None = (
            None  # the first unit of every code point, and the end; None: unit = code point
        )
        if not text.isascii() and max(text) > "\uffff":
            self._starts = [0, *accumulate(1 + (character > "\uffff") for character in text)]
            self.length = self._starts[-1]

    def token_at(self, start: int, end: int) -> On | None:
        """Return the token that is marked; None for a span of the text."""
        place = start - self.length
        return _TOKENS[place] if start == end and 0 <= place < len(_TOKENS) else None

    def code_point(self, unit: int) -> int | None:
        """Return the number of code points before a unit from 0 to `length`; None between the halves of one."""
        if self._starts is None:
            return unit
        position = bisect_left(self._starts, unit)
        return position if self._starts[position] == unit else None


def read_mark(fields: Fields, offsets: Offsets, *, tokens: bool, beyond: Beyond) -> Mark:
    """Read a mark, an object with start_i, end_i and severity.

    Parameters
    ----------
    offsets : Offsets
        Of the marked text.
    tokens : bool
        Whether the two tokens are after the text, as in 2026. In 2025 start and end are "missing" for the first one.
    beyond : {"error", "clip"}
        Whether a span that begins in the text and ends after it is refused, or cut.

    Raises
    ------
    DataError
        For offsets that cannot be of this text: beyond it, or between the halves of a character.
    """
    severity = fields.choice("severity", _SEVERITIES, "severity")
    start, end = (fields.get(key, int, str) for key in ("start_i", "end_i"))
    if start == end == _MISSING and not tokens:
        return Mark(-1, -1, severity, "missing")
    if not (isinstance(start, int) and isinstance(end, int)) or not 0 <= start <= end:
        remedy = 'units of UTF-16 count from 0, the end is inclusive; in 2025 "missing" twice for [missing]'
        raise fields.error(f"'{fields.where}' marks '{start}' to '{end}'".replace(".'", "'", 1), remedy=remedy)
    if tokens and (token := offsets.token_at(start, end)) is not None:
        return Mark(-1, -1, severity, token)
    clipped = end >= offsets.length > start and beyond == "clip"
    first = offsets.code_point(start) if start < offsets.length else None
    after = offsets.code_point(min(end + 1, offsets.length)) if clipped or end < offsets.length else None
    if first is None or after is None:
        inside = end < offsets.length
        why = (
            "that is between the halves of a character" if inside else f"the text has {offsets.length} units of UTF-16"
        )
        what = f"'{fields.where[:-1]}' marks {start} to {end}, the end inclusive; {why}"
        remedy = "give the text that was annotated" if tokens or inside else _CUT
        raise fields.error(what, remedy=remedy)
    return Mark(first, after, severity, clipped=clipped)
