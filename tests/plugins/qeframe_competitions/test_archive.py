"""Archives: the same bytes for the same files."""

import io
import time
import zipfile

from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe_competitions.archive import zip_bytes

NAMES = st.from_regex("[a-z]{1,5}(/[a-z]{1,5}){0,2}[.](txt|whl)", fullmatch=True)


@settings(max_examples=10)
@given(st.dictionaries(NAMES, st.binary(max_size=50), min_size=1, max_size=6))
def test_every_file_comes_out_and_the_order_does_not_matter(files):
    content = zip_bytes(files)
    assert zip_bytes(dict(reversed(files.items()))) == content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert archive.namelist() == sorted(files)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_bytes_do_not_depend_on_the_time(monkeypatch):
    before = zip_bytes({"a.txt": b"1"})
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    assert zip_bytes({"a.txt": b"1"}) == before


def test_wheels_are_not_compressed_again():
    with zipfile.ZipFile(io.BytesIO(zip_bytes({"a.whl": b"0" * 99, "b.txt": b"0" * 99}))) as archive:
        kinds = {entry.filename: entry.compress_type for entry in archive.infolist()}
    assert kinds == {"a.whl": zipfile.ZIP_STORED, "b.txt": zipfile.ZIP_DEFLATED}
