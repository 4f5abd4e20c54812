"""Signals are held back where steps belong together."""

import os
import signal
import threading

import pytest

from qeframe.cli.shared.command_ending import ended_by_signals
from qeframe.core.processes import EndedError, undisturbed
from qeframe.execution.executors import starting_workers

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
