"""What was returned, in words, and the check of numbers."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array

from qeframe.core.errors import DataError, PluginError
from qeframe.core.resampling.return_checks import StatisticError, WrongReturnError, describe, numbers_of_shape


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "None"),
        (0.5, "float 0.5"),
        ("x" * 99, f"str '{'x' * 59} ..."),
        (np.ones((2, 3)), "an array of shape (2, 3) and type float64"),
        (csr_array(np.ones((2, 3))), "a sparse array of shape (2, 3) and type float64"),
    ],
    ids=["none", "number", "long", "array", "sparse"],
)
def test_values_in_words(value, said):
    assert describe(value) == said


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.float32, np.float64])
def test_numbers_of_every_type_pass_as_float64(dtype):
    passed = numbers_of_shape(np.ones((2, 3), dtype=dtype), "extract", (2, None))
    assert (passed.dtype, passed.shape) == (np.float64, (2, 3))


def test_sparse_numbers_stay_sparse():
    rows = csr_array(np.ones((2, 3)))
    assert numbers_of_shape(rows, "extract", (2, 3)) is rows


@pytest.mark.parametrize("value", [1.0, [1.0], np.ones(3), np.ones(2) * 1j, np.array(["a", "b"])])
def test_other_values_are_refused(value):
    with pytest.raises(WrongReturnError, match=r"^run returned .*, expected .*numbers of shape \(2,\), a number each$"):
        numbers_of_shape(value, "run", (2,), "a number each")
    assert issubclass(WrongReturnError, PluginError)


@pytest.mark.parametrize(
    "cause", [ValueError("no"), WrongReturnError("bind", "None", "a statistic"), DataError("no", path="f")]
)
def test_a_failure_comes_back_from_a_worker(cause):
    back = pickle.loads(pickle.dumps(StatisticError(3, cause)))
    assert (back.position, type(back.cause), str(back.cause)) == (3, type(cause), str(cause))


def test_a_failure_that_cannot_be_sent_comes_back_in_words():
    class OwnError(Exception):
        pass

    back = pickle.loads(pickle.dumps(StatisticError(3, OwnError("no"))))
    assert (back.position, str(back.cause)) == (3, "OwnError: no")
