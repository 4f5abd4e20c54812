"""Lines of tags: the tags of one sentence a line, read in a few passes over all bytes of a file."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np

from qeframe.batch import IntArray
from qeframe.errors import DataError
from qeframe.files import TextFile
from qeframe.tags import SPELLINGS, Tagged
from qeframe.task import Side

__all__ = ["check_lengths", "tags_by_line"]


def _letters() -> bytes:
    """Return the class of every byte: blank, line end, the letters of OK and BAD, and all others."""
    of_byte = bytearray([_OTHER]) * 256
    for number, characters in enumerate((b" \t", b"\n", b"O", b"K", b"B", b"A", b"D")):
        for character in characters:
            of_byte[character] = number
    return bytes(of_byte)


def _followers() -> bytes:
    """Return for every two classes of bytes, first * 8 + second, whether the second may follow the first."""
    between, ok, bad = (0, 1), (2, 3), (4, 5, 6)
    pairs = [(a, b) for a in (*between, ok[-1], bad[-1]) for b in between]
    pairs += [(a, b) for a in between for b in (ok[0], bad[0])]
    pairs += [*pairwise(ok), *pairwise(bad)]
    allowed = bytearray(256)
    for first, second in pairs:
        allowed[first * 8 + second] = 1
    return bytes(allowed)


_OTHER = 7
_LETTERS, _FOLLOWERS = _letters(), _followers()
_CODES, _LINE_END = bytes.maketrans(b"OB\n", b"\0\1\2"), 2


def tags_by_line(file: TextFile) -> tuple[IntArray, Any]:
    """Read the tags OK and BAD of one sentence a line, between blanks or tabs; sentence i is line i + 1.

    The spellings of `SPELLINGS` are accepted, an empty line is a sentence without tags.

    Raises
    ------
    DataError
        For the first word that is no tag.
    """
    text = "\n".join(file.lines)
    for spelling, name in SPELLINGS.items():
        text = text.replace(spelling, name) if spelling != name else text
    content = f"\n{text}\n".encode()
    if not _spells_tags(content):
        raise _unknown_tag(file)
    codes = content[1:].translate(_CODES, delete=b" \tKAD")
    ends = np.flatnonzero(np.frombuffer(codes, np.int8) == _LINE_END)
    offsets = np.concatenate([[0], ends - np.arange(len(ends))])
    values = np.frombuffer(codes.translate(None, delete=bytes([_LINE_END])), np.int8)
    return np.arange(len(ends)), Tagged(values, offsets)


def _spells_tags(content: bytes) -> bool:
    """Say whether there are only the words OK and BAD: no letter but the next one of its word may follow a letter."""
    letters = np.frombuffer(content.translate(_LETTERS), np.uint8)
    return b"\0" not in (letters[:-1] << 3 | letters[1:]).tobytes().translate(_FOLLOWERS)


def _unknown_tag(file: TextFile) -> DataError:
    """Return the error of the first word that is no tag."""
    line, place, word = next(
        (line, place, word)
        for line, text in enumerate(file.lines, 1)
        for place, word in enumerate(re.split(r"[ \t]+", text.strip(" \t")), 1)
        if word and word not in SPELLINGS
    )
    remedy = f"a line has the tags of one sentence, {', '.join(SPELLINGS)}"
    if "\t" in file.lines[line - 1]:
        remedy += "; the formats of shared tasks are read by 'qeframe run PROFILE PATH'"
    return file.error(f"unknown tag {_quoted(word)}, the {place}. of the line", line=line, remedy=remedy)


def _quoted(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:40] + "...")


def check_lengths(gold: Side, submission: Side, *, remedy: str = "give one tag a word") -> None:
    """Raise a `DataError` at the first sentence that has not as many tags as in the gold.

    Sentences that one side lacks are left to the alignment.
    """
    _, ours, theirs = np.intersect1d(gold.ids, submission.ids, return_indices=True)
    expected, found = gold.values.lengths[ours], submission.values.lengths[theirs]
    wrong = np.flatnonzero(expected != found)
    if not len(wrong):
        return
    first = wrong[np.argmin(theirs[wrong])]
    more = f" (and {len(wrong) - 1} more sentences differ)" if len(wrong) > 1 else ""
    at = gold.line(int(ours[first]))
    expectation = f"{expected[first]} expected as in {gold.path}" + (f":{at}" if at else "")
    raise DataError(
        f"{found[first]} tags in sentence {submission.ids[theirs[first]]}, {expectation}{more}",
        path=submission.path or None,
        line=submission.line(int(theirs[first])),
        remedy=remedy,
    )
