"""Downloads: whole, and each way to fail in one line with nothing left."""

import builtins
import hashlib
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
    assert server.asked == ["/data.bin"]
    assert [path.name for path in target.parent.iterdir()] == ["data.bin"]


def test_a_file_without_a_known_digest_is_downloaded_too(server, target):
    server.files["data.bin"] = b"anything"
    download(SourceFile(url=server.url("data.bin"), path="data.bin"), target, nothing)
    assert target.read_bytes() == b"anything"


def test_an_interrupted_download_begins_anew(file, target, server):
    server.stop_after = 100_000
    assert "the server sent less than the file has" in failure(DataError, download, file, target, nothing)
    assert list(target.parent.iterdir()) == []
    server.stop_after = None
    download(file, target, nothing)
    assert target.read_bytes() == CONTENT


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


@pytest.mark.parametrize("answers", [False, True])
def test_a_server_that_stalls_is_given_up(file, target, server, monkeypatch, answers):
    monkeypatch.setattr(module, "_SECONDS", 0.15)
    ended = Event()
    setattr(server, "before_piece" if answers else "before_answer", lambda: ended.wait(10))
    try:
        line = failure(DataError, download, file, target, nothing)
    finally:
        ended.set()
    assert ("sent nothing for", "cannot connect to 127.0.0.1")[answers] in line
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (204, "204 No Content; the address is not right"),
        (206, "206 Partial Content; the address is not right"),
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


@pytest.mark.parametrize("url", ["http://a..b/f", "http://[::1/f"])
def test_an_address_that_is_none(target, url):
    line = failure(DataError, download, SourceFile(url=url, path="f", sha256="0" * 64), target, nothing)
    assert line.startswith(f"{url}: cannot be downloaded: ")


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
