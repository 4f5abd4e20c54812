"""From the sides of a word-level task to a reading: lengths checked, sentences grouped by length."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np

from qeframe.plugin import Best, Input, IntArray, Reading, Side, Tagged, Tags, TextFile, check_lengths, tags_by_line
from qeframe_wmt.layouts import TAG_LINES, refuse_other_layout

__all__ = ["by_tens", "gold_tags", "tag_side", "with_empty_sentences", "word_reading"]

_FIRST_LENGTHS = (1, 11, 21, 31)
_RANGES = np.array(["0", "1-10", "11-20", "21-30", "31+"])


def tag_side(file: TextFile, name: str) -> Side:
    """Return the tags of one sentence a line; the first line is sentence 0."""
    ids, values = tags_by_line(file)
    return Side(name=name, ids=ids, values=values, path=str(file.path), lines=ids + 1)


def gold_tags(file: TextFile) -> Side:
    """Return a gold of plain tag lines.

    Raises
    ------
    DataError
        For an unknown tag, and for a file that looks like another layout.
    """
    refuse_other_layout(file, TAG_LINES, gold=True)
    return tag_side(file, "gold")


def with_empty_sentences(side: Side, gold: Side) -> Side:
    """Return a side with the sentences that have no tag in the gold: a table of one word a line cannot hold them."""
    empty = np.setdiff1d(gold.ids[gold.values.lengths == 0], side.ids)
    if not len(empty):
        return side
    values: Tagged = side.values
    offsets = np.append(values.offsets, np.full(len(empty), values.offsets[-1]))
    return attrs.evolve(
        side,
        ids=np.append(side.ids, empty),
        values=Tagged(values.values, offsets, values.classes),
        lines=None if side.lines is None else np.append(side.lines, np.full(len(empty), side.lines[-1])),
    )


def word_reading(
    name: str, gold: Side, submissions: Sequence[Side], *, best: Best, inputs: Sequence[Input], remedy: str
) -> Reading:
    """Return a reading of tags, its sentences grouped by their number of scored tags.

    Raises
    ------
    DataError
        At the first sentence of a submission that has not as many tags as in the gold; `remedy` says what to do.
    """
    for submission in submissions:
        check_lengths(gold, submission, remedy=remedy)
    return Reading(
        name=name,
        kind=Tags,
        gold=gold,
        submissions=tuple(submissions),
        groups={"length": by_tens(gold.values.lengths)},
        best=best,
        inputs=tuple(inputs),
    )


def by_tens(lengths: IntArray) -> list[str]:
    """Return which range each length is in, in steps of ten: the labels of the grouping "length"."""
    labels: list[str] = _RANGES[np.digitize(lengths, _FIRST_LENGTHS)].tolist()
    return labels
