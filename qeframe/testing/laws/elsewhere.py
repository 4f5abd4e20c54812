"""Other threads and another process, in which a metric computes the same scores again."""

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

from numpy.typing import NDArray

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.statistic import Statistic
from qeframe.core.statistic_stack import StatisticStack

_CALLS = 8
_SWITCH = 1e-6
"""After how many seconds Python lets another thread run: as often as it can."""
_SERVE = """
import pickle, signal, sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
import numpy as np
from qeframe.core.statistic_stack import StatisticStack

def scores_of(bind, before, batches, weights):
    with suppress(Exception):  # it may refuse them
        for batch in before:
            bind(batch)(np.ones(len(batch)))
    return np.array(StatisticStack([bind(batch) for batch in batches])(weights))

signal.signal(signal.SIGINT, signal.SIG_IGN)
given, answers, sys.stdout = sys.stdin.buffer, sys.stdout.buffer, sys.stderr
thread = ThreadPoolExecutor(1)
while True:
    try:
        sys.path[:], work = pickle.load(given)
    except EOFError:
        break
    try:
        scores = thread.submit(scores_of, *pickle.loads(work)).result()
    except Exception:
        scores = None
    pickle.dump(scores, answers)
    answers.flush()
"""
"""The program of the process: a thread of it computes what comes on standard input until that ends."""


def scores_of_threads(stack: StatisticStack, weights: Sequence[NDArray[Any]]) -> list[list[FloatArray]]:
    """Return the scores under each of several weights as a thread of its own computes them again and again."""
    with _switching_often(), ThreadPoolExecutor(len(weights)) as threads:
        return list(threads.map(lambda of_thread: [stack(of_thread) for _ in range(_CALLS)], weights))


@contextmanager
def _switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def scores_of_process(
    bind: Callable[[Batch], Statistic], before: Sequence[Batch], batches: Sequence[Batch], weights: NDArray[Any]
) -> FloatArray | None:
    """Return the scores of submissions as a thread of another process computes them, in which texts have other hashes.

    `before`: other batches, which are scored there first: what a metric keeps of them must change no score.

    None if the metric cannot be sent there, or fails: its module is that of a test, perhaps.
    """
    try:
        work = pickle.dumps((bind, tuple(before), tuple(batches), weights))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        pickle.dump((sys.path, work), process.stdin)
        process.stdin.flush()
        scores: FloatArray | None = pickle.load(process.stdout)
    except (BrokenPipeError, EOFError):  # it could not start
        return None
    return scores


@cache
def _process() -> subprocess.Popen[bytes]:
    """Return the process, which is started once and ends with this one."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    paths = os.pathsep.join(path for path in sys.path if path)
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
    )
    atexit.register(process.communicate)
    return process
