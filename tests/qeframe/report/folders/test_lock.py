"""A lock file: one run at a time."""

import fcntl
import json
import os
import subprocess
import sys

import attrs
import pytest

from qeframe.core.errors import DataError
from qeframe.report.folders import lock
from qeframe.report.folders.lock import Lock, Owner


@pytest.fixture
def path(tmp_path):
    return tmp_path / ".out.qeframe-lock"


@pytest.fixture
def without_system_locks(monkeypatch):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_a_lock_is_held_once(path):
    lock = Lock.take(path, of=path.with_name("out"))
    lock.note(["a"])
    with pytest.raises(DataError) as caught:
        Lock.take(path, of=path.with_name("out"))
    assert str(caught.value).startswith(f"{path.with_name('out')}: another run (process {os.getpid()} on ")
    assert f"is writing it; wait for it, or name another folder; if no run is left, remove {path}" in str(caught.value)
    lock.release()
    lock.release()
    assert not path.exists()
    Lock.take(path, of=path).release()


def test_the_file_of_a_killed_run_holds_nothing_and_its_notes_are_kept(path):
    gone = {"process": 2**22 + 1, "started": "x", "host": Owner.this_process().host, "noted": ["results"]}
    path.write_text(json.dumps(gone))
    lock = Lock.take(path, of=path)
    assert lock.noted == ("results",)
    lock.release()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"process": 1}', "null"])
def test_a_file_that_was_not_written_to_the_end_holds_nothing(path, content):
    path.write_text(content)
    lock = Lock.take(path, of=path)
    assert lock.noted == ()
    lock.release()


def test_a_lock_file_that_is_removed_meanwhile_is_made_again(path, monkeypatch):
    real, calls = fcntl.flock, []

    def flock(file, how):
        if not calls:
            path.unlink()
        calls.append(how)
        real(file, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    lock = Lock.take(path, of=path)
    assert len(calls) == 2
    assert path.exists()
    lock.release()


def test_without_locks_of_the_system_the_owner_decides(path, without_system_locks):
    lock = Lock.take(path, of=path)
    lock.note([])
    with pytest.raises(DataError, match="another run"):
        Lock.take(path, of=path)
    lock.release()
    path.write_text(json.dumps({"process": 2**22 + 1, "started": "x", "host": Owner.this_process().host, "noted": []}))
    Lock.take(path, of=path).release()


def test_without_locks_of_the_system_an_unknown_owner_is_respected(path, without_system_locks):
    path.write_text("{")
    with pytest.raises(DataError, match="another run is writing it"):
        Lock.take(path, of=path)


def ended():
    """Return the number of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_who_may_still_run(monkeypatch):
    assert Owner.this_process().may_run()
    assert Owner.this_process() == Owner.this_process()
    gone = attrs.evolve(Owner.this_process(), process=ended())
    assert not gone.may_run()
    assert not attrs.evolve(gone, started="").may_run()
    assert attrs.evolve(Owner.this_process(), process=ended(), host="elsewhere").may_run()
    assert attrs.evolve(Owner.this_process(), started="").may_run()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the start is read from /proc")
def test_a_later_process_of_the_same_number_is_another_one():
    assert not attrs.evolve(Owner.this_process(), started="another boot:1").may_run()


def test_without_proc_the_start_is_unknown(monkeypatch):
    class Nowhere:
        def __init__(self, _):
            pass

        def read_text(self, **_):
            raise FileNotFoundError

    monkeypatch.setattr(lock, "Path", Nowhere)
    assert Owner.this_process() == Owner(os.getpid(), "", Owner.this_process().host)
