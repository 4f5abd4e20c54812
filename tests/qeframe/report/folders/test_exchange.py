"""One folder in the place of another."""

import errno
import os

import pytest

from qeframe.report.folders import exchange as exchanging
from qeframe.report.folders.exchange import exchange, put_in_place


@pytest.fixture
def paths(tmp_path):
    """Make a fresh and an old folder; return them with the name to stand aside under."""
    for name in ("new", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "which").write_text(name)
    return tmp_path / "new", tmp_path / "out", tmp_path / "old"


@pytest.fixture
def stepwise(monkeypatch):
    """Take away the exchange in one step."""
    monkeypatch.setattr(exchanging, "exchange", lambda *_: False)


def test_an_exchange_is_told(paths):
    fresh, target, _ = paths
    expected = ["out", "new"] if exchange(fresh, target) else ["new", "out"]
    assert [(path / "which").read_text() for path in (fresh, target)] == expected


def test_what_is_not_there_cannot_be_exchanged(paths, tmp_path):
    if exchanging.sys.platform.startswith("linux"):
        with pytest.raises(FileNotFoundError):
            exchange(paths[0], tmp_path / "nowhere")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_cannot(paths, monkeypatch, platform):
    monkeypatch.setattr(exchanging.sys, "platform", platform)
    assert not exchange(*paths[:2])


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP])
def test_other_file_systems_cannot(paths, monkeypatch, code):
    class Library:
        def __init__(self, *_, **__):
            self.renameat2 = lambda *_: -1

    monkeypatch.setattr(exchanging.sys, "platform", "linux")
    monkeypatch.setattr(exchanging.ctypes, "CDLL", Library)
    monkeypatch.setattr(exchanging.ctypes, "get_errno", lambda: code)
    assert not exchange(*paths[:2])


def test_the_new_folder_gets_the_place_and_the_mode(paths):
    fresh, target, aside = paths
    target.chmod(0o750)
    put_in_place(fresh, target, aside)
    assert (target / "which").read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o750


def test_in_two_steps_the_old_one_stands_aside(paths, stepwise):
    fresh, target, aside = paths
    put_in_place(fresh, target, aside)
    assert [(path / "which").read_text() for path in (target, aside)] == ["new", "out"]
    assert not fresh.exists()


def test_a_second_step_that_fails_undoes_the_first(paths, stepwise, monkeypatch):
    fresh, target, aside = paths
    real = os.rename

    def rename(source, goal):
        if source == fresh:
            raise OSError(28, "No space left on device")
        real(source, goal)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(OSError, match="No space"):
        put_in_place(fresh, target, aside)
    assert (target / "which").read_text() == "out"
    assert not aside.exists()
