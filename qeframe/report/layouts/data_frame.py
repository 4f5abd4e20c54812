"""Records as a data frame of the library that the caller uses."""

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, cast

from qeframe.core.errors import DataError, did_you_mean

LIBRARIES = ("pandas", "polars", "pyarrow")
"""The libraries of data frames, the default first."""

Library = Literal["pandas", "polars", "pyarrow"]
Kind = type[str] | type[float] | type[int] | type[bool]


def frame_of_records(kinds: Mapping[str, Kind], records: Sequence[Sequence[Any]], library: str | None = None) -> Any:
    """Return a data frame with a row for each record.

    `kinds`: the columns in order, each of `str`, `float`, `int` or `bool`. A frame without rows has them too.
    `records`: one value for each column. NaN and None are missing.
    `library`: by default the first of these that is installed.

    Result: of the library. In pandas, whole numbers of which some are missing are floats. Raises DataError if there is
    no such library, or it is not installed, or none is.
    """
    chosen = installed_library() if library is None else library
    if chosen not in LIBRARIES:
        raise DataError(f"there is no data frame of '{chosen}'; {did_you_mean(str(chosen), LIBRARIES)}")
    import narwhals.stable.v2 as nw

    dtypes: dict[Kind, nw.dtypes.DType] = {str: nw.String(), float: nw.Float64(), int: nw.Int64(), bool: nw.Boolean()}
    columns = {name: [_present(record[nth]) for record in records] for nth, name in enumerate(kinds)}
    schema = {name: dtypes[kind] for name, kind in kinds.items()}
    for name, values in columns.items():
        if chosen == "pandas" and kinds[name] is int and None in values:
            schema[name] = nw.Float64()
    try:
        return nw.from_dict(columns, schema, backend=cast("Library", chosen)).to_native()
    except ImportError as error:
        raise DataError(f"{chosen} is not installed", remedy=f'pip install "{chosen}"') from error


def installed_library() -> str:
    """Return the first library of data frames that is installed.

    Raises DataError if none is.
    """
    for library in LIBRARIES:
        if find_spec(library) is not None:
            return library
    raise DataError("no library of data frames is installed", remedy='pip install "pandas", "polars" or "pyarrow"')


def _present(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
