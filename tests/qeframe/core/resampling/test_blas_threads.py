"""Matrix products of a computation have one thread, and what was before comes back."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from qeframe.core import runner
from qeframe.core.runner import VARIABLE, Runner, one_thread_a_product


class Limited:
    """Stand in for a library with four threads, and for a limit of it."""

    def __init__(self):
        self.threads = 4

    def limit(self, *, limits, user_api):
        assert user_api == "blas"
        self.threads = limits
        return self

    def restore_original_limits(self):
        self.threads = 4


@pytest.fixture
def library(monkeypatch):
    """Take the place of the library of numpy."""
    limited = Limited()
    monkeypatch.setattr(runner, "_controller", lambda: limited)
    monkeypatch.delenv(VARIABLE, raising=False)
    return limited


def test_one_thread_until_the_last_context_ends(library):
    first, second = one_thread_a_product(), one_thread_a_product()
    with first:
        second.__enter__()
        assert library.threads == 1
    assert library.threads == 1
    second.__exit__(None, None, None)
    assert library.threads == 4


@pytest.mark.parametrize("workers", [0, 2])
def test_blocks_are_computed_so(library, workers):
    if workers:
        with ThreadPoolExecutor(workers) as executor:
            assert Runner(executor).map(lambda _: library.threads, range(3)) == [1, 1, 1]
    else:
        assert Runner().map(lambda _: library.threads, range(3)) == [1, 1, 1]
    assert library.threads == 4


def test_an_error_leaves_what_was_before(library):
    with pytest.raises(ZeroDivisionError):
        Runner().map(lambda item: 1 / item, [1, 0])
    assert library.threads == 4


def test_a_number_that_the_user_chose_stays(library, monkeypatch):
    monkeypatch.setenv(VARIABLE, "3")
    with one_thread_a_product():
        assert library.threads == 4


def test_the_library_of_numpy_is_limited(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    runner._controller.cache_clear()
    libraries = runner._controller().select(user_api="blas").lib_controllers
    before = [library.num_threads for library in libraries]
    with one_thread_a_product():
        assert {library.num_threads for library in libraries} <= {1}
    assert [library.num_threads for library in libraries] == before
