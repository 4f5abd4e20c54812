"""Signals become exceptions, once, and end a process that does not come back."""

import os
import signal
import subprocess
import sys

import pytest

from qeframe.cli.shared import command_ending
from qeframe.cli.shared.command_ending import ended_by_signals
from qeframe.core.processes import EndedError

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_process_whose_main_thread_does_not_come_back(number):
    """A library that computes does not let Python raise the exception."""
    code = (
        "import hashlib, os, sys, threading\nfrom qeframe.cli.shared import command_ending\n"
        "command_ending._PATIENCE = 0.05\n"
        f"threading.Timer(0.05, os.kill, [os.getpid(), {int(number)}]).start()\n"
        "with command_ending.ended_by_signals(): hashlib.pbkdf2_hmac('sha256', b'', b'', 10**8)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (128 + number, command_ending.ending_line(number) + "\n")
