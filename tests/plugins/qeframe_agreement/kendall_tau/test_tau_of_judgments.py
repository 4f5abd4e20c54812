"""The nine cells of the Kendall family against loops over the judgments."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement.grids import ACC23, WMT14
from qeframe_agreement.kendall_tau.tau_of_judgments import CellRows, TableScore, confusion, kendall

SIGNS = "<=>"


def judged(seed=0, count=40):
    rng = np.random.default_rng(seed)
    human = rng.integers(-1, 2, count)
    predicted = rng.integers(0, 4, (count, 2)) / 2
    return Judgments.from_plain("".join("<=>"[1 - sign] for sign in human), predicted.tolist())


def slow_cells(batch, epsilon):
    cells = np.zeros((3, 3))
    for human, (left, right) in zip(batch.human, batch.predicted, strict=True):
        metric = 0 if abs(left - right) <= epsilon else np.sign(left - right)
        cells[1 - int(human), 1 - int(metric)] += 1
    return cells


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0])
def test_cells_against_a_loop(epsilon):
    batch = judged()
    expected = slow_cells(batch, epsilon)
    assert (confusion(batch, epsilon=epsilon) == expected).all()
    rows = CellRows(epsilon)(batch)
    assert rows.sum(axis=1).tolist() == [1.0] * len(batch)
    assert (rows.sum(axis=0).reshape(3, 3) == expected).all()


@pytest.mark.parametrize("table", [WMT14.table, ACC23.table, ((1, None, -1), (None, None, None), (-1, None, 1))])
def test_a_table_weighs_the_cells(table):
    sums = np.random.default_rng(0).integers(0, 9, (5, 9)).astype(float)
    flat = [entry for row in table for entry in row]
    for row, score in zip(sums, TableScore(table)(sums), strict=True):
        numerator = sum(n * entry for n, entry in zip(row, flat, strict=True) if entry is not None)
        pairs = sum(n for n, entry in zip(row, flat, strict=True) if entry is not None)
        assert score == pytest.approx(numerator / pairs)
    assert np.isnan(TableScore(WMT14.table)(np.array([0, 0, 0, 1, 2, 3, 0, 0, 0.0])))


def test_policies_share_the_rows_of_one_threshold():
    assert CellRows(0.5) == CellRows(0.5)
    assert CellRows(0.5) != CellRows(0.25)


def test_the_metric_has_values_of_judgments_only_where_all_count():
    batch = judged(1)
    assert kendall(ties=WMT14).per_unit is None
    acc = kendall(ties=ACC23)
    assert acc.per_unit(batch).mean() == pytest.approx(float(acc.bind(batch)(np.ones(len(batch)))))
    outcomes = kendall(ties=WMT14).outcomes(batch)
    assert len(outcomes) == (batch.human != 0).sum()
    assert outcomes.mean() == pytest.approx(float(kendall(ties=WMT14).bind(batch)(np.ones(len(batch)))))
    details = kendall(ties=WMT14).details(batch)
    assert details["cells"] == slow_cells(batch, 0.0).tolist()
    assert details["pairs"] == (batch.human != 0).sum()


def test_claims_follow_from_the_table():
    assert kendall(ties=WMT14).claims == {"tie_neutral", "constant_proof", "blind_proof", "monotone"}
    assert "tie_neutral" not in kendall(ties=ACC23).claims


@pytest.mark.parametrize("epsilon", [-0.1, float("inf"), float("nan")])
def test_an_invalid_threshold_is_refused(epsilon):
    with pytest.raises(DataError, match="epsilon must be a finite number of at least 0"):
        kendall(epsilon=epsilon)
