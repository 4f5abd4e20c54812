"""Plain files as sources, against the same files read as a whole."""

import gzip
import hashlib
import os
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.kinds.registered import kind_of
from qeframe.plugin import DataError, Detections, Scores, Tags, Texts
from qeframe.streaming.sources.lines import LineSource, groups_of_lines, open_source
from qeframe.streaming.sources.parquet import ParquetSource
from qeframe.streaming.sources.source import ArraySource, first_unusable, numbered, regrouped
from tests.qeframe.kinds.plain_sides import read_plain


def source(path, kind=Scores):
    return LineSource(str(path), kind_of(kind).plain_format)


def cut(content, sizes):
    """Yield the bytes of a content in pieces of these sizes, the rest last."""
    start = 0
    for size in sizes:
        yield content[start : start + size]
        start += size
    yield content[start:]


@given(
    st.lists(st.sampled_from(["1", "22", "", " ", "-.5e3"]), max_size=15), st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 3), st.booleans(), st.integers(1, 6), st.lists(st.integers(1, 5), max_size=20),
)  # fmt: skip
def test_groups_hold_the_lines_of_the_file_for_any_pieces(lines, end, empty, ended, count, sizes):
    content = (end.join([*lines, *[""] * empty]) + (end if ended else "")).encode()
    expected = content.decode().replace("\r\n", "\n").removesuffix("\r").rstrip("\n")
    groups = [group.replace(b"\r\n", b"\n") for group in groups_of_lines(cut(content, sizes), count)]
    assert b"".join(groups).decode().removesuffix("\n") == expected
    assert all(group.endswith(b"\n") and group.count(b"\n") == count for group in groups[:-1])
    assert all(0 < group.count(b"\n") <= count for group in groups)


NUMBERS = st.floats(-1e6, 1e6).map(repr) | st.integers(-99, 99).map(str) | st.sampled_from([" 1", "2 ", "+3", "1e-7"])


@settings(max_examples=40)
@given(st.lists(NUMBERS, min_size=1, max_size=30), st.integers(1, 40), st.booleans(), st.booleans())
def test_numbers_are_those_of_the_whole_file(tmp_path_factory, texts, units, packed, mark):
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    content = (b"\xef\xbb\xbf" if mark else b"") + "".join(f"{text}\n" for text in texts).encode()
    path.write_bytes(content)
    expected = read_plain(Scores, path)
    if packed:
        path.write_bytes(gzip.compress(content))
    read = source(path)
    chunks = list(read.chunks(units))
    assert np.concatenate([chunk.values for chunk in chunks]).tolist() == expected.values.tolist()
    assert np.concatenate([chunk.ids for chunk in chunks]).tolist() == expected.ids.tolist()
    assert np.concatenate([chunk.lines for chunk in chunks]).tolist() == expected.lines.tolist()
    assert read.record().sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not read.has_ids


def test_ids_are_read(tmp_path):
    (tmp_path / "a.txt").write_text("3 .5\n07\t.25\n9 1\n")
    read = source(tmp_path / "a.txt")
    chunks = list(read.chunks(2))
    assert [chunk.ids.tolist() for chunk in chunks] == [[3, 7], [9]]
    assert read.has_ids
    assert chunks[1].line(0) == 3


def test_classes_by_name_or_by_number(tmp_path):
    (tmp_path / "names.txt").write_text("OK\nBAD\nERR\nNOT\n1\n")
    (tmp_path / "digits.txt").write_text("0\n1\n1\n0\n1\n")
    for name in ("names.txt", "digits.txt"):
        chunks = list(source(tmp_path / name, Detections).chunks(2))
        assert np.concatenate([chunk.values for chunk in chunks]).tolist() == [0, 1, 1, 0, 1]


def test_tags(tmp_path):
    (tmp_path / "a.tags").write_text("OK BAD\n\nBAD\nOK OK OK\n")
    chunks = list(source(tmp_path / "a.tags", Tags).chunks(3))
    assert [row.tolist() for chunk in chunks for row in chunk.values] == [[0, 1], [], [1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        ("1\n2\n3\nnan\n", Scores, r"a.txt:4: NaN \(a missing value\); every unit needs a finite number"),
        ("1\n2\n3\n4\nx\n", Scores, r"a.txt:5: 'x' is not a number; every line needs a number"),
        ("1\n2\n3\n0,5\n", Scores, r"a.txt:4: '0,5' is not a number; write decimals with a point, as in 0.25"),
        ("1\n2\n1-2\n", Scores, r"a.txt:3: '1-2' is not a number"),
        ("1\n2\n3\n\n5\n", Scores, r"a.txt:4: an empty line instead of 1 column"),
        ("1\n2\n3\n4 4\n", Scores, r"a.txt:4: 2 columns instead of 1 column"),
        ("1 1\n2 2\n3\n", Scores, r"a.txt:3: 1 column instead of 2 columns"),
        ("1 2 3\n", Scores, r"a.txt:1: 3 columns, where a plain file has one"),
        ("1\n2\n1e101\n", Scores, r"a.txt:3: '1e101' is too large to compute with"),
        ("1\n2\n-inf\n", Scores, r"a.txt:3: an infinite value \('-inf'\)"),
        ("", Scores, r"a.txt: the file is empty; give a file with one unit a line"),
        ("\n\n\n", Scores, r"a.txt: the file is empty"),
        ("1\n2\n3\n4\ufeff\n", Scores, r"a.txt:4: a byte-order mark"),
        ("1\n2\n3\n4\n5\0\n", Scores, r"a.txt:5: a binary file \(NUL byte\)"),
        ("OK\nBAD\n1\n0.5\n", Detections, r"a.txt:(4: '0.5' is not the name of a class|1: 'OK' is not a number)"),
        ("0\n1\n0.5\nBAD\n", Detections, r"a.txt:4: 'BAD' is not a number"),
        ("OK\nBAD\nOK BAD\nOK FINE\n", Tags, r"a.txt:4: unknown tag 'FINE', word 2 of the line"),
    ],
)
def test_mistakes_have_their_line_in_any_chunk(tmp_path, content, kind, message):
    (tmp_path / "a.txt").write_text(content)
    for units in (1, 2, 100):
        with pytest.raises(DataError, match=message):
            list(source(tmp_path / "a.txt", kind).chunks(units))


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"1\n2\n3\n4\xff\n")
    with pytest.raises(DataError, match=r"a.txt:4: not UTF-8: byte 0xff at byte 2 of the line; save it as UTF-8"):
        list(source(tmp_path / "a.txt").chunks(2))


def test_a_gzip_file_that_is_cut_off(tmp_path):
    content = "".join(f"{i}\n" for i in np.random.default_rng(0).integers(1000, size=5000)).encode()
    (tmp_path / "a.gz").write_bytes(gzip.compress(content)[:-100])
    with pytest.raises(DataError, match=r"a.gz: cannot be unpacked \(gzip\): it is cut off; get the file again"):
        list(source(tmp_path / "a.gz").chunks(100))


def test_the_expected_number_of_units(tmp_path):
    content = "".join(f"{i:.4f}\n" for i in np.random.default_rng(0).random(400_000)).encode()
    (tmp_path / "a.txt").write_bytes(content)
    (tmp_path / "a.gz").write_bytes(gzip.compress(content, 1))
    for name in ("a.txt", "a.gz"):
        read = source(tmp_path / name)
        next(read.chunks(1000))
        assert read.expected_units() == pytest.approx(400_000, rel=0.1)


def test_the_stamp_changes_when_the_file_is_written_to(tmp_path):
    (tmp_path / "a.txt").write_text("1\n")
    before = source(tmp_path / "a.txt").stamp()
    (tmp_path / "a.txt").write_text("1\n2\n")
    assert source(tmp_path / "a.txt").stamp() != before


def test_lines_parquet_and_arrays(tmp_path):
    (tmp_path / "a.txt").write_text("1\n")
    (tmp_path / "b.dat").write_bytes(b"PAR1 and more")
    (tmp_path / "c::d").write_text("1\n")
    assert isinstance(open_source(Scores, tmp_path / "a.txt", "a"), LineSource)
    assert isinstance(open_source(Scores, [1.0], "a"), ArraySource)
    whole = open_source(Scores, tmp_path / "b.dat", "b")
    column = open_source(Scores, f"{tmp_path}/b.dat::x::y", "b")
    assert isinstance(whole, ParquetSource)
    assert whole.column == ""
    assert isinstance(open_source(Scores, tmp_path / "c::d", "c"), LineSource)
    assert (column.file, column.column) == (f"{tmp_path}/b.dat::x", "y")


def test_what_cannot_be_read(tmp_path):
    (tmp_path / "b.dat").write_bytes(b"PAR1 and more")
    os.mkfifo(tmp_path / "pipe")
    for kind, source, message in [
        (Tags, tmp_path / "b.dat", "a batch of Tags does not hold one number a unit"),
        (Tags, [1], "gold: a batch of Tags does not hold one number a unit"),
        (Texts, "a.txt", "plain files of Texts cannot be read in chunks; .* by 'qeframe score'"),
        (Scores, tmp_path / "none.txt", "there is no such file"),
        (Scores, tmp_path / "pipe", "this is a pipe, a file is expected"),
        (Scores, tmp_path, "this is a folder"),
    ]:
        with pytest.raises(DataError, match=message):
            open_source(kind, source, "gold")


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


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 8))
def test_regrouped_arrays_hold_the_same_numbers(sizes, units):
    numbers = np.arange(float(sum(sizes)))
    parts = np.split(numbers, np.cumsum(sizes)[:-1]) if sizes else []
    found = list(regrouped(iter(parts), units))
    assert np.concatenate([np.empty(0), *found]).tolist() == numbers.tolist()
    assert all(len(part) == units for part in found[:-1])
    assert all(0 < len(part) <= units for part in found)


def test_an_array_and_one_mapped_from_a_file(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(10, dtype=np.float32))
    for values in (np.arange(10), np.load(tmp_path / "a.npy", mmap_mode="r"), list(range(10))):
        source = ArraySource("a", values)
        chunks = list(source.chunks(4))
        assert [len(chunk.ids) for chunk in chunks] == [4, 4, 2]
        assert np.concatenate([chunk.values for chunk in chunks]).tolist() == list(range(10))
        assert chunks[1].ids.tolist() == [4, 5, 6, 7]
        assert (source.expected_units(), source.stamp(), source.record(), source.has_ids) == (10, 10, None, False)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "'a' has no unit"),
        ([1.0, 2.0, np.nan], r"NaN \(a missing value\) at position 2 of 'a'; every unit needs a finite number"),
        ([1.0, np.inf], "inf, which is too large to compute with at position 1"),
        ([1e101], "too large"),
        (["x"], "'a' is not an array of numbers in one dimension"),
        ([[1.0]], "one dimension"),
        ([[1.0], [2.0, 3.0]], "one dimension"),
        (np.ma.array([1.0, 9.0], mask=[False, True]), "masked value at position 1 of 'a'"),
    ],
)
def test_unusable_arrays(values, message):
    with pytest.raises(DataError, match=message):
        list(ArraySource("a", values).chunks(2))


def test_first_unusable_and_numbered():
    assert first_unusable(np.array([1.0, -1e100])) is None
    assert first_unusable(np.array([1.0, np.nan, np.inf])) == (1, "NaN (a missing value)")
    piece = numbered("a", np.array([5.0, 6.0]), 7)
    assert (piece.ids.tolist(), piece.lines.tolist()) == ([7, 8], [8, 9])
