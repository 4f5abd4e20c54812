"""Data sources: what their author writes, and what is refused."""

import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import DataError
from qeframe.extensions import hooks
from qeframe.extensions.published.data_source import (
    DataSource,
    SourceFile,
    SourceUse,
    data_sources_from_toml,
    is_inside,
)
from tests.qeframe.core.components.made_plugins import empty_but, failure, plugin

DIGEST = "0" * 64
URL = "https://example.org/a.txt"
FILE = SourceFile(url=URL, path="a.txt", size=5, sha256=DIGEST)


def source(**given):
    return DataSource(**{"name": "made", "summary": "", "files": [FILE], **given})


def test_from_toml(tmp_path):
    (tmp_path / "made.sha256").write_text(f"{DIGEST}  b/c d.txt\n")
    (tmp_path / "sources.toml").write_text(
        '[made]\nsummary = "s"\nlicense = "CC0"\nchecksums = "made.sha256"\n'
        'uses = [{ profile = "p", path = "b", settings = ["test="] }]\n'
        f'[[made.files]]\nurl = "{URL}"\nunpack = true\nstrip = 1\nonly = ["b"]\n'
    )
    (made,) = data_sources_from_toml(tmp_path)
    assert made.files == (SourceFile(url=URL, unpack=True, strip=1, only=("b",)),)
    assert made.uses == (SourceUse(profile="p", path="b", settings=("test=",)),)
    assert made.member_digests() == {"b/c d.txt": DIGEST}
    assert made.checked == "SHA-256 of 1 file"


def test_what_is_checked_in_words():
    other = SourceFile(url=URL, path="b.txt")
    assert source().checked == "SHA-256"
    assert source(files=[FILE, other]).checked == "SHA-256 of 1 file"
    assert source(files=[other]).checked == "not verified"
    assert (source().size, source(files=[FILE, other]).size) == (5, 0)
    assert source(revision="0123456789abcdef").folder == "made-0123456789ab"


@pytest.mark.parametrize("line", [f"{DIGEST} a", f"{'0' * 63}  a", f"{DIGEST}  ../a", "a"])
def test_checksums_of_another_form(tmp_path, line):
    (tmp_path / "sums").write_text(f"{DIGEST}  ok\n{line}\n")
    said = failure(DataError, source(checksums=tmp_path / "sums").member_digests)
    assert said == f"{tmp_path / 'sums'}:2: is not a line of sha256sum"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"url": "file:///etc/passwd", "path": "a"}, "does not begin with https://"),
        ({"url": "ftp://example.org/a", "path": "a"}, "does not begin with https://"),
        ({"url": URL, "path": "../a"}, "path '../a' is not inside the folder"),
        ({"url": URL, "path": "a", "sha256": DIGEST.replace("0", "A")}, "is not 64 digits"),
        ({"url": URL}, "a file has a path, and an archive to unpack has none"),
        ({"url": URL, "path": "a", "unpack": True}, "an archive to unpack has none"),
    ],
)
def test_a_file_that_is_refused(given, said):
    assert said in failure(DataError, SourceFile, **given)


def test_a_source_without_files_or_with_a_use_outside_is_refused():
    assert "has no files" in failure(DataError, source, files=[])
    assert "not inside" in failure(DataError, SourceUse, profile="p", path="/etc")
    assert "files: unknown key 'link'" in failure(DataError, source, files=[{"link": URL}])


@pytest.mark.parametrize("name", ["a", "a/b", "a/..b", "./a", "a.b"])
def test_inside(name):
    assert is_inside(name)


@pytest.mark.parametrize("name", ["", "/a", "a/..", "..", "\\a", "c:a", "a\0b"])
def test_not_inside(name):
    assert not is_inside(name)


def test_a_plugin_brings_a_source():
    registry: Registry = empty_but(own=plugin(qeframe_data_sources=[source()]), extensions=hooks)
    assert registry.get(DataSource, "made") == source()
    assert registry.get(DataSource, "made").origin.plugin == "own"
