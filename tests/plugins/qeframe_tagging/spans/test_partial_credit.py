"""The sums of MPP: the columns, their denominators, and the pairs behind them."""

import numpy as np

from qeframe.kinds.spans import Spans
from qeframe_tagging.spans.overlaps import Credit
from qeframe_tagging.spans.partial_credit import COLUMNS, PartialCredit
from qeframe_tagging.spans.selection import Selection

BATCH = Spans.from_plain(
    [[(0, 10, "major")], [], [(0, 2, "minor")]],
    [[(5, 12, "minor")], [(1, 3, "major")], []],
    omission=([None, "major", None], ["minor", "major", None]),
)


def test_one_row_for_each_segment():
    rows = PartialCredit(Credit(), "best", Selection())(BATCH)
    assert rows.shape == (3, len(COLUMNS))
    np.testing.assert_allclose(rows, [[5 / 7, 1, 0.5, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0]])


def test_faults_and_weights_are_in_the_denominators():
    rows = PartialCredit(Credit(weights=(0.5, 2.0, 1.0)), "greedy", Selection(faults="counted"))(BATCH)
    np.testing.assert_allclose(rows[:, 1], [1.0, 4.0, 0.0])
    np.testing.assert_allclose(rows[:, 3], [2.0, 2.0, 0.5])
    np.testing.assert_allclose(rows[:, 0], [0.5 * 5 / 7, 2.0, 0.0])


def test_matched_pairs_are_numbered_through_all_segments():
    rule = PartialCredit(Credit(), "best", Selection())
    batch = Spans.from_plain([[(0, 2, 0)], [(0, 2, 0), (4, 6, 0)]], [[], [(4, 5, 0)]])
    assert rule.matched_pairs(batch) == [(2, 0)]
