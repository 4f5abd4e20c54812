"""The process that wrote a lock file."""

import os
import subprocess
import sys

import attrs
import pytest

from qeframe.report.folders import owner
from qeframe.report.folders.owner import Owner


def ended():
    """Return the number of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_this_process_runs():
    assert Owner.this_process().may_run()
    assert Owner.this_process() == Owner.this_process()


def test_a_process_that_ended_does_not_run(monkeypatch):
    gone = attrs.evolve(Owner.this_process(), process=ended())
    assert not gone.may_run()
    assert not attrs.evolve(gone, started="").may_run()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the start is read from /proc")
def test_a_later_process_of_the_same_number_is_another_one():
    assert not attrs.evolve(Owner.this_process(), started="another boot:1").may_run()


def test_what_cannot_be_known_may_run(monkeypatch):
    assert attrs.evolve(Owner.this_process(), process=ended(), host="elsewhere").may_run()
    assert attrs.evolve(Owner.this_process(), started="").may_run()


def test_without_proc_the_start_is_unknown(monkeypatch):
    class Nowhere:
        def __init__(self, _):
            pass

        def read_text(self, **_):
            raise FileNotFoundError

    monkeypatch.setattr(owner, "Path", Nowhere)
    assert Owner.this_process() == Owner(os.getpid(), "", Owner.this_process().host)
