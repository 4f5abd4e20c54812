"""Outliers: those that the task listed, and its rule."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe_wmt.readers.metrics.wmt20.outliers import find_outliers
from qeframe_wmt.selections.selection import load_selection


def slow(scores):
    """Apply the rule with plain loops."""

    def median(values):
        ordered = sorted(values)
        half = len(ordered) // 2
        return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2

    middle = median(scores)
    spread = 1.4826 * median([abs(score - middle) for score in scores])
    return [str(i) for i, score in enumerate(scores) if abs(score - middle) > 2.5 * spread]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12))
def test_the_rule(scores):
    names = [str(i) for i in range(len(scores))]
    assert find_outliers("cs-en", names, np.array(scores, float), "rule") == slow(scores)


def test_listed_ones_are_found_by_name():
    scores = np.zeros(3)
    names = ["A", "CUNI-DocTransformer.1457", "zlabs-nlp.1149"]
    assert find_outliers("cs-en", names, scores, "listed") == names[1:]
    assert find_outliers("km-en", names, scores, "listed") == []
    assert find_outliers("cs-en", names, scores, "keep") == []
    assert find_outliers("cs-en", [], np.zeros(0), "rule") == []
    assert sum(len(pair.outliers) for pair in load_selection("wmt20").pairs.values()) == 31


def test_all_that_differ_from_most_are_outliers():
    assert find_outliers("x", ["A", "B", "C"], np.array([1.0, 1.0, 1.1]), "rule") == ["C"]
