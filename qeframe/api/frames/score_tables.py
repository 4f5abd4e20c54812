"""A data frame of scores of translation systems as the table that readers of metric scores read."""

from __future__ import annotations

from typing import Any

from qeframe.api.frames.cells import PLACE, check_columns
from qeframe.core.errors import DataError

_SYSTEM, _SEGMENT, _SCORE = ("system",), ("segment", "seg", "unit"), ("score",)
_PAIR = ("pair", "lp", "language_pair", "task")


def is_frame(value: Any) -> bool:
    """Return whether a value is a data frame, of whatever library."""
    return hasattr(value, "columns") or hasattr(value, "column_names")


def score_table(frame: Any, name: str) -> str:
    """Return scores as lines of pair, system, segment and score, with a first line that names the columns.

    Parameters
    ----------
    frame : data frame
        Long: the columns system, segment and score, and pair if there are several. Or wide: a row for each segment, in
        order, and a column of scores for each system.
    name : str
        Whose scores they are, for messages.

    Raises
    ------
    DataError
        If a score is missing, or the frame is neither.
    """
    import narwhals.stable.v2 as nw

    check_columns(frame, texts=True)
    table = nw.from_native(frame, eager_only=True)
    by_lower = {column.lower(): column for column in table.columns}
    long = {
        what: next((by_lower[each] for each in names if each in by_lower), None)
        for what, names in {"pair": _PAIR, "system": _SYSTEM, "segment": _SEGMENT, "score": _SCORE}.items()
    }
    if long["system"] is None or long["score"] is None:
        if not all(table[column].dtype.is_numeric() for column in table.columns):
            remedy = "name its columns system, segment and score, or give a column of scores for each system"
            raise DataError(f"the columns of '{name}' are {', '.join(table.columns)}", path=PLACE, remedy=remedy)
        rows = [
            (system, str(segment), score)
            for system in table.columns
            for segment, score in enumerate(table[system].to_list(), 1)
        ]
        return _lines(("system", "segment", "score"), rows, name)
    used = {what: column for what, column in long.items() if column is not None}
    return _lines(tuple(used), zip(*(table[column].to_list() for column in used.values()), strict=True), name)


def _lines(head: tuple[str, ...], rows: Any, name: str) -> str:
    lines = ["\t".join(head)]
    for row in rows:
        if any(value is None or value != value for value in row):
            raise DataError(f"'{name}' has a missing value", path=PLACE, remedy="give a score in every row")
        lines.append("\t".join(repr(value) if isinstance(value, float) else str(value) for value in row))
    return "\n".join([*lines, ""])
