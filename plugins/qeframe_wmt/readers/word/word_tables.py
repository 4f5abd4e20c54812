"""Tables of one word a line, turned into the tags of sentences without a loop over lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import IntArray
from qeframe.plugin.kinds import BINARY, SentenceTags, encode_tags, spelled_codes
from qeframe.plugin.readers import TextFile, UnitValues
from qeframe_wmt.formats.tab_columns import TextColumn
from qeframe_wmt.readers.word.token_lines import WordTags


@frozen(kw_only=True, eq=False)
class WordTable:
    """The columns of a table that has one word a line."""

    file: TextFile
    lines: IntArray
    sentences: IntArray
    indices: IntArray  # the position of every word in its sentence
    words: Sequence[str]
    tags: Sequence[str]
    any_case: bool = False  # whether tags may be in upper or lower case
    # the name of a sentence, by its number, where it differs from the number
    names: Mapping[int, str] = field(factory=dict)


def as_sentences(
    table: WordTable, name: str, *, classes: Sequence[str] = BINARY, codes: Mapping[str, int] | None = None
) -> WordTags:
    """Return the sentences of a table: consecutive lines of the same sentence, with words numbered from 0.

    `name` is "gold" or that of the submission; `codes` has the number of the class for every spelling of a tag, by
    default `spelled_codes` of OK and BAD.
    """
    starts = np.flatnonzero(np.diff(table.sentences, prepend=-1))
    lengths = np.diff(starts, append=len(table.sentences))
    _check_indices(table, np.arange(len(table.sentences)) - np.repeat(starts, lengths))
    values = SentenceTags(
        _encoded(table, codes or spelled_codes()), np.append(starts, len(table.sentences)), tuple(classes)
    )
    path = str(table.file.path)
    ids, lines = table.sentences[starts], table.lines[starts]
    tags = UnitValues(name=name, ids=ids, values=values, path=path, lines=lines, names=table.names)
    return WordTags(tags, table.words, table.lines)


def check_tags(table: WordTable, codes: Mapping[str, int] | None = None) -> None:
    """Raise a `DataError` at the first unknown tag of a table; see `as_sentences`."""
    _encoded(table, codes or spelled_codes())


def _check_indices(table: WordTable, expected: IntArray) -> None:
    wrong = np.flatnonzero(table.indices != expected)
    if not len(wrong):
        return
    first = wrong[0]
    number = int(table.sentences[first])
    sentence = table.names.get(number, str(number))
    what = f"word index {table.indices[first]} in sentence {sentence}, expected {expected[first]}"
    remedy = "number the words of a sentence 0, 1, 2 ..., one a line, all lines of a sentence together"
    raise table.file.error(what, line=int(table.lines[first]), remedy=remedy)


def _encoded(table: WordTable, codes: Mapping[str, int]) -> NDArray[np.int8]:
    """Return the class of every tag, (words,)."""
    encoded = _encoded_column(table.tags, codes) if isinstance(table.tags, TextColumn) else None
    if encoded is not None:
        return encoded
    fold = str.lower if table.any_case else str
    folded = {fold(tag): code for tag, code in codes.items()}
    known = {tag: folded[fold(tag.strip(" "))] for tag in set(table.tags) if fold(tag.strip(" ")) in folded}
    encoded = encode_tags(table.tags, known)
    if encoded is None:
        row = next(i for i, tag in enumerate(table.tags) if tag not in known)
        what = f"unknown tag '{table.tags[row]}' of word '{table.words[row]}'"
        raise table.file.error(what, line=int(table.lines[row]), remedy=f"the tags are {', '.join(codes)}")
    return encoded


def _encoded_column(tags: TextColumn, codes: Mapping[str, int]) -> NDArray[np.int8] | None:
    """Return the class of every tag, None if a tag is not spelled as in `codes`."""
    encoded = np.full(len(tags), -1, np.int8)
    for tag, code in codes.items():
        encoded[tags.equal_to(tag)] = code
    return None if (encoded < 0).any() else encoded
