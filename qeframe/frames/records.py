"""Records as a data frame of the library that the caller uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from qeframe.errors import DataError, did_you_mean

__all__ = ["Library", "frame_of_records"]

Library = Literal["pandas", "polars", "pyarrow"]
_LIBRARIES: tuple[Library, ...] = get_args(Library)


def frame_of_records(records: Sequence[Mapping[str, Any]], library: Library = "pandas") -> Any:
    """Return a data frame with a row for each record.

    Parameters
    ----------
    records : sequence of mapping
        All with the same keys, in the order of the columns. NaN and None are missing.
    library : {"pandas", "polars", "pyarrow"}

    Returns
    -------
    data frame
        Of the library; without columns if there is no record.

    Raises
    ------
    DataError
        If there is no such library, or it is not installed.
    """
    if library not in _LIBRARIES:
        raise DataError(f"there is no data frame of '{library}'; {did_you_mean(library, _LIBRARIES)}")
    import narwhals.stable.v2 as nw

    columns = {key: [record[key] for record in records] for key in (records[0] if records else ())}
    try:
        return nw.from_dict(columns, backend=library).to_native()
    except ImportError as error:
        raise DataError(f"{library} is not installed", remedy=f'pip install "{library}"') from error
