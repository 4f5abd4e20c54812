"""Columns of Parquet files as sources."""

import sys

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.streaming.sources.parquet import ParquetSource

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def written(path, columns, **options):
    parquet.write_table(pa.table(columns), path, **options)
    return str(path)


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int8", "bool_"])
@pytest.mark.parametrize("rows", [1, 3, 100])
def test_numbers_of_every_type_and_size_of_row_groups(tmp_path, kind, rows):
    values = np.arange(11).astype(kind)
    path = written(tmp_path / "a.parquet", {"x": values, "y": ["text"] * 11}, row_group_size=rows)
    source = ParquetSource(path, "x")
    chunks = list(source.chunks(4))
    assert [len(chunk.ids) for chunk in chunks] == [4, 4, 3]
    assert np.concatenate([chunk.values for chunk in chunks]).tolist() == values.astype(float).tolist()
    assert np.concatenate([chunk.ids for chunk in chunks]).tolist() == list(range(11))
    assert source.expected_units() == 11
    assert source.record().path == path
    assert len(source.record().sha256) == 64


def test_a_single_column_needs_no_name(tmp_path):
    path = written(tmp_path / "a.parquet", {"x": [1.0, 2.0]})
    assert next(ParquetSource(path).chunks(5)).values.tolist() == [1, 2]
    assert ParquetSource(path).path == path
    assert ParquetSource(path, "x").path == f"{path}::x"


@pytest.mark.parametrize(
    ("columns", "column", "message"),
    [
        ({"x": [1.0, None, 3.0]}, "x", r"row 2 of column 'x' is null \(a missing value\); every unit needs"),
        ({"x": [1.0, 2.0, 3.0, np.nan]}, "x", r"row 4 of column 'x' is NaN"),
        ({"x": [1.0, 2.0, np.inf]}, "x", r"row 3 of column 'x' is inf, which is too large"),
        ({"scores": [1.0]}, "score", r"there is no column 'score'; did you mean 'scores'\?"),
        ({"x": ["a"]}, "x", r"the column 'x' holds (large_)?string, not numbers; store"),
        ({"x": [1.0], "y": [2.0]}, "", r"the file has 2 columns; name one, as in .*a.parquet::x"),
        ({"x": pa.array([], pa.float64())}, "x", r"the file has no row"),
    ],
)
def test_unusable_columns(tmp_path, columns, column, message):
    path = written(tmp_path / "a.parquet", columns)
    with pytest.raises(DataError, match=message) as caught:
        list(ParquetSource(path, column).chunks(2))
    assert str(caught.value).startswith(path)


def test_a_broken_file(tmp_path):
    path = tmp_path / "a.parquet"
    written(path, {"x": np.random.default_rng(0).random(5000)})
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(DataError, match=r"a.parquet: cannot be read \(Parquet\): .*; get the file again"):
        list(ParquetSource(str(path), "x").chunks(100))
    with pytest.raises(DataError, match="there is no such file"):
        list(ParquetSource(str(tmp_path / "b.parquet"), "x").chunks(100))


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    path = written(tmp_path / "a.parquet", {"x": [1.0]})
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(DataError, match=r"which is not installed; pip install 'qeframe\[parquet\]'"):
        list(ParquetSource(path, "x").chunks(1))
