"""The files of a result are written completely or not at all."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.report import write_files
from qeframe.report.pages.files import write_file


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_files_are_the_whole_content_of_the_folder(tmp_path):
    write_files(tmp_path / "out", {"a": b"1", "b": b"2"})
    write_files(tmp_path / "out", {"b": b"3"})
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == [".qeframe.json", "b"]
    assert (tmp_path / "out" / "b").read_bytes() == b"3"


def test_a_file_in_the_place_of_the_folder_is_one_line(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(DataError) as caught:
        write_files(tmp_path / "out", {"a": b"1"})
    assert str(caught.value) == f"{tmp_path / 'out'}: is a file, not a folder; name a folder"
    assert (tmp_path / "out").read_text() == "a file"


def test_one_file_is_put_in_the_place_of_another(tmp_path):
    (tmp_path / "mine.txt").write_text("kept")
    for content in (b"1", b"2"):
        write_file(tmp_path / "new" / "grid.svg", content)
        write_file(tmp_path / "grid.svg", content)
    assert names(tmp_path) == ["grid.svg", "mine.txt", "new"]
    assert (tmp_path / "grid.svg").read_bytes() == (tmp_path / "new" / "grid.svg").read_bytes() == b"2"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "page.html"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        write_file(pipe, b"page")
        assert read.result(timeout=30) == b"page"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["page.html"]


def test_a_device_stays(monkeypatch):
    replaced = []
    monkeypatch.setattr(os, "replace", lambda *paths: replaced.append(paths))
    write_file(Path(os.devnull), b"page")
    assert replaced == []


def test_the_target_of_a_link_is_written(tmp_path):
    (tmp_path / "www").mkdir()
    (tmp_path / "page.html").symlink_to("www/index.html")
    for content in (b"1", b"2"):
        write_file(tmp_path / "page.html", content)
        assert (tmp_path / "www" / "index.html").read_bytes() == content
    assert (tmp_path / "page.html").is_symlink()
    assert names(tmp_path / "www") == ["index.html"]


def test_one_file_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "grid.svg").write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DataError, match=r"grid\.svg: cannot be written: No space left on device; name another file"):
        write_file(tmp_path / "grid.svg", b"new")
    assert names(tmp_path) == ["grid.svg"]
    assert (tmp_path / "grid.svg").read_text() == "old"
