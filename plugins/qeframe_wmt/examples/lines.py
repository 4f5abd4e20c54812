"""What the files of all layouts are made of."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from qeframe.plugin import FloatArray
from qeframe.plugin.readers import ExampleRequest, Files


def rows(table: Iterable[Sequence[object]], separator: str = "\t") -> str:
    """Return a line of columns for each row."""
    return "".join(separator.join(map(str, row)) + "\n" for row in table)


def one_a_line(values: FloatArray) -> str:
    """Return numbers with six digits, one a line."""
    return "".join(f"{value:.6f}\n" for value in values)


def submitted(gold: Files, submissions: Files, ending: str = "txt") -> Files:
    """Return the files of a task's folder."""
    return {**gold, **{f"submissions/{name}.{ending}": text for name, text in submissions.items()}}


def in_folders(task: Callable[..., Files], request: ExampleRequest, **parameters: Any) -> Files:
    """Return the files of every language pair, which `task` gives; in the repository of 2022 if that is published."""
    place = request.in_tree if parameters.get("published") else request.in_folders
    return place(lambda rng, pair: task(rng, request, pair, **parameters))
