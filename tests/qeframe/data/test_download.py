"""Downloads: whole, resumed, and each way to fail in one line with nothing left."""

import builtins
import hashlib
import re
from threading import Event

import pytest

from qeframe.core.errors import DataError
from qeframe.data import download as module
from qeframe.data.download import download
from qeframe.data.published.data_source import SourceFile
from tests.outcome import failure

CONTENT = bytes(range(256)) * 2000
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def target(tmp_path):
    return tmp_path / "data.bin"


@pytest.fixture
def file(server):
    server.files["data.bin"] = CONTENT
    return SourceFile(url=server.url("data.bin"), path="data.bin", sha256=DIGEST, size=len(CONTENT))


def nothing(name, there, total):
    pass


def test_a_file_is_downloaded_once_and_its_progress_is_told(file, target, server):
    seen = []
    assert download(file, target, lambda *told: seen.append(told)) == target
    assert target.read_bytes() == CONTENT
    assert seen[-1] == ("data.bin", len(CONTENT), len(CONTENT))
    assert [there for _, there, _ in seen] == sorted(there for _, there, _ in seen)
    download(file, target, nothing)
    assert server.asked == [""]
    assert [path.name for path in target.parent.iterdir()] == ["data.bin"]


def test_a_file_without_a_known_digest_is_downloaded_too(server, target):
    server.files["data.bin"] = b"anything"
    download(SourceFile(url=server.url("data.bin"), path="data.bin"), target, nothing)
    assert target.read_bytes() == b"anything"


def test_an_interrupted_download_continues(file, target, server):
    server.stop_after = 100_000
    line = failure(DataError, download, file, target, nothing)
    assert re.search(r"the server sent less than the file has: \d\d,\d{3} of 512,000 bytes; .* continues", line)
    assert not target.exists()
    part = target.with_name("data.bin.part")
    there = part.stat().st_size
    assert 0 < there <= 100_000
    server.stop_after = None
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT
    assert server.asked == ["", f"bytes={there}-"]
    assert not part.exists()


@pytest.mark.parametrize("lack", ["ranges", "tags"])
def test_without_ranges_or_a_tag_a_download_begins_anew(file, target, server, lack):
    setattr(server, lack, False)
    server.stop_after = 100_000
    failure(DataError, download, file, target, nothing)
    server.stop_after = None
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT
    assert server.asked == ["", ""]


def test_a_file_that_changed_in_between_is_downloaded_anew(server, target):
    server.files["data.bin"] = CONTENT
    file = SourceFile(url=server.url("data.bin"), path="data.bin")
    server.stop_after = 100_000
    failure(DataError, download, file, target, nothing)
    server.files["data.bin"], server.stop_after = CONTENT[::-1], None
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT[::-1]
    assert server.asked[1].startswith("bytes=")


def test_a_part_that_is_longer_than_the_file_is_given_up(file, target, server):
    part = target.with_name("data.bin.part")
    part.write_bytes(CONTENT + b"more")
    tag = f'"{hashlib.md5(CONTENT).hexdigest()}"'
    part.with_name("data.bin.part.tag").write_text(tag)
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT
    assert server.asked == [f"bytes={len(CONTENT) + 4}-", ""]


def test_a_part_without_a_byte_is_begun_anew(file, target, server):
    target.with_name("data.bin.part").write_bytes(b"")
    target.with_name("data.bin.part.tag").write_text('"any"')
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT
    assert server.asked == [""]


@pytest.mark.parametrize("part", [False, True])
def test_a_server_that_never_has_the_range_is_asked_for_the_whole_once(file, target, server, part):
    if part:
        server.stop_after = 100_000
        failure(DataError, download, file, target, nothing)
        server.asked.clear()
    server.status = 416
    assert "the server answers 416" in failure(DataError, download, file, target, nothing)
    assert server.asked[-1] == ""
    assert len(server.asked) == 1 + part


def test_another_digest_is_refused_and_not_kept(file, target, server):
    server.files["data.bin"] = CONTENT[::-1]
    line = failure(DataError, download, file, target, nothing)
    assert f"is not {DIGEST}" in line
    assert list(target.parent.iterdir()) == []


def test_more_bytes_than_stated_are_refused(file, target, server):
    server.files["data.bin"], server.length = CONTENT + b"x", False
    assert f"has more than {len(CONTENT)} bytes" in failure(DataError, download, file, target, nothing)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("length", [True, False])
def test_a_file_of_unknown_size_is_bounded(server, target, length):
    server.files["data.bin"], server.length = CONTENT, length
    file = SourceFile(url=server.url("data.bin"), path="data.bin")
    line = failure(DataError, download, file, target, nothing, largest=100_000)
    assert "has more than 100,000 bytes, and its size is not declared" in line
    assert "--limit" in line
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("pieces", [0, 1, 100], ids=["no answer", "a stall", "a trickle"])
def test_a_server_that_stalls_is_given_up(file, target, server, monkeypatch, pieces):
    monkeypatch.setattr(module, "_WINDOW", 0.15)
    ended, sent = Event(), []

    def slowly():
        sent.append(1)
        ended.wait(0.02 if len(sent) <= pieces else 10)

    if pieces:
        server.before_piece, server.piece = slowly, 100
    else:
        server.before_answer = slowly
    try:
        line = failure(DataError, download, file, target, nothing)
    finally:
        ended.set()
    assert ("does not answer; try again later" if not pieces else "the download has stalled: 127.0.0.1:") in line
    assert not target.exists()


@pytest.mark.parametrize("range_of", ["", "bytes 5-9/10", "bytes */10"])
def test_another_part_than_was_asked_for_is_refused(file, target, server, monkeypatch, range_of):
    server.stop_after = 100_000
    failure(DataError, download, file, target, nothing)
    server.stop_after, server.range_of = None, range_of
    assert "the server sent another part than was asked for" in failure(DataError, download, file, target, nothing)
    assert list(target.parent.iterdir()) == []
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (206, "206 Partial Content, and not the whole file; try again later"),
        (204, "204 No Content, and not the whole file"),
        (304, "304 Not Modified, and not the whole file"),
        (302, "too many redirects"),
        (403, "403 Forbidden; the publisher does not give it to everybody"),
        (404, "404 Not Found; the file was moved or removed"),
        (405, "405 Method Not Allowed; the address is not right"),
        (429, "429 Too Many Requests; try again later"),
        (503, "503 Service Unavailable; try again later"),
    ],
)
def test_a_server_that_refuses(file, target, server, status, said):
    server.status = status
    line = failure(DataError, download, file, target, nothing)
    assert said in line
    assert line.startswith(file.url)
    assert not target.exists()


def test_offline(target):
    file = SourceFile(url="http://127.0.0.1:9/data.bin", path="data.bin")
    line = failure(DataError, download, file, target, nothing)
    assert "cannot connect to 127.0.0.1:9" in line
    assert "--data" in line


def test_without_pooch_the_line_says_how_to_install_it(file, target, monkeypatch):
    imported = builtins.__import__

    def without_pooch(name, *rest):
        if name == "pooch":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_pooch)
    assert 'pip install "qeframe[fetch]"' in failure(DataError, download, file, target, nothing)
