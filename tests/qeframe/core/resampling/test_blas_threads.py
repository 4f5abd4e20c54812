"""Matrix products of a computation have one thread, and what was before comes back."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from qeframe.core.resampling import blas_threads
from qeframe.core.resampling.blas_threads import VARIABLE, one_thread_a_product
from qeframe.core.resampling.parallel import Runner


@pytest.fixture
def threads(monkeypatch):
    """Stand in for OpenBLAS with four threads; return what it has."""
    has = [4]
    functions = (lambda: has[0], lambda number: has.__setitem__(0, number))
    monkeypatch.setattr(blas_threads, "_functions", lambda: functions)
    monkeypatch.delenv(VARIABLE, raising=False)
    return has


def test_one_thread_until_the_last_context_ends(threads):
    first, second = one_thread_a_product(), one_thread_a_product()
    with first:
        second.__enter__()
        assert threads == [1]
    assert threads == [1]
    second.__exit__(None, None, None)
    assert threads == [4]


@pytest.mark.parametrize("workers", [0, 2])
def test_blocks_are_computed_so(threads, workers):
    if workers:
        with ThreadPoolExecutor(workers) as executor:
            assert Runner(executor).map(lambda _: threads[0], range(3)) == [1, 1, 1]
    else:
        assert Runner().map(lambda _: threads[0], range(3)) == [1, 1, 1]
    assert threads == [4]


def test_an_error_leaves_what_was_before(threads):
    with pytest.raises(ZeroDivisionError):
        Runner().map(lambda item: 1 / item, [1, 0])
    assert threads == [4]


def test_a_number_that_the_user_chose_stays(threads, monkeypatch):
    monkeypatch.setenv(VARIABLE, "3")
    with one_thread_a_product():
        assert threads == [4]


def test_the_library_of_numpy_is_found_and_told():
    functions = blas_threads._functions()
    if functions is None:  # numpy has another library here
        return
    asked, told = functions
    before = asked()
    told(2)
    try:
        assert asked() == min(2, max(before, 2))
    finally:
        told(before)
