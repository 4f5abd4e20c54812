import numpy as np
import pytest

from qeframe.kinds.registered import kind_of
from qeframe.kinds.scores.batch import Values
from qeframe.testing.failures import failure, not_tried, place_of, shown_part


def test_a_failure_is_an_assertion_error_that_pytest_shows_as_text():
    error = failure(["what", "Metric 'm' breaks the law 'l'"])
    assert isinstance(error, AssertionError)
    assert isinstance(error, pytest.fail.Exception)
    assert str(error) == "what\nMetric 'm' breaks the law 'l'"


def test_what_is_not_tried_skips_a_test():
    assert isinstance(not_tried("a reason"), pytest.skip.Exception)


def test_the_place_of_an_error_is_in_the_source_of_its_author():
    def broken():
        return np.zeros((2, 3)) @ np.zeros(2)

    with pytest.raises(ValueError, match="matmul") as caught:
        broken()
    assert place_of(caught.value).startswith("broken, line 22 of ")


def test_an_error_without_a_traceback_has_no_place():
    assert place_of(ValueError()) == ""


def test_parts_of_examples_in_python_notation():
    batch = Values.from_plain(None, [1.0, 2.0])
    assert shown_part((batch, np.array([0, 1])), kind_of(Values)) == "(Values(predicted=[1.0, 2.0]), [0, 1])"
