"""The manifest of a result."""

import json
import os

import pytest

from qeframe.report.folders.manifest import MANIFEST, foreign_files, has_manifest, remove_result, write_result

FILES = {"a.txt": b"1", "task/gold.txt": b"2", "task/submissions/x.txt": b"3"}


@pytest.fixture
def folder(tmp_path):
    write_result(tmp_path / "out", FILES)
    return tmp_path / "out"


def test_a_result_has_nothing_foreign_and_is_removed_whole(folder):
    assert has_manifest(folder)
    assert foreign_files(folder) == []
    remove_result(folder)
    assert not folder.exists()


def test_equal_files_have_equal_manifests(folder, tmp_path):
    write_result(tmp_path / "again", FILES)
    assert (folder / MANIFEST).read_bytes() == (tmp_path / "again" / MANIFEST).read_bytes()


def test_an_empty_folder_has_nothing_foreign(tmp_path):
    assert foreign_files(tmp_path) == []


def test_a_file_that_was_removed_since_is_not_missed(folder):
    (folder / "a.txt").unlink()
    assert foreign_files(folder) == []
    remove_result(folder)


@pytest.mark.parametrize("name", ["notes.txt", "task/notes.txt", ".hidden"])
def test_other_files_are_foreign_and_stay(folder, name):
    (folder / name).write_text("mine")
    assert foreign_files(folder) == [name]
    with pytest.raises(OSError, match="which no run wrote"):
        remove_result(folder)
    assert (folder / name).read_text() == "mine"


def test_changed_files_links_and_other_folders_are_foreign(folder):
    (folder / "a.txt").write_text("edited")
    (folder / "empty").mkdir()
    (folder / "task" / "gold.txt").unlink()
    (folder / "task" / "gold.txt").symlink_to("../a.txt")
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("task")
    assert foreign_files(folder) == ["a.txt", "empty", "link", "pipe", "task/gold.txt"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"files": 1}', '{"files": ["a.txt"]}', '{"files": {"../other": "x"}}']
)
def test_a_manifest_that_is_not_one_lists_nothing(folder, text):
    (folder / MANIFEST).write_text(text)
    assert not has_manifest(folder)
    assert foreign_files(folder) == sorted([*FILES, "task", "task/submissions", MANIFEST])
    with pytest.raises(OSError, match="which no run wrote"):
        remove_result(folder)
    assert (folder / "a.txt").exists()


def test_nothing_outside_is_removed(folder):
    (folder.parent / "mine.txt").write_text("1")
    listed = json.loads((folder / MANIFEST).read_text())
    for name in ("../mine.txt", str(folder.parent / "mine.txt")):
        (folder / MANIFEST).write_text(json.dumps({"files": {**listed["files"], name: "x"}}))
        with pytest.raises(OSError, match="which no run wrote"):
            remove_result(folder)
    assert (folder.parent / "mine.txt").exists()


def test_a_folder_with_an_unfinished_manifest_alone_is_removed(tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / MANIFEST).write_text('{"fil')
    remove_result(tmp_path / "new")
    assert not (tmp_path / "new").exists()
