"""A folder of data is whole, or not there."""

import hashlib
import json

import pytest

from qeframe.core.errors import DataError
from qeframe.data import fetch as module
from qeframe.data.fetch import fetch
from qeframe.data.file_lock import hold_lock
from qeframe.data.places import RECORD
from qeframe.data.published.data_source import DataSource, SourceFile
from tests.outcome import failure


def digest(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def source(server, tar_of, tmp_path):
    """Describe two files and an archive, of which one member is checked."""
    server.files |= {"one.txt": b"1", "two.txt": b"2", "all.tar.gz": tar_of(("top/a.txt", b"a"), ("top/b/c.txt", b"c"))}
    checksums = tmp_path / "sums.sha256"
    checksums.write_text(f"{digest(b'c')}  b/c.txt\n")
    return DataSource(
        name="made",
        summary="made data",
        revision="0123456789abcdef",
        checksums=checksums,
        files=[
            SourceFile(url=server.url("one.txt"), path="one.txt", sha256=digest(b"1")),
            SourceFile(url=server.url("two.txt"), path="inner/two.txt"),
            SourceFile(url=server.url("all.tar.gz"), unpack=True, strip=1),
        ],
    )


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_everything_is_there_once(source, server, tmp_path):
    folder = fetch(source)
    assert folder == tmp_path / "cache" / "made-0123456789ab"
    assert names(folder) == [RECORD, "a.txt", "b/c.txt", "inner/two.txt", "one.txt"]
    record = json.loads((folder / RECORD).read_text())
    assert record["checksums"] == {"b/c.txt": digest(b"c")}
    assert fetch(source) == folder
    assert len(server.asked) == 3
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_folder_can_be_named_and_may_be_empty(source, tmp_path):
    (tmp_path / "there").mkdir()
    assert "one.txt" in names(fetch(source, tmp_path / "there"))
    assert "one.txt" in names(fetch(source, tmp_path / "not" / "there"))


def test_a_folder_with_other_content_is_left_alone(source, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "paper.tex").write_text("x")
    assert "is there already" in failure(DataError, fetch, source, tmp_path / "mine")
    assert names(tmp_path / "mine") == ["paper.tex"]
    (tmp_path / "file").write_text("x")
    assert "--to" in failure(DataError, fetch, source, tmp_path / "file")


def test_an_interruption_keeps_what_is_there_for_the_next_time(source, server, tmp_path):
    server.files["all.tar.gz"], whole = server.files["all.tar.gz"][:40], server.files["all.tar.gz"]
    del server.files["all.tar.gz"]
    assert "404" in failure(DataError, fetch, source)
    assert not (tmp_path / "cache" / "made-0123456789ab").exists()
    server.files["all.tar.gz"] = whole
    fetch(source)
    assert len(server.asked) == 4


@pytest.mark.parametrize("which", ["one.txt", "all.tar.gz", "evil"])
def test_what_fails_a_check_is_not_kept(source, server, tar_of, tmp_path, which):
    if which == "evil":
        server.files["all.tar.gz"] = tar_of(("top/../../../out", b"x"))
    else:
        server.files[which] = b"9" if which == "one.txt" else tar_of(("top/b/c.txt", b"other"))
    line = failure(DataError, fetch, source)
    assert ("leads out" if which == "evil" else "SHA-256") in line
    assert not (tmp_path / "cache").exists()
    assert not list(tmp_path.rglob("out"))


def test_a_listed_file_that_is_not_there_is_an_error(source, server, tar_of):
    server.files["all.tar.gz"] = tar_of(("top/a.txt", b"a"))
    assert "no file 'b/c.txt'" in failure(DataError, fetch, source)


def test_an_archive_without_what_was_asked_for(server, tar_of):
    server.files["a.tgz"] = tar_of(("top/a.txt", b"a"))
    file = SourceFile(url=server.url("a.tgz"), unpack=True, strip=1, only=["b"])
    source = DataSource(name="made", summary="", files=[file])
    assert "none of the files" in failure(DataError, fetch, source)


def test_two_at_once_are_refused(source, tmp_path):
    """The second one leaves what the first one has made until then."""
    pytest.importorskip("fcntl")
    partial = tmp_path / "cache" / ".made-0123456789ab.partial"
    (partial / "content").mkdir(parents=True)
    (partial / "content" / "unpacked.txt").write_text("1")
    with hold_lock(partial.with_suffix(".lock"), ValueError()):
        assert "by another process" in failure(DataError, fetch, source)
        assert names(partial) == ["content/unpacked.txt"]
    assert "one.txt" in names(fetch(source))


def test_a_second_fetch_does_not_end_the_first(source, server, tmp_path):
    """The second one comes while the server has not yet answered the first."""
    pytest.importorskip("fcntl")
    seen = []
    server.before_answer = lambda: seen or seen.append(failure(DataError, fetch, source))
    assert "one.txt" in names(fetch(source))
    assert "by another process" in seen[0]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["made-0123456789ab"]


def test_what_another_process_has_just_fetched_is_not_fetched_again(source, server, monkeypatch):
    folder = fetch(source)
    answers = iter([False, True])
    monkeypatch.setattr(module, "is_fetched", lambda *_: next(answers))
    assert fetch(source) == folder
    assert len(server.asked) == 3


def test_a_place_that_cannot_be_written(source, tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be written" in failure(DataError, fetch, source, tmp_path / "file" / "inside")
