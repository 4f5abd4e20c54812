"""Signals become exceptions, once; what killed processes left in the temporary folder is removed by the next one."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from qeframe.core import ending
from qeframe.core.ending import EndedError, ended_by_signals, starting_workers, undisturbed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def test_signals_that_end_the_process_are_exceptions_once():
    before = signal.getsignal(signal.SIGTERM)
    with ended_by_signals() as signals:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(EndedError):
            signal.raise_signal(signal.SIGTERM)
        for again in (signal.SIGTERM, signal.SIGINT):  # while it tidies up
            signal.raise_signal(again)
    assert signals == [signal.SIGINT, signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_hangup_that_the_caller_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals() as signals:
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert signals == []


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_process_whose_main_thread_does_not_come_back(number):
    """A library that computes does not let Python raise the exception."""
    code = (
        "import hashlib, os, sys, threading; from qeframe.core import ending; ending._PATIENCE = 0.05\n"
        f"threading.Timer(0.05, os.kill, [os.getpid(), {int(number)}]).start()\n"
        "with ending.ended_by_signals(): hashlib.pbkdf2_hmac('sha256', b'', b'', 10**8)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (128 + number, ending.ending_line(number) + "\n")


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
