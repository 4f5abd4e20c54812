"""Scores without segments, systems and cells: by sums and by binding again, against grids that lack them."""

from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.contest import Contest
from qeframe.core.draws import JointUnits, bootstrap_counts, draw_blocks, grouped_counts
from qeframe.core.registry import Registry
from qeframe.core.sample import Sample
from qeframe.core.standard_errors import (
    covariance_by_influence,
    leave_out_of_grid,
    leave_out_of_grids,
    share_of_segment,
    without_groups,
)
from qeframe.kinds.grid.kind import grids_batches
from qeframe.plugin import Additive, Batch, FloatArray, Grid, Metric, Scores, mean_of_sums
from tests.qeframe.core.evaluation.made_contests import resampled
from tests.registered import REGISTRY

MEANS = ("acc_eq(epsilon=0.0)", "acc_eq(calibrate=once)", "tau_b(grouping=item)", "segment_pearson(grouping=item)")
OTHERS = (
    "segment_pearson", "segment_pearson(grouping=system)", "segment_spearman", "tau_b", "system_pearson",
    "pairwise_difference_pearson",
)  # fmt: skip
NAMES = (*MEANS, *OTHERS, "segment_pearson(grouping=item, average=micro)")


def binder(metric: Metric, batch: Batch) -> Any:
    return metric.bind if metric.bind_parts is None else metric.bind_parts(batch)


def missing(batch: Grid, item: int | None, system: int | None) -> Grid:
    """Return the grid without an item, a system, or one cell of both."""
    sides = [batch.gold.copy(), batch.predicted.copy()]
    for side in sides:
        side[slice(None) if item is None else item, slice(None) if system is None else system] = np.nan
    return attrs.evolve(batch, gold=sides[0], predicted=sides[1])


def score(bind: Any, batch: Grid) -> float:
    return float(bind(batch)(np.ones(len(batch))))


def slow_cells(bind: Any, batch: Grid) -> FloatArray:
    """Leave out the cells one by one; in a mean over segments, add the difference of the segment from the mean."""
    whole, found = bind(batch), []
    mean = isinstance(whole, Additive) and whole.score is mean_of_sums
    for system in range(batch.systems):
        for item in range(len(batch)):
            if not batch.present[item, system]:
                continue
            value = score(bind, missing(batch, item, system))
            present = int(batch.present[item].sum())
            own = score(bind, batch.take(np.array([item])))
            if mean and present > 2 and not np.isnan(own):
                share = whole.rows[item, 0] / whole.rows[:, 0].sum()
                value += 2 / (present - 2) * share * (score(bind, batch) - own)
            found.append(value)
    return np.array(found)


@pytest.mark.parametrize("name", NAMES)
@given(batch=grids_batches(min_units=2, max_units=5, systems=(2, 5)))
@settings(max_examples=8)
def test_equal_to_grids_that_lack_cells(name: str, batch: Grid) -> None:
    bind = binder(REGISTRY.get(Metric, name), batch)
    found = leave_out_of_grid(bind, batch)
    items, systems = (np.flatnonzero(batch.present.any(axis=axis)) for axis in (1, 0))
    same = {"abs": 1e-9, "nan_ok": True}
    assert found.segments[:, 0] == pytest.approx([score(bind, missing(batch, i, None)) for i in items], **same)
    assert found.systems[:, 0] == pytest.approx([score(bind, missing(batch, None, s)) for s in systems], **same)
    assert found.cells[:, 0] == pytest.approx(slow_cells(bind, batch), **same)


@pytest.mark.parametrize("name", [*MEANS, "segment_pearson", "system_pearson", "pairwise_difference_pearson"])
def test_sums_suffice(registry: Registry, name: str) -> None:
    """Only rank correlations and correlations by system are computed again without each cell."""
    batch = Grid.from_plain([[1.0, 2, 3], [2, 1, 3]], [[1.0, 3, 2], [2, 1, 3]])
    assert isinstance(binder(registry.get(Metric, name), batch)(batch), Additive)


def test_every_smooth_metric_on_grids_can_be_left_out(registry: Registry) -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 4, size=(7, 5)) / 1.0
    batch = Grid.from_plain(gold, gold + rng.integers(-1, 2, size=(7, 5)))
    for metric in registry.all(Metric):
        if metric.kind is Grid and metric.smooth:
            bind = binder(metric, batch)
            found = leave_out_of_grid(bind, batch)
            assert found.cells.shape == (35, 1), metric.name
            assert found.cells[:, 0] == pytest.approx(slow_cells(bind, batch), abs=1e-9, nan_ok=True), metric.name


def test_a_threshold_is_that_of_the_whole_grid(registry: Registry) -> None:
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 3, size=(6, 4)) / 1.0
    batch = Grid.from_plain(gold, gold + rng.normal(size=(6, 4)))
    metric = registry.get(Metric, "acc_eq(calibrate=once)")
    assert metric.details is not None
    held = registry.get(Metric, f"acc_eq(epsilon={float(metric.details(batch)['epsilon'])!r})")
    once, fixed = (leave_out_of_grid(binder(m, batch), batch) for m in (metric, held))
    assert once.systems == pytest.approx(fixed.systems)
    assert once.cells == pytest.approx(fixed.cells)


@given(counts=st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_shares_of_segments(counts: list[int]) -> None:
    values = np.array(counts, dtype=float)
    shares = share_of_segment(values, values.sum())
    assert shares.sum() == pytest.approx(1.0 if values.any() else 0.0)


def test_long_work_is_announced(registry: Registry) -> None:
    """Only where cells are left out one by one; the columns are the submissions, turned so that high is good."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=(40, 3))
    batches = [Grid.from_plain(gold, gold + rng.normal(size=gold.shape)) for _ in range(2)]
    for name, told in (("segment_pearson", []), ("segment_spearman", ["a is recomputed without each of 240 cells"])):
        notices: list[str] = []
        binds = [binder(registry.get(Metric, name), batch) for batch in batches]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("qeframe.core.standard_errors._MANY_CELLS", 200)
            both = leave_out_of_grids(binds, batches, -1.0, notices.append, "a")
        assert [text.partition(",")[0] for text in notices] == told
        assert both.cells[:, 1] == pytest.approx(-leave_out_of_grid(binds[1], batches[1]).cells[:, 0])


JOINT = JointUnits(np.arange(12), np.array([0, 1, 3, 4, 6, 7, 9, 11]))


def scored(registry, joint=None, **options) -> Sample:
    rng = np.random.default_rng(7)
    gold = rng.normal(size=8)
    batches = tuple(Scores.from_plain(gold, gold + rng.normal(size=8)) for _ in range(2))
    return Sample(metrics=(registry.get(Metric, "mae"),), batches=batches, key=(1, 2), joint=joint, **options)


@pytest.mark.parametrize(("joint", "units"), [(None, 8), (JOINT, 12)])
def test_the_draws_are_those_of_the_scores(registry, joint, units):
    task = scored(registry, joint)
    members = np.arange(8) if joint is None else joint.members
    (block,) = draw_blocks((1, 2, 1), 5, units)
    counts = bootstrap_counts(block, units)[:, members]
    assert resampled(task, 5, "multinomial")[:, 0] == pytest.approx(task.stack(counts))
    covariances = Contest.of(task).covariances(5)
    assert covariances[0] == pytest.approx(covariance_by_influence(task.stack, np.ones((1, 8)))[0])
    assert covariances[1:] == pytest.approx(covariance_by_influence(task.stack, counts))
    left_out, sizes = Contest.of(task).without_groups(5, 4)
    assert sizes == (4,)
    kept = (np.arange(4)[:, None] != members % 4).astype(float)
    assert -left_out[0] == pytest.approx(task.stack(kept)), "lower is better"
    assert -left_out[1:] == pytest.approx(without_groups(task.stack, grouped_counts(block, units, 4)[:, :, members]))
