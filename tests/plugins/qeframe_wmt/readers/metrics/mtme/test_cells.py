"""The cells of segments, moved so that their means are the scores of systems."""

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from qeframe_wmt.readers.metrics.mtme.cells import with_means

NUMBERS = st.floats(-100, 100, width=32)
SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)


@given(SHAPES.flatmap(lambda s: st.tuples(hnp.arrays(float, s, elements=NUMBERS), hnp.arrays(bool, s))), st.data())
def test_means_are_the_targets_and_differences_within_a_column_stay(drawn, data):
    cells, present = drawn
    target = data.draw(hnp.arrays(float, cells.shape[1], elements=NUMBERS))
    moved = with_means(cells, target, present)
    for column in range(cells.shape[1]):
        kept = present[:, column]
        if kept.any():
            assert abs(float(np.mean(moved[kept, column])) - target[column]) <= 1e-9
        else:
            np.testing.assert_array_equal(moved[:, column], cells[:, column])
        np.testing.assert_allclose(np.diff(moved[:, column]), np.diff(cells[:, column]), atol=1e-9)


def test_missing_cells_stay_missing():
    cells = np.array([[1.0, np.nan], [3.0, 5.0]])
    moved = with_means(cells, np.array([10.0, -1.0]), ~np.isnan(cells))
    np.testing.assert_array_equal(moved, [[9, np.nan], [11, -1]])
