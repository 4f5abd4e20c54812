"""Columns of Parquet files as sources, by pyarrow: the extra ``parquet``."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field

from qeframe.core.batches.base import FloatArray
from qeframe.core.batches.ragged import freeze
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.tasks.reading import UnitValues
from qeframe.core.tasks.task import Input
from qeframe.data.file_bytes import status_of
from qeframe.streaming.sources.source import WithoutOffsets, file_stamp, first_unusable, numbered, regrouped

_PAGE = 1 << 20
"""How many bytes of a column are read at a time: without it, those of a whole row group are."""


@lru_cache(maxsize=1)
def _digest(file: str, _stamp: object) -> str:
    """Return the SHA-256 of a file, computed once for all of its columns as long as nothing writes to it."""
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@define(eq=False)
class ParquetSource(WithoutOffsets):
    """A column of a Parquet file. Rows are units, in the order of the file.

    `column`: May be left out if the file has a single column.
    """

    file: str
    column: str = ""
    has_ids: bool = field(default=False, init=False)

    @property
    def path(self) -> str:
        """The path of the file, with the column where it was named."""
        return f"{self.file}::{self.column}" if self.column else self.file

    def chunks(self, units: int) -> Iterator[UnitValues]:
        """Yield the numbers of the column in order."""
        with self._opened() as file:
            if not file.metadata.num_rows:
                raise DataError("the file has no row", path=self.file, remedy="give a file with one unit a row")
            start = 0
            for values in regrouped(self._numbers(file, self._column(file), units), units):
                yield numbered(self.path, freeze(values), start)
                start += len(values)

    def expected_units(self) -> int:
        """Return the number of rows."""
        with self._opened() as file:
            return int(file.metadata.num_rows)

    def stamp(self) -> object:
        """Return the size, the time and the number of the file."""
        return file_stamp(self.file)

    def record(self) -> Input | None:
        """Return the record of the file."""
        return Input(self.file, _digest(self.file, self.stamp()))

    def _opened(self) -> Any:
        status_of(Path(self.file))
        try:
            from pyarrow import ArrowException
            from pyarrow.parquet import ParquetFile
        except ImportError:
            remedy = "pip install 'qeframe[parquet]'"
            raise DataError(
                "Parquet is read by pyarrow, which is not installed", path=self.file, remedy=remedy
            ) from None
        try:
            return ParquetFile(self.file, buffer_size=_PAGE, pre_buffer=False)
        except (ArrowException, OSError) as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> DataError:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        return DataError(f"cannot be read (Parquet): {reason}", path=self.file, remedy="get the file again")

    def _column(self, file: Any) -> str:
        """Return the name of the column, which must hold numbers."""
        from pyarrow import types

        schema = file.schema_arrow
        if not self.column and len(schema.names) != 1:
            remedy = f"name one, as in {self.file}::{schema.names[0] if schema.names else 'NAME'}"
            raise DataError(f"the file has {len(schema.names)} columns", path=self.file, remedy=remedy)
        name = self.column or schema.names[0]
        if schema.names.count(name) != 1:
            what = (
                f"there is no column '{name}'" if name not in schema.names else f"several columns are called '{name}'"
            )
            raise DataError(what, path=self.file, remedy=did_you_mean(name, schema.names))
        kind = schema.field(name).type
        if not (types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind)):
            remedy = "store whole numbers or floating-point numbers"
            raise DataError(f"the column '{name}' holds {kind}, not numbers", path=self.file, remedy=remedy)
        return name

    def _numbers(self, file: Any, column: str, units: int) -> Iterator[FloatArray]:
        from pyarrow import ArrowException

        row, remedy = 0, "every unit needs a finite number"
        try:
            for batch in file.iter_batches(batch_size=units, columns=[column]):
                values = batch.column(0)
                if values.null_count:
                    null = int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0])
                    what = f"row {row + null + 1} of column '{column}' is null (a missing value)"
                    raise DataError(what, path=self.file, remedy=remedy)
                numbers = np.array(values.to_numpy(zero_copy_only=False), dtype=np.float64)
                if wrong := first_unusable(numbers):
                    what = f"row {row + wrong[0] + 1} of column '{column}' is {wrong[1]}"
                    raise DataError(what, path=self.file, remedy=remedy)
                row += len(numbers)
                yield numbers
        except (ArrowException, OSError) as error:
            raise self._unreadable(error) from error
