import pickle
import warnings
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qeframe.core import runner
from qeframe.core.errors import DataError
from qeframe.core.runner import results_of


class Elsewhere(Executor):
    """A worker on another machine: nothing but bytes reaches it, and it sees none of the caller's files."""

    def __init__(self, *, sees_files: bool, dies_at: frozenset[int] = frozenset()) -> None:
        self.sent: list[int] = []
        self.sees_files, self.dies_at = sees_files, dies_at

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        packed = pickle.dumps((fn, args))
        self.sent.append(len(packed))
        future: Future[Any] = Future()
        fn, args = pickle.loads(packed)
        if len(self.sent) in self.dies_at:
            future.set_exception(BrokenExecutor("gone"))
            return future
        if not self.sees_files:
            object.__setattr__(fn, "file", Path("/no/such/file"))
        future.set_result(fn(*args))
        return future


class Renewed(Elsewhere):
    renewed = 0

    def renew(self) -> None:
        self.renewed += 1

    def watch(self) -> None: ...

    def distribute(self, packed: bytes) -> None: ...


class Large:
    def __init__(self) -> None:
        self.rows = bytes(100_000)

    def __call__(self, item: int) -> int:
        return item + len(self.rows)


@pytest.fixture(autouse=True)
def _new_worker() -> None:
    runner._WORKS.clear()


def test_a_worker_that_sees_the_file_never_gets_the_work_with_an_item() -> None:
    executor = Elsewhere(sees_files=True)
    assert list(results_of(Large(), range(9), executor)) == [100_000 + item for item in range(9)]
    assert max(executor.sent) < 1000


def test_a_worker_without_the_file_gets_the_work_once() -> None:
    executor = Elsewhere(sees_files=False)
    results = results_of(Large(), range(9), executor)
    assert next(results) == 100_000
    assert list(results) == [100_000 + item for item in range(1, 9)]
    assert sum(length > 100_000 for length in executor.sent) <= 9
    executor.sent.clear()
    assert list(results_of(Large(), range(9), executor)) == [100_000 + item for item in range(9)]
    assert max(executor.sent) < 1000


def test_items_of_dead_workers_begin_again() -> None:
    executor = Renewed(sees_files=True, dies_at=frozenset({2, 5}))
    assert list(results_of(Large(), range(4), executor)) == [100_000 + item for item in range(4)]
    assert executor.renewed >= 1


@pytest.mark.parametrize("kind", [Elsewhere, Renewed])
def test_workers_that_always_die_are_one_line(kind: type[Elsewhere]) -> None:
    executor = kind(sees_files=True, dies_at=frozenset(range(100)))
    with pytest.raises(DataError, match="workers of the executor died"):
        list(results_of(Large(), range(4), executor))


def test_there_may_be_no_items() -> None:
    assert list(results_of(Large(), [], Elsewhere(sees_files=True))) == []


def test_a_worker_keeps_few_works() -> None:
    for nth in range(5):
        list(results_of(Work(nth), [1], Elsewhere(sees_files=True)))
    assert len(runner._WORKS) == 2


class Work:
    def __init__(self, nth: int) -> None:
        self.nth = nth

    def __call__(self, item: int) -> int:
        return item * self.nth


def _warning(item: int) -> float:
    return float(np.log(np.float64(-item)))


@pytest.mark.parametrize("strict", [True, False])
def test_a_warning_is_an_error_in_a_worker_if_it_is_one_here(strict: bool) -> None:
    with warnings.catch_warnings(), ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        warnings.simplefilter("error" if strict else "ignore", RuntimeWarning)
        if strict:
            with pytest.raises(RuntimeWarning, match="invalid value"):
                list(results_of(_warning, [1], executor))
        else:
            assert np.isnan(list(results_of(_warning, [1], executor))).all()
