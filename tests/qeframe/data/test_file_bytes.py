"""A file is a regular one of bounded size, or a pipe that the user names; anything else is one line, at once."""

import functools
import gzip
import io
import os
import resource
import socket
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from qeframe.core.errors import DataError, PipeWarning
from qeframe.data import file_bytes as module
from qeframe.data.file_bytes import MEBIBYTE, file_bytes, status_of
from tests.outcome import failure


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.txt"


refusal = functools.partial(failure, DataError, file_bytes)


def odd_files(path: Path) -> Iterator[str]:
    os.mkfifo(path)
    yield "this is a pipe, a file is expected; put a regular file in its place"
    path.unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        yield "this is a socket, a file is expected; put a regular file in its place"
    path.unlink()
    path.symlink_to("/dev/zero")
    yield "this is a device, a file is expected; put a regular file in its place"
    path.unlink()
    path.symlink_to("gone")
    yield "a link to a file that is not there; repair or remove the link"
    path.unlink()
    path.symlink_to(path.name)
    yield "a link that leads back to itself; repair or remove the link"


def test_what_is_no_regular_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    short = Path(path.name)
    for message in odd_files(short):
        assert refusal(short) == f"a.txt: {message}"
        with pytest.raises(DataError, match=message.partition(";")[0]):
            status_of(short)


def test_a_path_that_is_too_long() -> None:
    assert refusal(Path("x" * 300)) == f"{'x' * 80}...: the path is too long; check the path"


def test_a_named_pipe_is_read_to_its_end(path: Path) -> None:
    os.mkfifo(path)

    def write() -> None:
        with path.open("w") as stream:
            stream.write("1\n")
            stream.flush()
            stream.write("2\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert file_bytes(path, pipe=True)[0] == b"1\n2\n"
    writer.join()


def test_a_silent_pipe(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(path)
    monkeypatch.setattr(module, "SILENCE", 0.1)
    assert refusal(path, pipe=True) == (
        f"{path}: the pipe gave nothing for 0.1 seconds; check what writes to it, or set the environment variable "
        "QEFRAME_PIPE_SECONDS to more seconds"
    )


def test_a_pipe_is_told_that_it_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(path)
    monkeypatch.setattr(module, "SILENCE", 0.2)
    monkeypatch.setattr(module, "_TOLD_AFTER", 0.1)
    told = "waiting for the pipe, for 0.2 seconds of silence at the most; check what writes to it"
    with pytest.warns(PipeWarning) as caught:
        assert "the pipe gave nothing for 0.2 seconds" in refusal(path, pipe=True)
    assert [str(warning.message) for warning in caught] == [f"{path}: {told}"]


def test_a_file_that_is_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 1)
    path.write_bytes(b"1\n" * MEBIBYTE)
    expected = (
        "a file of 2 MiB is too large: the bound is 1 MiB of text; split it, or set the environment variable "
        "QEFRAME_LARGEST_FILE to a larger number of MiB"
    )
    assert refusal(path) == f"{path}: {expected}"
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "2")
    assert len(file_bytes(path)[0]) == 2 * MEBIBYTE


@pytest.mark.parametrize("text", ["1_0", "0", "-1", "\u0661", "x", "1" * 11])
def test_a_bound_that_is_no_number(path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path.write_bytes(b"1\n")
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", text)
    assert refusal(path) == f"QEFRAME_LARGEST_FILE={text} is not a whole number from 1; write digits only, or unset it"


def test_a_pipe_that_is_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 1)
    os.mkfifo(path)
    code = f"open({str(path)!r}, 'w').write('1\\n' * 2**20)"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as writer:
        assert "a file is too large: the bound is 1 MiB of text" in refusal(path, pipe=True)
        writer.kill()


def test_a_packed_file(path: Path) -> None:
    stored = gzip.compress(b"1\n2\n", mtime=0)
    path.write_bytes(stored)
    assert file_bytes(path, packed=True) == (b"1\n2\n", stored)
    assert "the file is compressed (gzip); unpack it" in refusal(path)
    path.write_bytes(b"1\n")
    assert file_bytes(path, packed=True) == (b"1\n", b"1\n")


def test_a_packed_file_of_more_than_the_bound(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 1)
    path.write_bytes(gzip.compress(b"1\n" * MEBIBYTE))
    assert "a file is too large: the bound is 1 MiB of text" in refusal(path, packed=True)


def archived(*members: tuple[str, bytes]) -> bytes:
    stored = io.BytesIO()
    with tarfile.open(fileobj=stored, mode="w") as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stored.getvalue()


def test_an_archive_of_one_file(path: Path) -> None:
    stored = gzip.compress(archived(("folder/._a", b"\0"), ("folder/a", b"1\n2\n")), mtime=0)
    path.write_bytes(stored)
    assert file_bytes(path, packed=True) == (b"1\n2\n", stored)


def test_other_archives_are_refused(path: Path) -> None:
    path.write_bytes(gzip.compress(archived(("folder/a", b"1\n"), ("b", b"2\n"))))
    what = f"{path}: an archive of several files, among them folder/a and b; unpack it, and name one of the files"
    assert refusal(path, packed=True) == what
    path.write_bytes(gzip.compress(archived(("a", b"1\n" * 1000))[:1300]))
    assert f"{path}: cannot be unpacked (tar): " in refusal(path, packed=True)


def test_a_broken_packed_file(path: Path) -> None:
    stored = gzip.compress(b"1\n2\n" * 1000, mtime=0)
    for content, reason in ((stored[:-9], "it is cut off"), (stored[:20] + b"x" + stored[21:], "")):
        path.write_bytes(content)
        assert f"{path}: cannot be unpacked (gzip): {reason}" in refusal(path, packed=True)


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="the system bounds no memory")
def test_too_little_memory_is_one_line(path: Path) -> None:
    path.write_bytes(b"0.1\n" * 12 * MEBIBYTE)  # as a list of lines more than the bound
    code = (
        "import resource; from qeframe.data.text_lines import read_text_lines\n"
        "from qeframe.core.errors import DataError\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))\n"
        f"try: read_text_lines({str(path)!r})\n"
        "except DataError as error: print(error.what)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("not enough memory to read the file\n", "")


def test_a_pointer_of_git_lfs(tmp_path):
    (tmp_path / "a.tsv").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n")
    with pytest.raises(DataError, match="a pointer of Git LFS, not the file; get the file with 'git lfs pull'"):
        file_bytes(tmp_path / "a.tsv")
