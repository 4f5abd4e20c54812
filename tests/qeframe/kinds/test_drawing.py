from random import Random

from hypothesis import find, given

from qeframe.kinds.drawing import few, fixed_numbers, numbers, rows_of, whole, whole_numbers


def test_fixed_numbers_are_eighths_within_their_ends_and_always_the_same():
    drawn = fixed_numbers(Random("x"), 200, low=-8, high=24)
    assert drawn == fixed_numbers(Random("x"), 200, low=-8, high=24)
    assert (min(drawn), max(drawn)) == (-1.0, 3.0)
    assert all(float(8 * number).is_integer() for number in drawn)


def test_whole_numbers_reach_both_ends():
    rng = Random(1)
    assert {whole(rng, 2, 4) for _ in range(100)} == {2, 3, 4}


@given(numbers(4, ties=False))
def test_numbers_without_ties(drawn):
    assert len(set(drawn.tolist())) == 4


@given(numbers(3, constant=False))
def test_numbers_that_are_not_constant(drawn):
    assert drawn.min() < drawn.max()


def test_what_is_drawn_has_both_ends_and_shrinks_to_zero():
    assert find(whole_numbers(2, -80, 80), lambda drawn: drawn[0] == -80).tolist() == [-80, 0]
    assert find(whole_numbers(2, -80, 80), lambda drawn: drawn[1] > 7).tolist() == [0, 8]
    assert find(whole_numbers(2, 1, 3), lambda drawn: drawn[1] == 3).tolist() == [1, 3]


@given(rows_of([2, 0, 3], -2, 3))
def test_rows_have_their_lengths(drawn):
    assert [len(row) for row in drawn] == [2, 0, 3]
    assert {number for row in drawn for number in row} <= set(range(-2, 4))


def test_no_rows_are_drawn():
    assert find(rows_of([], 0, 1), lambda drawn: True) == []


def test_ties_are_drawn():
    assert find(few(1), lambda drawn: drawn[0] == 3) == 3
    assert find(numbers(2), lambda drawn: drawn[0] == drawn[1]).shape == (2,)
