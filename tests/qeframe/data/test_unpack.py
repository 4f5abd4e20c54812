"""Archives: what is unpacked, and what is refused."""

import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.data.published.data_source import is_inside
from qeframe.data.unpack import unpack
from tests.outcome import failure


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "content"
    made.mkdir()
    return made


@pytest.fixture
def archive(tmp_path):
    return tmp_path / "archive"


def found(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def zip_of(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members:
            made.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar(archive, folder, tar_of, mode):
    directory = tarfile.TarInfo("top/a")
    directory.type = tarfile.DIRTYPE
    archive.write_bytes(tar_of(directory, ("top/a/one  two.txt", b"1"), ("./top/b.txt", b"2"), mode=mode))
    assert unpack(archive, folder) == 2
    assert found(folder) == {"top/a/one  two.txt": b"1", "top/b.txt": b"2"}


def test_zip(archive, folder):
    archive.write_bytes(zip_of(("a/", b""), ("a/one.txt", b"1"), ("b.txt", b"2")))
    assert unpack(archive, folder) == 2
    assert found(folder) == {"a/one.txt": b"1", "b.txt": b"2"}


def test_leading_folders_are_left_out_and_others_not_unpacked(archive, folder, tar_of):
    archive.write_bytes(tar_of(("top/a/1", b"1"), ("top/ab/2", b"2"), ("top/c", b"3"), ("top-level", b"4")))
    assert unpack(archive, folder, strip=1, only=["a", "c"]) == 2
    assert found(folder) == {"a/1": b"1", "c": b"3"}


EVIL = ["../out", "a/../../out", "/etc/out", "a\\..\\..\\out", "C:/out", "..", "\\\\host\\out"]


@pytest.mark.parametrize("name", EVIL)
def test_a_name_that_leads_out_is_refused(archive, folder, tar_of, name):
    for content in (tar_of(("first", b"1"), (name, b"2")), zip_of((name, b"2"))):
        archive.write_bytes(content)
        line = failure(DataError, unpack, archive, folder)
        assert "leads out of the folder" in line
        assert "refused" in line
    assert [path.name for path in folder.parent.iterdir() if path.name == "out"] == []


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(archive, folder, tar_of, kind):
    info = tarfile.TarInfo("link")
    info.type, info.linkname = kind, "/etc/passwd"
    archive.write_bytes(tar_of(info))
    assert "the member 'link' is a" in failure(DataError, unpack, archive, folder)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("kind", [0o120777, 0o010644, 0o060644])
def test_links_and_devices_in_a_zip_are_refused(archive, folder, kind):
    info = zipfile.ZipInfo("link")
    info.external_attr = kind << 16
    archive.write_bytes(zip_of((info, b"/etc/passwd")))
    assert "the member 'link' is a link or special file" in failure(DataError, unpack, archive, folder)
    assert not list(folder.iterdir())


def test_a_member_that_is_there_twice_is_refused(archive, folder, tar_of):
    archive.write_bytes(tar_of(("a", b"1"), ("a", b"2")))
    assert "the member 'a' is in it twice" in failure(DataError, unpack, archive, folder)
    archive.write_bytes(tar_of(("b", b"1"), ("b/c", b"2")))
    assert "twice" in failure(DataError, unpack, archive, folder)


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08broken", b"PK\x03\x04broken", b"BZh9x"])
def test_a_damaged_archive(archive, folder, content):
    archive.write_bytes(content)
    assert "is not an archive, or is damaged" in failure(DataError, unpack, archive, folder)


def test_a_cut_archive(archive, folder, tar_of):
    archive.write_bytes(tar_of(("a", bytes(range(256)) * 400))[:-300])
    assert "damaged" in failure(DataError, unpack, archive, folder)


@given(st.lists(st.sampled_from(["a", "..", ".", "", "b c", "...", "C:"]), min_size=1, max_size=5))
def test_a_name_that_is_inside_stays_inside(parts):
    """The oracle resolves the name as the system does."""
    from pathlib import PurePosixPath

    name = "/".join(parts)
    depth, least = 0, 0
    for part in PurePosixPath(name).parts:
        depth += -1 if part == ".." else 1
        least = min(least, depth)
    if is_inside(name):
        assert least == 0
        assert not name.startswith("/")
