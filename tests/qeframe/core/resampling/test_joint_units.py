"""Readings with different units: what is drawn on the union of them, and what each reading takes of it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.resampling.draws import DrawBlock, exchange_masks
from qeframe.core.resampling.joint_units import drawn_masks, enumerated_masks, joint_units

IDS = st.lists(st.integers(-5, 30), min_size=1, max_size=12, unique=True).map(lambda ids: np.array(ids, dtype=np.int64))


@given(readings=st.lists(IDS, min_size=2, max_size=4))
def test_every_reading_finds_its_units_among_all(readings):
    joint = joint_units(readings)
    if all(ids.tolist() == readings[0].tolist() for ids in readings):
        assert joint == [None] * len(readings)
        return
    for ids, found in zip(readings, joint, strict=True):
        assert found.ids.tolist() == sorted(set(np.concatenate(readings).tolist()))
        assert found.ids[found.members].tolist() == ids.tolist()


@given(first=IDS, second=IDS, width=st.integers(1, 3))
def test_a_cell_that_two_readings_have_is_swapped_in_both(first, second, width):
    """By a plain loop over units and cells."""
    blocks = [DrawBlock((3,), number, 5 * number, 5) for number in range(2)]
    joint = joint_units([first, second])
    if joint[0] is None:
        return
    by_cell = {}
    for ids, found in zip((first, second), joint, strict=True):
        masks = drawn_masks(found.cells(width), width * len(ids), blocks)
        assert masks.shape == (10, width * len(ids))
        for position, number in enumerate(ids.tolist()):
            for cell in range(width):
                column = masks[:, position * width + cell].tolist()
                assert by_cell.setdefault((number, cell), column) == column


def test_one_reading_draws_its_own_cells():
    block = DrawBlock((3,), 0, 0, 4)
    assert drawn_masks(None, 7, [block]).tolist() == exchange_masks(block, 7).tolist()
    assert enumerated_masks(2, [block]).tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]
