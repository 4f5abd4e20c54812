"""Tables of SYSTEM and SCORE from the bytes of a file: no text is made of a line unless it is needed."""

import numpy as np
import numpy.typing as npt
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import decimals, plain_numbers

_MISSING = b"None"
_MOST_TIMES_THE_TEXT = 8
_LONGEST_NAME = 1000  # since the masks of all lengths are made


@frozen(eq=False)
class Table:
    """Where the lines of a file are in its table."""

    systems: tuple[str, ...]
    counts: IntArray  # the lines of every system
    lines: npt.NDArray[np.int32]  # (segments, systems), read-only; none if systems have different numbers of lines


def table_of(index: IntArray, systems: tuple[str, ...]) -> Table:
    """Return the table of the lines of systems, whose index every line has."""
    counts = np.bincount(index)
    if (counts != counts[0]).any():
        return Table(systems, counts, np.empty((0, len(systems)), np.int32))
    order = np.argsort(index, kind="stable").reshape(len(systems), int(counts[0]))
    lines = np.ascontiguousarray((order + 1).T.astype(np.int32))
    lines.flags.writeable = False
    return Table(systems, counts, lines)


def plain_table(content: bytes) -> tuple[Table, FloatArray] | None:
    """Return the table of a file and its scores, (segments, systems), NaN for None.

    Every line is a name, a tab and a number in ASCII, without other white space, and ends with a line feed. The result
    is None where the slow reader must decide.
    """
    text = np.frombuffer(content, np.uint8)
    marks = np.flatnonzero(text <= ord(" "))
    tabs, ends = marks[::2], marks[1::2]
    if not (content.isascii() and len(tabs) == len(ends) > 0 and ends[-1] + 1 == len(text)):
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    is_whole = (tabs > starts).all() and (ends > tabs + 1).all()
    if not (is_whole and (text[tabs] == ord("\t")).all() and (text[ends] == ord("\n")).all()):
        return None
    if (longest := (tabs - starts).max()) > _LONGEST_NAME or longest * len(ends) > _MOST_TIMES_THE_TEXT * len(text):
        # a matrix as wide as the longest name would be larger than 8 texts
        return None
    index, systems = _names(text, starts, tabs)
    if np.count_nonzero(np.diff(index)) != len(systems) - 1:  # one comes back after others
        return None
    table = table_of(index, systems)
    scores = _scores(content, text, tabs + 1, ends)
    if scores is None or (table.counts != table.counts[0]).any():
        return None
    return table, scores[table.lines - 1]


def _scores(content: bytes, text: npt.NDArray[np.uint8], starts: IntArray, ends: IntArray) -> FloatArray | None:
    scores, is_read = decimals(text, starts, ends)
    others = np.flatnonzero(~is_read)
    written = [content[start:end] for start, end in zip(starts[others].tolist(), ends[others].tolist(), strict=True)]
    present = np.array([score != _MISSING for score in written], np.bool_)
    numbers = plain_numbers([score.decode() for score in written if score != _MISSING])
    scores[others] = np.nan
    if numbers is None:
        return None
    scores[others[present]] = numbers
    return scores


def _names(text: npt.NDArray[np.uint8], starts: IntArray, tabs: IntArray) -> tuple[IntArray, tuple[str, ...]]:
    """Return the index of the name of every line, and the names in the order of their first lines."""
    lengths = tabs - starts
    width = -(-int(lengths.max()) // 8) * 8  # in whole words, which are compared faster than characters
    windows = np.lib.stride_tricks.sliding_window_view(np.append(text, np.zeros(width, np.uint8)), width)
    words = windows[starts].view(np.uint64)
    words &= (np.tri(width + 1, width, -1, np.uint8) * np.uint8(255)).view(np.uint64)[lengths]
    changes = [np.flatnonzero(word[1:] != word[:-1]) + 1 for word in words.T]
    begins = np.unique(np.concatenate([[0], *changes]))  # of lines in turn with one name
    names = words[begins].view(f"S{width}").ravel()
    index, systems = labels_to_index([name.decode() for name in names.tolist()])
    return np.repeat(index, np.diff(begins, append=len(starts))), systems
