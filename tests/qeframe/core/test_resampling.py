"""Parts of the resampling with few tests."""

import itertools
import os
import pickle
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from qeframe.core.component import StatisticError, WrongReturnError, describe, numbers_of_shape
from qeframe.core.draws import (
    MOST_CELLS,
    DrawBlock,
    bounded_slices,
    drawn_masks,
    enumerated_masks,
    exchange_masks,
    joint_units,
)
from qeframe.core.errors import DataError, PluginError
from qeframe.core.ranking import without_rounding
from qeframe.core.runner import Runner
from qeframe.report.layouts.number_format import decimals_for

# Readings with different units: what is drawn on the union of them, and what each reading takes of it.
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
        masks = drawn_masks(found.cells_of(width * len(ids), by_unit=False, by_cell=True), width * len(ids), blocks)
        assert masks.shape == (10, width * len(ids))
        for position, number in enumerate(ids.tolist()):
            for cell in range(width):
                column = masks[:, position * width + cell].tolist()
                assert by_cell.setdefault((number, cell), column) == column


def test_one_reading_draws_its_own_cells():
    block = DrawBlock((3,), 0, 0, 4)
    assert drawn_masks(None, 7, [block]).tolist() == exchange_masks(block, 7).tolist()
    assert enumerated_masks(2, [block]).tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]


@given(st.integers(0, 60), st.integers(0, 30), st.integers(1, 5), st.integers(1, 100))
def test_every_item_is_in_one_slice_that_fits(count: int, cells_each: int, least: int, most: int) -> None:
    slices = bounded_slices(count, cells_each, least=least, most=most)
    items = [list(range(count)[part]) for part in slices]
    assert [item for part in items for item in part] == list(range(count))
    assert all(items)
    for part in items:
        assert len(part) * cells_each <= most or len(part) <= least
    for part in items[:-1]:  # one more would not fit
        assert len(part) >= least
        assert (len(part) + 1) * cells_each > most or cells_each == 0


def test_the_bound_is_read_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bounded_slices(10, MOST_CELLS // 5) == [slice(0, 5), slice(5, 10)]
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 4)
    assert bounded_slices(3, 2) == [slice(0, 2), slice(2, 4)]
    assert np.arange(3)[bounded_slices(3, 2)[1]].tolist() == [2]


class Heavy:
    """Work that notes in files how often it is packed and unpacked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __getstate__(self) -> dict[str, Any]:
        (self.folder / f"packed-{len(list(self.folder.iterdir()))}").touch()
        return {"folder": self.folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.folder = state["folder"]
        with (self.folder / f"unpacked-by-{os.getpid()}").open("a") as file:
            file.write("x")

    def __call__(self, item: int) -> int:
        return item * item


def test_work_is_sent_to_each_worker_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2) as executor:
        assert Runner(executor).map(Heavy(tmp_path), range(40)) == [item * item for item in range(40)]
    assert len(list(tmp_path.glob("packed-*"))) == 1
    unpacked = list(tmp_path.glob("unpacked-*"))
    assert 1 <= len(unpacked) <= 2
    assert {file.read_text() for file in unpacked} == {"x"}


def fail(item: int) -> int:
    raise ValueError(f"item {item}")


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with ProcessPoolExecutor(1) as executor:
        assert Runner(executor).map(abs, [-1, 2]) == [1, 2]
        with pytest.raises(ValueError, match="item 3"):
            Runner(executor).map(fail, [3])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(2)])
def test_results_come_one_after_the_other(executor: Executor | None) -> None:
    seen: list[tuple[int, int]] = []
    results = Runner(executor, lambda *done: seen.append(done)).imap(abs, [-3, -2, -1])
    assert next(results) == 3
    assert seen == [(1, 3)]
    assert list(results) == [2, 1]


# What was returned, in words, and the check of numbers.
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


NEAR = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-17, 3e-13, 1e-150, 3e9, np.nan, np.inf, -np.inf]),
    st.floats(-2, 2, allow_nan=False),
)


@given(st.lists(st.tuples(NEAR, st.integers(-4, 4)), max_size=8))
def test_scores_that_differ_by_rounding_become_equal(drawn: list[tuple[float, int]]) -> None:
    scores = np.array([value + 3e-13 * steps * (abs(value) if np.isfinite(value) else 1.0) for value, steps in drawn])
    expected = scores.copy()  # slow oracle: join neighbors down the sorted scores
    order = sorted((i for i in range(len(scores)) if not np.isnan(scores[i])), key=lambda i: -scores[i])
    for above, below in itertools.pairwise(order):
        if np.isfinite(scores[[above, below]]).all() and scores[above] - scores[below] <= 1e-12 * max(
            abs(scores[above]), abs(scores[below])
        ):
            expected[below] = expected[above]
    found = without_rounding(scores)
    assert np.array_equal(found, expected, equal_nan=True)
    assert np.array_equal(without_rounding(found), found, equal_nan=True)
    assert np.array_equal(without_rounding(np.stack([scores, scores])), np.stack([found, found]), equal_nan=True)


@given(st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_scores_that_tables_can_tell_apart_stay_apart(first: float, second: float) -> None:
    decimals = decimals_for([first, second])
    unit = 10.0**-decimals if max(abs(first), abs(second)) < 1e7 else 1e-3 * max(abs(first), abs(second))
    equal = np.ptp(without_rounding(np.array([first, second]))) == 0
    assert not (equal and abs(first - second) > unit / 1e5)
