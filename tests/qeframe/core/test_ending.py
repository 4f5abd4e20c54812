"""Signals are held back where steps belong together; a worker ends with its parent."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from qeframe.cli.shared.ending import ended_by_signals
from qeframe.core.ending import EndedError, starting_workers, undisturbed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.mark.parametrize("held", [undisturbed, starting_workers])
def test_signals_are_held_back_while_steps_belong_together(held):
    done = []

    def steps():
        with held():
            signal.raise_signal(signal.SIGTERM)
            done.append(list(signals))

    with ended_by_signals() as signals, pytest.raises(EndedError):
        steps()
    assert done == [[]]
    assert signals == [signal.SIGTERM]


def test_other_threads_hear_no_signals():
    seen = []

    def work():
        with ended_by_signals() as signals, undisturbed():
            seen.append(signals)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [[]]


def test_a_worker_ends_with_its_parent():
    """The worker holds the pipe that is read here, until it ends."""
    code = (
        "import multiprocessing, time\n"
        "from qeframe.core.ending import follow_parent\n"
        "def work(ready): follow_parent(); ready.set(); time.sleep(60)\n"
        "fork = multiprocessing.get_context('fork'); ready = fork.Event()\n"
        "fork.Process(target=work, args=[ready]).start(); ready.wait(); print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        began = time.monotonic()
        assert parent.stdout.read() == ""
    assert time.monotonic() - began < 10
