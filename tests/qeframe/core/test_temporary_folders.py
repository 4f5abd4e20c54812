"""Temporary folders, and what killed processes left."""

import os
import signal
import tempfile
import time
from contextlib import suppress

import pytest

from qeframe.cli.shared.command_ending import ended_by_signals
from qeframe.core import temporary_folders
from qeframe.core.process_signals import EndedError
from qeframe.core.temporary_folders import temporary_folder


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    temporary_folders._remove_abandoned.cache_clear()
    return tmp_path


def test_a_temporary_folder_is_removed(temporary):
    with suppress(EndedError), ended_by_signals(), temporary_folder() as folder:
        (folder / "inner").mkdir()
        assert [path.name for path in temporary.iterdir()] == [folder.name]
        signal.raise_signal(signal.SIGTERM)
    assert list(temporary.iterdir()) == []


def test_temporary_folders_of_killed_processes_are_removed_and_no_others(temporary):
    def made(name, age=120.0):
        (temporary / name).mkdir()
        (temporary / name / "work").write_text("")
        os.utime(temporary / name, (0, os.stat(temporary).st_mtime - age))
        return temporary / name

    abandoned, used = made(".qeframe-temporary-abcdefgh"), made(".qeframe-temporary-used0000")
    others = {
        made(".qeframe-temporary-young000", age=-60.0),
        made(".qeframe-temporary-of-mine"),
        made("qeframe-abcdefgh"),
    }
    (temporary / ".qeframe-temporary-linked00").symlink_to(others.pop())
    lock = temporary_folders._lock(used)
    before = set(temporary.iterdir())
    with temporary_folder() as folder:
        assert set(temporary.iterdir()) == before - {abandoned} | {folder}
    os.close(lock)


def test_half_written_files_of_killed_processes_are_removed_after_an_hour(tmp_path):
    for name, age in {"a.1.new": 7200, "b.2.new": 60, "c": 7200}.items():
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (0, time.time() - age))
    temporary_folders.remove_old(tmp_path, "*.new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.2.new", "c"]
