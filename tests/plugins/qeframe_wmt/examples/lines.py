"""Header lines, sentences, and the paths of the repository of 2022."""

import numpy as np

from qeframe.plugin import IntArray

_WORDS = ("auf", "bald", "das", "der", "fährt", "geht", "Haus", "heute", "nicht", "sehr", "Tür", "Wien", "zu")


def header_lines(count: int, number: int) -> str:
    """Return the lines of one number before a table of the submission of a number: disk footprint, parameters, ..."""
    return "".join(f"{number}{'0' * (3 - line)}\n" for line in range(count))


def sentences(rng: np.random.Generator, lengths: IntArray) -> list[list[str]]:
    """Return sentences of given numbers of words."""
    return [rng.choice(_WORDS, length).tolist() for length in lengths]


def gold_path(task: str, pair: str, ending: str) -> str:
    """Return the path of a gold in the repository of 2022."""
    return f"test_data-gold_labels/{task}/{pair}/test.2022.{pair}.{ending}"


def team_path(folder: str, team: str, file: str = "predictions.txt") -> str:
    """Return the path of a submission in the repository of 2022."""
    return f"official_submissions/{folder}/{team} - 1 submission/{file}"
