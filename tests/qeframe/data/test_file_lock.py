"""A lock file is held by one process, and nothing is left of it."""

import builtins
import os
import subprocess
import sys

import pytest

from qeframe.core.errors import DataError
from qeframe.data.file_lock import hold_lock
from tests.outcome import failure

fcntl = pytest.importorskip("fcntl")
BUSY = DataError("is busy")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "made" / ".out.lock"


def enter(path):
    with hold_lock(path, BUSY):
        pass


def test_the_folders_that_are_made_go_if_they_are_empty(path):
    with hold_lock(path.parent / "inner" / path.name, BUSY):
        (path.parent / "kept").write_text("1")
    assert [each.name for each in path.parent.iterdir()] == ["kept"]
    (path.parent / "kept").unlink()
    enter(path)
    assert path.parent.exists()  # was there before
    path.parent.rmdir()
    enter(path)
    assert not path.parent.exists()


def test_another_one_is_refused_and_changes_nothing(path):
    with hold_lock(path, BUSY):
        assert failure(DataError, enter, path) == "is busy"
        assert path.exists()
        assert failure(DataError, enter, path) == "is busy"
    enter(path)


def test_the_lock_of_a_killed_process_holds_nothing(path):
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom qeframe.data.file_lock import hold_lock\n"
        "with hold_lock(Path(sys.argv[1]), ValueError()):\n    print(flush=True)\n    os.read(0, 1)"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        assert failure(DataError, enter, path) == "is busy"
        process.kill()
    assert path.exists()
    enter(path)
    assert not path.exists()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lock_that_was_removed_meanwhile_is_not_held(path, monkeypatch, when):
    """The process that held the file until now removes it before, or after, this one locks it."""
    flock, removed = fcntl.flock, []

    def removing(held, kind):
        if when == "after":
            flock(held, kind)
        if not removed:
            removed.append(path.unlink())
            path.parent.rmdir()
        if when == "before":
            flock(held, kind)

    monkeypatch.setattr(fcntl, "flock", removing)
    with hold_lock(path, BUSY):
        monkeypatch.undo()
        assert failure(DataError, enter, path) == "is busy"
    assert not path.parent.exists()


def test_a_file_that_is_always_removed_is_busy(path, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", lambda *_: path.unlink())
    assert failure(DataError, enter, path) == "is busy"


def test_a_lock_that_is_not_this_one_s_stays(path):
    with hold_lock(path, BUSY):
        path.unlink()
        path.write_text("")
    assert path.exists()


def test_an_error_ends_the_lock(path):
    with pytest.raises(ValueError, match="mine"), hold_lock(path, BUSY):
        raise ValueError("mine")
    enter(path)


def test_a_link_is_not_followed(path, tmp_path):
    path.parent.mkdir()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic link"):
        enter(path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_system_without_locks_has_none(path, monkeypatch):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with hold_lock(path, BUSY):
        enter(path)
    assert not path.parent.exists()


def test_a_system_without_locks_has_none(path, monkeypatch):
    imported = builtins.__import__

    def without_fcntl(name, *rest):
        if name == "fcntl":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_fcntl)
    with hold_lock(path, BUSY):
        assert os.listdir(path.parent) == []
    assert not path.parent.exists()


def test_a_file_that_can_never_be_made_is_no_lock_of_another_process(path, monkeypatch):
    opened = os.open
    lost = FileNotFoundError(2, "no such file")

    def refuse(name, *arguments):
        if name == path:
            raise lost
        return opened(name, *arguments)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FileNotFoundError, match="no such file"):
        enter(path)
