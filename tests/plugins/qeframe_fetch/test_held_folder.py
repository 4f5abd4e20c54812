"""One process at a time works in a held folder."""

import pytest

from qeframe.core.errors import DataError
from qeframe_fetch.held_folder import LOCK, held_folder
from tests.qeframe.core.components.made_plugins import failure

fcntl = pytest.importorskip("fcntl")
BUSY = DataError("is busy")


def enter(folder):
    with held_folder(folder, BUSY):
        pass


def test_a_folder_is_made_and_removed_if_it_is_empty(tmp_path):
    folder = tmp_path / "a" / "b"
    with held_folder(folder, BUSY):
        assert [path.name for path in folder.iterdir()] == [LOCK]
    assert not folder.exists()
    with held_folder(folder, BUSY):
        (folder / "kept").write_text("1")
    assert (folder / "kept").read_text() == "1"


def test_another_one_is_refused_and_changes_nothing(tmp_path):
    with held_folder(tmp_path / "a", BUSY):
        assert failure(DataError, enter, tmp_path / "a") == "is busy"
        (tmp_path / "a" / "kept").write_text("1")
        assert failure(DataError, enter, tmp_path / "a") == "is busy"
    enter(tmp_path / "a")
    assert (tmp_path / "a" / "kept").read_text() == "1"


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lock_that_was_removed_meanwhile_is_not_held(tmp_path, monkeypatch, when):
    """The process that held the folder until now removes it before, or after, this one locks the file of the lock."""
    folder, flock, removed = tmp_path / "a", fcntl.flock, []

    def removing(held, kind):
        if when == "after":
            flock(held, kind)
        if not removed:
            removed.append((folder / LOCK).unlink())
            folder.rmdir()
        if when == "before":
            flock(held, kind)

    monkeypatch.setattr(fcntl, "flock", removing)
    with held_folder(folder, BUSY):
        monkeypatch.undo()
        assert failure(DataError, enter, folder) == "is busy"
    assert not folder.exists()


def test_an_error_ends_the_lock(tmp_path):
    with pytest.raises(ValueError, match="mine"), held_folder(tmp_path / "a", BUSY):
        raise ValueError("mine")
    enter(tmp_path / "a")
