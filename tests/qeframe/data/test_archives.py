"""Files in archives are read in place, or refused with one line that names the archive."""

import io
import tarfile
import zipfile

import pytest

from qeframe.core.errors import DataError
from qeframe.data.text_lines import read_text_lines

TEXT = "eins\nzwei\n"


def packed(path, names=("en-de/gold.txt",)):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, TEXT)
    else:
        with tarfile.open(path, "w" if path.suffix == ".tar" else "w:gz") as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = len(TEXT)
                archive.addfile(member, io.BytesIO(TEXT.encode()))
    return path


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tgz", "a.tar", "a.zip"])
def test_a_file_in_an_archive_is_read_as_if_unpacked(tmp_path, name):
    file = read_text_lines(packed(tmp_path / name) / "en-de" / "gold.txt")
    (tmp_path / "gold.txt").write_text(TEXT)
    assert file.lines == ("eins", "zwei")
    assert file.sha256 == read_text_lines(tmp_path / "gold.txt").sha256
    assert file.error("wrong", line=2).path == tmp_path / name / "en-de" / "gold.txt"


def test_names_that_begin_with_a_point_and_a_slash(tmp_path):
    archive = packed(tmp_path / "a.tar.gz", names=["./gold.txt"])
    assert read_text_lines(archive / "gold.txt").lines == ("eins", "zwei")


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
def test_a_file_that_the_archive_lacks(tmp_path, name):
    with pytest.raises(DataError, match=r"the archive has no file en-de/golds.txt; did you mean 'en-de/gold.txt'"):
        read_text_lines(packed(tmp_path / name) / "en-de" / "golds.txt")


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
@pytest.mark.parametrize("content", [b"version https://git-lfs.github.com/spec/v1\n", b"", b"\x1f\x8b\x08\x00"])
def test_what_is_no_archive(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be unpacked: .*; get the archive again"):
        read_text_lines(tmp_path / name / "gold.txt")


def test_an_archive_that_is_cut_off(tmp_path):
    archive = packed(tmp_path / "a.tar.gz", names=[f"{n}.txt" for n in range(200)])
    archive.write_bytes(archive.read_bytes()[:-200])
    with pytest.raises(DataError, match="cannot be unpacked"):
        read_text_lines(archive / "gold.txt")


def test_a_path_below_a_file_that_is_no_archive(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    with pytest.raises(DataError, match="cannot be read: Not a directory"):
        read_text_lines(tmp_path / "a.txt" / "gold.txt")


def test_a_large_file_in_an_archive(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("gold.txt")
        member.size = (1 << 20) + 2
        archive.addfile(member, io.BytesIO(b"1\n" * (member.size // 2)))
    with pytest.raises(DataError, match="too large: the bound is 1 MiB"):
        read_text_lines(tmp_path / "a.tar.gz" / "gold.txt")


@pytest.mark.parametrize("lines", [2, 600_000])
def test_the_last_file_of_a_name_counts(tmp_path, lines):
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        for word in ("old", "new"):
            content = f"{word}\n".encode() * lines
            member = tarfile.TarInfo("gold.txt")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    assert set(read_text_lines(tmp_path / "a.tar.gz" / "gold.txt").lines) == {"new"}
