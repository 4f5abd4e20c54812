"""Files with the classes of units by name, and files with a number for each token of one sentence a line."""

from collections.abc import Mapping, Sequence

import numpy as np

from qeframe.core.batch import FloatArray
from qeframe.core.ragged import Ragged
from qeframe.data.reading import TextFile
from qeframe.data.text_lines import parse_numbers, plain_numbers, split_line
from qeframe.kinds.tags.batch import SPELLINGS

CLASS_NAMES: Mapping[str, float] = {
    **{spelling: float(name == "BAD") for spelling, name in SPELLINGS.items()},
    "NOT": 0.0,
    "ERR": 1.0,
    "0": 0.0,
    "1": 1.0,
}
"""How files of shared tasks name the classes of segments: 1 is a segment with an error."""


def names_classes(texts: Sequence[str]) -> bool:
    """Return whether all texts are names of classes."""
    return set(texts) <= CLASS_NAMES.keys()


def class_codes(texts: Sequence[str]) -> FloatArray:
    """Return 1 for each name of the class of errors and 0 for the others, (n,)."""
    return np.fromiter((CLASS_NAMES[text] for text in texts), np.float64, len(texts))


def parse_classes(texts: Sequence[str], file: TextFile, *, skip: int = 0) -> FloatArray:
    """Read a column of names of classes; text i is from line ``skip + i + 1``.

    Raises
    ------
    DataError
        For the first text that is not in `CLASS_NAMES`, with its line.
    """
    if names_classes(texts):
        return class_codes(texts)
    at, wrong = next((at, text) for at, text in enumerate(texts, skip + 1) if text not in CLASS_NAMES)
    shown = repr(wrong if len(wrong) <= 40 else wrong[:40] + "...")
    raise file.error(f"{shown} is not the name of a class", line=at, remedy=f"a class is {', '.join(CLASS_NAMES)}")


def numbers_by_token(file: TextFile) -> Ragged:
    """Read one sentence a line, a finite number for each of its tokens; an empty line is a sentence without tokens.

    Raises
    ------
    DataError
        For the first text that is not a finite number of magnitude up to 1e100, with its line.
    """
    rows = [split_line(line) if line.strip(" \t") else [] for line in file.lines]
    texts = [text for row in rows for text in row]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    return Ragged.from_lengths(_numbers(texts, rows, file), lengths)


def _numbers(texts: Sequence[str], rows: Sequence[Sequence[str]], file: TextFile) -> FloatArray:
    """Return all numbers of a file; line by line only if one of them cannot be read."""
    numbers = plain_numbers(texts)
    if numbers is not None:
        return numbers
    parsed = [parse_numbers([text], file, skip=line) for line, row in enumerate(rows) for text in row]
    return np.concatenate([np.empty(0), *parsed])
