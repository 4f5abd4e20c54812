import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.execution import work_folder
from qeframe.execution.work_folder import MANIFEST, WorkFolder


@pytest.fixture
def folder(tmp_path: Path) -> WorkFolder:
    made = WorkFolder(tmp_path / "work")
    made.write_manifest({"seed": 3})
    return made


def test_what_is_written_is_read(folder):
    result = np.array([[0.1, np.nan], [-0.0, 1e300]])
    folder.write("key", result)
    assert folder.has("key")
    assert folder.read("key").tobytes() == result.tobytes()
    assert folder.manifest() == {"format": 1, "seed": 3}
    assert {file.name for file in folder.path.iterdir()} == {"key", MANIFEST}


def test_there_may_be_nothing(tmp_path):
    empty = WorkFolder(tmp_path / "none")
    assert empty.manifest() is None
    assert not empty.has("key")
    assert empty.read("key") is None
    empty.remove()


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b[:3], lambda b: b"", lambda b: b[:-1] + b"x"])
def test_a_damaged_block_is_none(folder, damage):
    folder.write("key", np.arange(4.0))
    file = folder.path / "key"
    file.write_bytes(damage(file.read_bytes()))
    assert folder.read("key") is None


def test_another_format_is_one_line(folder):
    (folder.path / MANIFEST).write_text(json.dumps({"format": 2}))
    with pytest.raises(DataError, match="has format 2, this version of qeframe reads 1; compute it again"):
        folder.manifest()
    (folder.path / MANIFEST).write_text("{")
    with pytest.raises(DataError, match="cannot be read; remove the folder"):
        folder.manifest()


def test_a_folder_of_something_else_is_one_line(tmp_path):
    (tmp_path / "gold.txt").write_text("1\n")
    with pytest.raises(DataError, match="is not a work folder of qeframe"):
        WorkFolder(tmp_path).manifest()


def test_a_full_disk_is_one_line_and_leaves_nothing(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DataError, match="blocks cannot be kept: No space left on device; free space"):
        folder.write("key", np.arange(3.0))
    assert {file.name for file in folder.path.iterdir()} == {MANIFEST}


def test_the_folder_is_bounded(folder, monkeypatch):
    monkeypatch.setattr(work_folder, "MOST_BYTES", 1000)
    folder.write("key", np.arange(4.0))
    with pytest.raises(DataError, match="the work folder is full"):
        folder.write("other", np.arange(200.0))


def test_old_folders_are_removed_and_other_files_stay(folder):
    old, other = WorkFolder(folder.path.parent / "old"), folder.path.parent / "other"
    old.write_manifest({})
    other.mkdir()
    for path in (old.path, other):
        os.utime(path, (0, 0))
    folder.remove_old_neighbors()
    assert not old.path.exists()
    assert other.exists()
    assert folder.path.exists()
