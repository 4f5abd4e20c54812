"""Files of tags with one sentence a line, read in a few passes over all bytes of a file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.batch import IntArray
from qeframe.core.errors import DataError, counted
from qeframe.data.align import and_more
from qeframe.data.reading import TextFile, UnitValues
from qeframe.data.text_lines import plain_numbers
from qeframe.kinds.tags.batch import SPELLINGS, SentenceTags

_NUMBERS = {"0": "OK", "1": "BAD"}
FILE_SPELLINGS = {**SPELLINGS, **_NUMBERS}
"""The spellings of the two classes in plain files of tags, and what they mean; a file has words or numbers."""

_BLANK, _START, _K, _A, _D, _OTHER = 0b0011, 0b0101, 0b1001, 0b1010, 0b1100, 0b1111
"""Kinds of bytes, as sets of bits. No kind contains another; a blank joined with a start contains no third kind."""


def _spelling() -> bytes:
    """Return a table of all bytes: the kind, and in the upper half the bits that the next kind must not have."""
    table = bytearray([_OTHER]) * 256
    may_follow = {
        b" \t\n": (_BLANK, _BLANK | _START),
        b"O": (_START, _K),
        b"K": (_K, _BLANK),
        b"B": (_START, _A),
        b"A": (_A, _D),
        b"D": (_D, _BLANK),
    }
    for characters, (kind, followers) in may_follow.items():
        for character in characters:
            table[character] = kind | (~followers & 0b1111) << 4
    return bytes(table)


_SPELLING = _spelling()
_CODES, _LINE_END = bytes.maketrans(b"OB\n", b"\0\1\2"), 2
_CHUNK = 2048
"""The number of lines that are read at once: few enough that the bytes of all passes stay in the cache."""


def tags_by_line(file: TextFile) -> tuple[IntArray, Any]:
    """Read the tags OK and BAD of one sentence a line, separated by blanks or tabs; sentence i is line i + 1.

    The spellings of `FILE_SPELLINGS` are accepted. An empty line is a sentence without tags.

    Returns
    -------
    ids : (sentences,) int64
    tags : SentenceTags

    Raises
    ------
    DataError
        For the first word that is not a tag.
    """
    first = next(filter(None, (line.strip(" \t") for line in file.lines)), "")
    spellings = _NUMBERS if first[:1] in _NUMBERS else SPELLINGS
    chunks = [_encoded(file.lines[at : at + _CHUNK], spellings) for at in range(0, len(file.lines), _CHUNK)]
    if None in chunks:
        raise _unknown_tag(file, spellings)
    codes = np.frombuffer(b"".join(filter(None, chunks)), np.int8)
    ends = np.flatnonzero(codes == _LINE_END)
    offsets = np.concatenate([[0], ends - np.arange(len(ends))])
    return np.arange(len(ends)), SentenceTags(codes[codes != _LINE_END], offsets)


def _encoded(lines: Sequence[str], spellings: Mapping[str, str]) -> bytes | None:
    """Return one byte for each tag and each line end, None if a word is not a tag."""
    text = "\n".join(("", *lines, ""))
    content = text.encode()
    if spellings is _NUMBERS and content.translate(None, b"01 \t\n"):
        return None
    if not _spells_tags(content):
        for spelling, name in spellings.items():
            text = text.replace(spelling, name) if spelling != name else text
        content = text.encode()
        if not _spells_tags(content):
            return None
    return content[1:].translate(_CODES, delete=b" \tKAD")


def _spells_tags(content: bytes) -> bool:
    """Return whether all words are OK or BAD: every byte is of a kind that may follow the one before."""
    kinds = np.frombuffer(content.translate(_SPELLING), np.uint8)
    return not (kinds[1:] & kinds[:-1] >> 4).any()


def _unknown_tag(file: TextFile, spellings: Mapping[str, str]) -> DataError:
    """Return the error for the first word that is not a tag."""
    line, position, word = next(
        (line, position, word)
        for line, text in enumerate(file.lines, 1)
        for position, word in enumerate(re.split(r"[ \t]+", text.strip(" \t")), 1)
        if word and word not in spellings
    )
    remedy = f"a line has the tags of one sentence, {', '.join(FILE_SPELLINGS)}"
    if plain_numbers([word]) is not None:
        remedy += "; numbers such as probabilities of BAD are for token_auroc, token_average_precision and "
        remedy += "token_recall_at_k, and the reader tag_lines makes tags of them: --set threshold=.5"
    if "\t" in file.lines[line - 1]:
        remedy += "; the formats of shared tasks are read by the readers of profiles"
    return file.error(f"unknown tag {_quoted(word)}, word {position} of the line", line=line, remedy=remedy)


def _quoted(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:40] + "...")


def check_lines(gold: UnitValues, submission: UnitValues, *, what: str = "tag") -> None:
    """Check that gold and submission have the same number of lines: lines are joined by their position alone.

    Parameters
    ----------
    what : str
        What a line of the submission has for each token: a tag, or a number.

    Raises
    ------
    DataError
        If the numbers differ.
    """
    count, expected = len(submission.ids), len(gold.ids)
    if count != expected:
        raise DataError(
            f"{counted(count, 'line')} of {what}s, the gold has {expected} ({gold.path})",
            path=submission.path or None,
            remedy=f"give one line a sentence, in the order of the gold, an empty one for a sentence without {what}s",
        )


def check_lengths(
    gold: UnitValues, submission: UnitValues, *, remedy: str = "give one tag a word", what: str = "tag"
) -> None:
    """Check that every sentence has as many tags in the submission as in the gold.

    Sentences that only one of them has are left to the alignment.

    Parameters
    ----------
    remedy : str
        What to do about it.
    what : str
        What the submission has for each token: a tag, or a number.

    Raises
    ------
    DataError
        At the first sentence where the numbers differ.
    """
    _, ours, theirs = np.intersect1d(gold.ids, submission.ids, return_indices=True)
    expected, lengths = gold.values.lengths[ours], submission.values.lengths[theirs]
    wrong = np.flatnonzero(expected != lengths)
    if not len(wrong):
        return
    first = wrong[np.argmin(theirs[wrong])]
    at = gold.line(int(ours[first]))
    expectation = f"the gold has {expected[first]} ({gold.path}{f':{at}' if at else ''})"
    sentence = submission.unit_name(submission.ids[theirs[first]])
    raise DataError(
        f"{counted(lengths[first], what)} in sentence {sentence}, {expectation}{and_more(len(wrong))}",
        path=submission.path or None,
        line=submission.line(int(theirs[first])),
        remedy=remedy,
    )
