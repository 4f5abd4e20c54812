"""What a file looks like: the layouts of the shared tasks, told apart by their first lines.

A layout is declared by the reader of a profile and never guessed. This is asked only to say of a file that is not in
the declared layout which one it seems to have.
"""

from __future__ import annotations

import re
from itertools import islice, takewhile

from attrs import frozen

from qeframe.plugin import SPELLINGS, TextFile

__all__ = ["TAG_LINES", "Layout", "layout_of", "refuse_other_layout"]

_MOST_HEADER_LINES = 3
_TYPES = {"mt", "gap", "source"}
_SENTENCE_OF_2014 = re.compile(r"\d+\.\d+")
_NUMBER = re.compile(r"-?\d*\.?\d+(e-?\d+)?")


@frozen
class Layout:
    """A layout: how it is described, and the reader of submissions that have it."""

    description: str
    reader: str


TAG_LINES = Layout("plain tag lines", "tag_lines")


def layout_of(file: TextFile) -> Layout | None:
    """Return the layout that the first lines of a file have, None if they have none that is known."""
    beginning = next((line for line in file.lines if line.strip()), "").split()
    if beginning and set(beginning) <= set(SPELLINGS):
        return TAG_LINES
    if "start_indices" in file.lines[0].split("\t"):
        return Layout("a table of spans with a header", "spans_2025")
    header = sum(1 for _ in takewhile(lambda line: "\t" not in line, islice(file.lines, _MOST_HEADER_LINES)))
    header = header if header < len(file.lines) and "\t" in file.lines[header] else 0
    return _of_columns(file.lines[header], header)


def _of_columns(line: str, header: int) -> Layout | None:
    by_tab, by_blank = line.split("\t"), line.split()
    if len(by_blank) == 6 and _SENTENCE_OF_2014.fullmatch(by_blank[0]) and by_blank[1].isdecimal():
        return Layout("six columns (sentence, index, word, three tags)", "word_columns_2014")
    match by_tab:
        case [_, _, kind, segment, index, _, _] if kind.lower() in _TYPES and (segment + index).isdecimal():
            what = f"7 columns by tabs (LP METHOD TYPE SENT_ID WORD_IDX WORD TAG) after {_lines(header)}"
            return Layout(what, f"word_columns_2020(header_lines={header})")
        case [_, _, segment, _, _, _, _] if segment.isdecimal():
            what = f"7 columns by tabs (LP METHOD SEG TARGET STARTS ENDS TYPES) after {_lines(header)}"
            return Layout(what, f"spans_2023(header_lines={header})")
        case [_, segment, index, _, _] if (segment + index).isdecimal():
            return Layout("5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)", "word_columns_2015")
        case [_, _, segment, score] if segment.isdecimal() and _NUMBER.fullmatch(score):
            return Layout(f"scores of sentences after {_lines(header)}", f"qe_sentence(header_lines={header})")
    return None


def _lines(header: int) -> str:
    return f"{header} header line{'' if header == 1 else 's'}"


def refuse_other_layout(file: TextFile, wanted: Layout, *, gold: bool = False, header_apart: bool = False) -> None:
    """Raise a `DataError` if a file looks like another layout than the wanted one.

    Parameters
    ----------
    gold : bool
        Whether it is the gold of a task, for which no other reader would do.
    header_apart : bool
        Whether another number of header lines is told apart elsewhere.
    """
    found = layout_of(file)
    if found is None or found.reader == wanted.reader:
        return
    if header_apart and found.reader.partition("(")[0] == wanted.reader:
        return
    remedy = f"give the gold as {wanted.description}" if gold else f"use reader={found.reader}"
    raise file.error(f"looks like {found.description}, not like {wanted.description}", line=1, remedy=remedy)
