import numpy as np
import pytest

from qeframe.core.resampling.draws import DrawBlock
from qeframe.execution.placeholders import draws_of, few_draws, placeholder

BLOCK = DrawBlock((1, 2), 3, 30, 20)


def rows(item):
    return np.arange(draws_of(item) * 3.0).reshape(-1, 3)


def counts(item):
    return np.full(5, float(draws_of(item)))


def test_draws_of_items():
    assert draws_of(BLOCK) == 20
    assert draws_of([BLOCK, BLOCK]) == 40
    assert draws_of([]) is None
    assert draws_of([1]) is None
    assert draws_of("text") is None


def test_few_draws_are_the_first_of_the_item():
    assert few_draws(BLOCK, 4) == DrawBlock((1, 2), 3, 30, 4)
    assert few_draws([BLOCK, BLOCK], 4) == [DrawBlock((1, 2), 3, 30, 4)]
    assert few_draws(BLOCK, 99) == BLOCK


@pytest.mark.parametrize("item", [BLOCK, [BLOCK, BLOCK], DrawBlock((1,), 0, 0, 1)])
def test_shapes_are_those_of_the_results(item):
    assert placeholder(rows, item)(17).shape == (17, 3)
    assert placeholder(counts, DrawBlock((1,), 0, 0, 3))(17).shape == (5,)


def test_results_that_are_no_arrays_have_none():
    assert placeholder(draws_of, BLOCK) is None
