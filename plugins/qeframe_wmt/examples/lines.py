"""What the files of all layouts are made of."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.readers import ExampleRequest, Files

_WORDS = ("auf", "bald", "das", "der", "fährt", "geht", "Haus", "heute", "nicht", "sehr", "Tür", "Wien", "zu")


def rows(table: Iterable[Sequence[object]], separator: str = "\t") -> str:
    """Return a line of columns for each row."""
    return "".join(separator.join(map(str, row)) + "\n" for row in table)


def one_a_line(values: FloatArray) -> str:
    """Return numbers with six digits, one a line."""
    return "".join(f"{value:.6f}\n" for value in values)


def header_lines(count: int, number: int) -> str:
    """Return the lines of one number before a table of the submission of a number: disk footprint, parameters, ..."""
    return "".join(f"{number}{'0' * (3 - line)}\n" for line in range(count))


def sentences(rng: np.random.Generator, lengths: IntArray) -> list[list[str]]:
    """Return sentences of given numbers of words."""
    return [rng.choice(_WORDS, length).tolist() for length in lengths]


def submitted(gold: Files, submissions: Files, ending: str = "txt") -> Files:
    """Return the files of a task's folder."""
    return {**gold, **{f"submissions/{name}.{ending}": text for name, text in submissions.items()}}


def in_folders(task: Callable[..., Files], request: ExampleRequest, **parameters: Any) -> Files:
    """Return the files of every language pair, which `task` gives; in the repository of 2022 if that is published."""
    place = request.in_tree if parameters.get("published") else request.in_folders
    return place(lambda rng, pair: task(rng, request, pair, **parameters))


def gold_path(task: str, pair: str, ending: str) -> str:
    """Return the path of a gold in the repository of 2022."""
    return f"test_data-gold_labels/{task}/{pair}/test.2022.{pair}.{ending}"


def team_path(folder: str, team: str, file: str = "predictions.txt") -> str:
    """Return the path of a submission in the repository of 2022."""
    return f"official_submissions/{folder}/{team} - 1 submission/{file}"
