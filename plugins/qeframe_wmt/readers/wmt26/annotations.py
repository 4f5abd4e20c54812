"""Human annotation of translations: the scores and the marked errors of every annotator, and what is made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from attrs import field, frozen

from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields
from qeframe_wmt.readers.wmt26.item_ids import Item

Ends = Literal["inclusive", "exclusive"]
"""Whether the end of a marked span is its last character, or the first one after it."""

Beyond = Literal["error", "clip"]  # what happens to a span that ends after its text

SCORED = ("minor", "major")
_UNSCORED = ("neutral", "undecided", None)
_MISSING = "missing"


@frozen
class Mark:
    """An error that an annotator marked."""

    start: int  # characters, the end exclusive; both -1 for a mark on ``[missing]``
    end: int
    severity: str | None  # "minor", "major", "neutral", "undecided" or None

    @property
    def is_missing(self) -> bool:
        """Whether the mark is on ``[missing]``: something of the source is not in the translation."""
        return self.start < 0

    @property
    def is_scored(self) -> bool:
        """Whether the severity counts in span scores."""
        return self.severity in SCORED


@frozen
class Annotation:
    """What one annotator said of one translation: a score from 0 to 100, and marks; "" if the name is not known."""

    score: float
    marks: tuple[Mark, ...]
    annotator: str = ""


@frozen(eq=False)
class Translation:
    """A translation of an item by a system, with at least one annotation, and its line in the file."""

    item: Item
    system: str
    text: str
    annotations: Sequence[Annotation]
    line: int

    @property
    def name(self) -> str:
        """The name of the translation for messages."""
        return f"{self.item.key}/{self.system}"


@frozen(eq=False)
class Gold:
    """The annotated translations of a file, no item and system twice, and what was left out."""

    file: TextFile
    translations: Sequence[Translation]
    # how often something was left out: the language pair, what it is, and why
    left_out: Counter[tuple[str, str, str]] = field(factory=Counter)
    systems: Sequence[str] = ()  # all systems of the file, those that were left out too


@frozen
class MarkRule:
    """How marks are read."""

    ends: Ends = "inclusive"
    beyond: Beyond = "error"  # with "clip" it is cut at the end of the text and counted
    missing_after_text: bool = False  # whether a mark on the position after the last character is one on ``[missing]``


def parse_marks(
    errors: Sequence[Fields], text: str, rule: MarkRule, left_out: Counter[tuple[str, str, str]], pair: str
) -> tuple[Mark, ...]:
    """Read the marks of an annotation: objects with start_i, end_i and severity."""
    return tuple(_mark(error, len(text), rule, left_out, pair) for error in errors)


def _mark(fields: Fields, length: int, rule: MarkRule, left_out: Counter[tuple[str, str, str]], pair: str) -> Mark:
    severity = fields.get("severity", str, type(None))
    if severity not in (*SCORED, *_UNSCORED):
        known = ", ".join((*SCORED, "neutral", "undecided"))
        raise fields.error(f"unknown severity '{severity}' in '{fields.where}severity'", remedy=f"give {known} or null")
    start, end = (fields.get(key, int, str) for key in ("start_i", "end_i"))
    if start == end == _MISSING or (rule.missing_after_text and start == length == end):
        return Mark(-1, -1, severity)
    after = end + (rule.ends == "inclusive") if isinstance(end, int) else -1
    if not (isinstance(start, int) and isinstance(end, int)) or not 0 <= start <= after:
        remedy = f'characters count from 0, the end is {rule.ends}; "missing" twice for [missing]'
        raise fields.error(f"'{fields.where}' marks '{start}' to '{end}'".replace(".'", "'", 1), remedy=remedy)
    if after > length and (rule.beyond == "error" or start > length):
        what = f"'{fields.where[:-1]}' marks {start} to {end}, the end {rule.ends}; the text has {length} characters"
        raise fields.error(what, remedy="mark characters of the text, or set beyond=clip in the reader")
    if after > length:
        left_out[pair, "span", "cut at the end of the text in the gold"] += 1
    return Mark(start, min(after, length), severity)
