"""The columns of a frame that a caller named, and whether they say what every row is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from qeframe.api.frames.cells import PLACE
from qeframe.core.batches.base import IntArray
from qeframe.core.errors import DataError, did_you_mean

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


@frozen(kw_only=True)
class Names:
    """The columns that a caller named."""

    gold: str
    unit: str
    task: str
    system: str
    groups: tuple[str, ...]
    submissions: tuple[str, ...]
    submission: str
    score: str

    @property
    def identifying(self) -> tuple[str, ...]:
        """The columns that say what a row is about."""
        return tuple(filter(None, (self.unit, self.task, self.system, self.submission, *self.groups)))


def check_names(names: Names, table: nw.DataFrame[Any]) -> None:
    """Raise an error for columns that are not there, and for combinations that mean nothing."""
    for argument in ("gold", "unit", "task", "system", "submission", "score"):
        if not isinstance(named := getattr(names, argument), str):
            remedy = f"name one column{', and that of systems in system=' if argument == 'unit' else ''}"
            raise DataError(f"'{argument}' is {named!r}, which is not the name of a column", remedy=remedy)
    if bool(names.submission) != bool(names.score):
        raise DataError("a long frame needs both 'submission' and 'score'", remedy="name both columns, or neither")
    if names.submission and not names.unit:
        raise DataError("a long frame needs 'unit'", remedy="name the column of units")
    if names.system and not names.unit:
        raise DataError("'system' needs 'unit'", remedy="name the column of units (segments)")
    wide = () if names.submission else names.submissions
    for name in (names.gold, *names.identifying, *filter(None, [names.score]), *wide):
        if name not in table.columns:
            raise DataError(f"has no column '{name}'; {did_you_mean(name, table.columns)}", path=PLACE)
    used = (names.gold, *names.identifying, *filter(None, [names.score]))
    for name in used:
        if used.count(name) > 1:
            raise DataError(f"column '{name}' is named for two things", remedy="name every column once")
        if name in wide:
            raise DataError(f"column '{name}' is named as a submission too", remedy="name every column once")


def check_once(names: Names, units: Sequence[Any], of_row: IntArray, submission: str = "") -> None:
    """Raise an error for a unit with several rows, where a unit has one row (of a submission).

    Parameters
    ----------
    units : sequence
        The labels of the units.
    of_row : (rows,) int
        The position of the unit of every row.
    """
    counts = np.bincount(of_row, minlength=len(units))
    if (counts <= 1).all():
        return
    unit = int(np.flatnonzero(counts > 1)[0])
    tasks = "" if names.task else ", that of language pairs in task="
    raise DataError(
        f"unit {units[unit]} has {counts[unit]} rows{f' of submission {submission!r}' if submission else ''}",
        path=PLACE,
        remedy=f"name the column of systems in system={tasks}, or one in unit= that tells all rows apart",
    )
