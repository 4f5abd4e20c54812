"""Partial credit without matching, against a walk through the characters."""

from fractions import Fraction

import numpy as np
import pytest

from qeframe.kinds.spans import Spans
from qeframe_tagging.spans.matching import best_pair_sums, coverage_sums
from qeframe_tagging.spans.overlaps import Credit, find_overlaps
from tests.plugins.qeframe_tagging.spans.test_matching import drawn


def earned(mine, other, penalty, place):
    """Return what the marks of each severity on a character earn together, and their mass."""
    here, there = (
        [sum(w for s, e, k, w in side if k == code and s <= place < e) for code in range(3)] for side in (mine, other)
    )
    same = [min(a, b) for a, b in zip(here, there, strict=True)]
    left, rest = ([a - b for a, b in zip(side, same, strict=True)] for side in (here, there))
    paired = min(sum(left), sum(rest))
    share = [Fraction(x) / sum(left) * paired if sum(left) else 0 for x in left]
    return [a + (1 - penalty) * b for a, b in zip(same, share, strict=True)], here


def slow(mine, other, penalty, weights):
    mine, other = ([(s, e, k, weights[k]) for s, e, k in side] for side in (mine, other))
    total = Fraction(0)
    for start, end, severity, weight in mine:
        for place in range(start, end):
            got, mass = earned(mine, other, penalty, place)
            total += weight * Fraction(got[severity]) / mass[severity] / (end - start) if mass[severity] else 0
    return total


@pytest.mark.parametrize("penalty", [Fraction(0), Fraction(1, 4)])
@pytest.mark.parametrize("weights", [(1, 1, 1), (Fraction(1, 5), 1, 2)])
def test_every_character_that_both_sides_mark_is_credited(penalty, weights):
    gold, predicted = drawn(np.random.default_rng(8), 200, 4, 9)
    found = coverage_sums(
        Spans.from_plain(gold, predicted), Credit("overlap", float(penalty), tuple(map(float, weights)))
    )
    for row, g, p in zip(found, gold, predicted, strict=True):
        expected = [float(slow(p, g, penalty, weights)), float(slow(g, p, penalty, weights))]
        np.testing.assert_allclose(row, expected, atol=1e-12)


def test_every_span_earns_its_best_pair():
    batch = Spans.from_plain([[(0, 10, 0), (4, 6, 1)]], [[(3, 5, 1), (20, 30, 0)]])
    sums = best_pair_sums(batch, find_overlaps(batch, Credit("any", 0.5)))
    assert sums.tolist() == [[1.0, 1.5]]


def test_no_span_at_all():
    assert coverage_sums(Spans.from_plain([[]], [[]]), Credit()).tolist() == [[0, 0]]
    assert coverage_sums(Spans.from_plain([], []), Credit()).shape == (0, 2)
