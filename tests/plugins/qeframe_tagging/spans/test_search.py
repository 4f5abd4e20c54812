"""The search for the best matching of one segment: its bound, its states, its score."""

import numpy as np
import pytest

from qeframe_tagging.confusion_counts import f_score
from qeframe_tagging.spans.search import CompetingPairs, best_subset


def competing(gold, predicted, precision, recall, base=(0.0, 0.0)):
    start = np.arange(len(gold))
    gains = np.array([precision, recall], dtype=np.float64)
    return CompetingPairs(gold=np.array(gold), predicted=np.array(predicted), start=start, gains=gains, base=base)


def test_f_is_a_harmonic_mean():
    np.testing.assert_allclose(f_score(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0])), [0, 2 / 3, 1])


def test_of_two_matchings_with_equal_f_the_one_with_the_larger_precision_is_taken():
    pairs = competing([0, 0], [0, 1], [0.25, 0.5], [0.5, 0.25])
    assert best_subset(pairs)[0].tolist() == [False, True]
    assert best_subset(competing([0, 0], [0, 1], [0.5, 0.25], [0.25, 0.5]))[0].tolist() == [True, False]


def test_what_is_matched_elsewhere_decides():
    """With high precision elsewhere the pair with more recall is better, and the reverse."""
    gains = ([0.1, 0.4], [0.4, 0.1])
    assert best_subset(competing([0, 0], [0, 1], *gains, base=(0.5, 0.0)))[0].tolist() == [True, False]
    assert best_subset(competing([0, 0], [0, 1], *gains, base=(0.0, 0.5)))[0].tolist() == [False, True]


def test_the_best_matching_is_no_linear_assignment():
    """The best matching has the second largest sum under every weighting of precision and recall."""
    pairs = competing([0, 0, 0], [0, 1, 2], [0.05, 0.28, 0.6], [0.6, 0.28, 0.05])
    chosen, lost = best_subset(pairs)
    assert (chosen.tolist(), lost) == ([False, True, False], 0.0)
    for share in np.linspace(0, 1, 101):
        assert (share * pairs.gains[0] + (1 - share) * pairs.gains[1]).argmax() != 1


@pytest.mark.parametrize("length", [5, 30])
def test_a_chain_of_spans(length):
    """Each gold span overlaps two predicted ones; every other pair is worth more."""
    gold = np.repeat(np.arange(length), 2)
    predicted = np.concatenate([[0], np.repeat(np.arange(1, length), 2), [length]])
    worth = np.tile([0.2, 0.1], length) / length
    chosen, lost = best_subset(competing(gold, predicted, worth, worth))
    assert chosen.tolist() == [True, False] * length
    assert lost == 0
