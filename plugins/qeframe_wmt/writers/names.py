"""The names of files in the layout of mt-metrics-eval, and the names that it cannot hold."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.readers import UnitValues

Scorer = tuple[Literal["human", "metric"], str]
"""Whose scores a file has: its folder, and its name without the language pair and the level."""


@frozen
class Names:
    """What files are called where the reading of a task does not say it.

    Parameters
    ----------
    gold : str
        The name of the human scores.
    reference : str
        The references that a metric used.
    """

    gold: str
    reference: str

    def of_gold(self, gold: UnitValues, pair: str) -> Scorer:
        """Return the name of human scores; that of their file if they were read from this layout."""
        return "human", _checked(_human_name(gold, pair) or self.gold, "the gold")

    def of_submission(self, submission: UnitValues, pair: str, computed: str) -> tuple[Scorer, bool]:
        """Return the name of the scores of a submission, and whether its references are known.

        Parameters
        ----------
        computed : str
            The references of a metric that was computed from texts; empty for another.
        """
        if human := _human_name(submission, pair):
            return ("human", _checked(human, "the human scores")), True
        path = Path(submission.path)
        read = path.parent.parent.name == "metric-scores" and _without_level(path)
        name = read or f"{submission.name}-{computed or self.reference}"
        return ("metric", _checked(name, "the metric")), bool(read or computed)


def check_pair(name: str) -> None:
    """Raise a `DataError` for the name of a task that cannot be one of a language pair."""
    if "." in _checked(name, "the task"):
        raise DataError(f"the task '{name}' cannot be written as mtme: a point ends the name of a language pair")


def check_column(names: Iterable[str], what: str) -> None:
    """Raise a `DataError` for a name that cannot be in a column of a table."""
    for name in names:
        if not name or name.split() != [name]:
            raise DataError(f"the {what} '{name}' cannot be written as mtme: its columns are separated by blanks")


def _human_name(side: UnitValues, pair: str) -> str:
    path = Path(side.path)
    name = _without_level(path)
    return name.removeprefix(f"{pair}.") if path.parent.name == "human-scores" and name.startswith(f"{pair}.") else ""


def _without_level(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".score").rpartition(".")[0]


def _checked(name: str, what: str) -> str:
    if not name or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise DataError(f"the name of {what}, '{name}', cannot be written as mtme: it is no name of a file")
    return name
