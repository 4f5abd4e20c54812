"""Which metrics are sums over units, and the rows of chunks."""

import numpy as np
import pytest
from attrs import evolve
from scipy.sparse import csr_array

from qeframe.core.resampling.statistic_stack import StatisticStack
from qeframe.plugin import Additive, CapabilityError, Metric, Scores, additive
from qeframe.streaming.additive_rows import ChunkRows, centered, check_additive, weighted_sums


def batch(seed=0, units=20):
    rng = np.random.default_rng(seed)
    return Scores.from_plain(rng.normal(size=units), rng.normal(size=units))


def test_which_metrics_on_numbers_are_additive(registry):
    found = {}
    for metric in registry.all(Metric):
        if issubclass(Scores, metric.kind):
            try:
                check_additive(metric, batch())
            except CapabilityError:
                found[metric.name] = False
            else:
                found[metric.name] = True
    assert {name for name, is_additive in found.items() if is_additive} == {
        "mae", "mean", "mean_rating", "pearson", "quality_gain", "rmse",
    }  # fmt: skip


def metric_of(rows, score):
    def bind(given):
        return Additive(rows(given), score, given.unit)

    return Metric(name="odd", summary="s", source="s", kind=Scores, bind=bind)


def test_rows_that_depend_on_other_units_are_refused():
    ranks = metric_of(lambda b: np.argsort(np.argsort(b.predicted)).astype(float)[:, None], np.sum)
    with pytest.raises(CapabilityError, match=r"'odd' .* computes the sums of a unit from other units too"):
        check_additive(ranks, batch())


def test_a_score_that_depends_on_the_units_is_refused():
    def bind(given):
        return Additive(np.ones((len(given), 1)), lambda sums: sums[..., 0] / len(given), given.unit)

    with pytest.raises(CapabilityError, match="computes its score from sums in a way that depends on the units"):
        check_additive(Metric(name="odd", summary="s", source="s", kind=Scores, bind=bind), batch())


def test_a_metric_that_changes_on_a_later_chunk_is_refused(registry):
    mae = registry.get(Metric, "mae")
    rows = ChunkRows((check_additive(mae, batch()).score,))
    rows.bind([mae], [batch()])
    other = evolve(mae, bind=registry.get(Metric, "pearson").bind)
    with pytest.raises(CapabilityError, match="depends on the units"):
        rows.bind([other], [batch()])


def test_columns_are_those_of_a_stack_also_where_equal_columns_differ_later(registry):
    metrics = [registry.get(Metric, name) for name in ("pearson", "mae", "rmse")]
    rows = ChunkRows(tuple(check_additive(metric, batch()).score for metric in metrics))
    first = [batch(0), batch(0)]  # two equal submissions, which differ in the next chunk
    gold = np.arange(7.0)
    later = [Scores.from_plain(gold, gold[::-1] * k) for k in (1, 2)]
    for batches in (first, later, first):
        columns, where = rows.bind(metrics, batches)
        stack = StatisticStack([metric.bind(each) for metric in metrics for each in batches])
        expected = [stack.statistics[i].rows for i in range(len(stack))]
        for positions, table in zip(where, expected, strict=True):
            assert np.array_equal(columns[positions].T, table)


def test_centered_batches_have_the_centers_of_all_units():
    assert [each.pivot for each in centered([batch(0), batch(1)], [0.5, 1.0, 2.0])] == [(0.5, 1.0), (0.5, 2.0)]
    assert centered([batch(0)], ())[0].pivot != (0.5, 1.0)


@pytest.mark.parametrize("scale", [1.0, 0.3, 2.0**22])
def test_weighted_sums(scale):
    rng = np.random.default_rng(0)
    columns = rng.integers(-5, 5, size=(4, 30)) * scale
    counts = rng.integers(0, 4, size=(6, 30)).astype(np.uint8)
    whole = bool((columns == np.rint(columns)).all())
    expected = columns @ counts.T.astype(float)
    assert weighted_sums(columns, counts, whole=whole) == pytest.approx(expected, rel=1e-14)
    if whole:
        assert (weighted_sums(columns, counts, whole=True) == expected).all()


def test_sparse_rows_are_kept_sparse():
    def rows(given):
        return csr_array(np.stack([np.ones(len(given)), given.predicted > 0], axis=1).astype(float))

    bind = additive(columns=("n", "k"), extract=rows, score=_share)
    metric = Metric(name="sparse", summary="s", source="s", kind=Scores, bind=bind)
    bound = check_additive(metric, batch())
    columns, where = ChunkRows((bound.score,)).bind([metric], [batch(), batch(1)])
    counts = np.random.default_rng(0).integers(0, 3, size=(5, 20)).astype(np.uint8)
    sums = weighted_sums(columns, counts, whole=False)
    assert pytest.approx(counts @ bound.rows.toarray() * 0 + counts @ rows(batch(1)).toarray()) == sums[where[1]].T


def _share(sums):
    return sums[..., 1] / sums[..., 0]
