import numpy as np
import pytest

from qeframe.kinds.scores.batch import Values
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from qeframe.testing.laws.basics import array_fault, fresh, image, is_refused_write


def rows(batch):
    return batch.predicted[:, None] * 1.0


@pytest.mark.parametrize(
    "batch",
    [
        Values.from_plain(None, [1.0, 2.0]),
        Tags.from_plain([[0, 1], [1]], [[1, 1], [0]]),
        Texts.from_plain(["a b", "c"], ["a", "c d"]),
    ],
    ids=["Values", "Tags", "Texts"],
)
def test_a_fresh_batch_is_equal_and_shares_no_array(batch):
    copy = fresh(batch)
    assert image(copy) == image(batch)
    assert copy.predicted is not batch.predicted
    assert not copy._extracted


def test_an_image_tells_single_bits():
    assert image(np.array([0.0])) != image(np.array([-0.0]))
    assert image(np.array([np.nan])) == image(np.array([np.nan]))
    assert image({"a": [1, "x"]}) != image({"a": [1, "y"]})
    assert image(np.zeros(2)) != image(np.zeros((1, 2)))


def test_a_refused_write_is_told_from_other_errors():
    array = np.zeros(2)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only") as caught:
        array[0] = 1.0
    assert is_refused_write(caught.value)
    assert not is_refused_write(ValueError("no rows"))


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (np.zeros(2), ""),
        ([0.0, 0.0], "it returns list instead of float64 of shape (2,)"),
        (np.zeros(3), "it returns float64 of shape (3,) instead of float64 of shape (2,)"),
        (np.zeros(2, dtype=complex), "it returns complex128 of shape (2,) instead of float64 of shape (2,)"),
        (np.array(["a", "b"]), "it returns <U1 of shape (2,) instead of float64 of shape (2,)"),
        (None, "it returns NoneType instead of float64 of shape (2,)"),
    ],
)
def test_what_is_wrong_with_an_array(found, fault):
    assert array_fault(found, (2,)) == fault
