from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import qeframe
from qeframe.core.component import WrongReturnError
from qeframe.core.registry import Registry
from qeframe.core.statistic import (
    Additive,
    Grouped,
    Sliced,
    Statistic,
    WholeParts,
    additive,
    by_group,
    flatten_draws,
    ratio,
)
from qeframe.plugin import Metric, Scores, Values


def mean_of_sums(sums: Any) -> Any:
    return sums[..., 1] / sums[..., 0]


def counted(batch: Values) -> Any:
    return np.stack([np.ones(len(batch)), batch.predicted], axis=1)


MEAN = additive(columns=("n", "sum"), extract=counted, score=mean_of_sums)


def test_weights_of_any_shape() -> None:
    statistic = MEAN(Values.from_plain(None, [1.0, 2.0, 6.0]))
    assert float(statistic(np.ones(3))) == 3.0
    weights = np.array([[[1, 0, 0], [0, 1, 1]], [[2, 1, 0], [0, 0, 5]]])
    assert statistic(weights).tolist() == [[1.0, 4.0], [pytest.approx(4 / 3), 6.0]]
    assert isinstance(statistic, Statistic)
    assert (statistic.units, statistic.unit) == (3, "segment")


def test_one_column_needs_no_second_axis() -> None:
    assert float(Additive([1, 2, 4], lambda sums: sums[..., 0])(np.array([1, 0, 1]))) == 5.0


def test_rows_that_do_not_fit_are_an_error_of_the_plugin() -> None:
    wrong = additive(columns=("n", "sum", "squares"), extract=counted, score=mean_of_sums)
    with pytest.raises(
        WrongReturnError, match=r"extract returned .* of shape \(2, 2\) .*, expected .* \(2, 3\), units x"
    ):
        wrong(Values.from_plain(None, [1.0, 2.0]))


@pytest.mark.parametrize("name", ["pearson", "rmse", "spearman", "delta_avg"])
def test_groups_as_units(name: str, registry: Registry) -> None:
    """The weight of a group is given to each of its members, for additive and for other statistics."""
    rng = np.random.default_rng(1)
    gold, predicted = rng.normal(size=(2, 12))
    index = rng.permutation(np.arange(12) % 4)
    bound = registry.get(Metric, name).bind(Scores.from_plain(gold, predicted))
    grouped = by_group(bound, index, 4, "document")
    assert isinstance(grouped, Additive if isinstance(bound, Additive) else Grouped)
    assert (grouped.units, grouped.unit) == (4, "document")
    weights = np.array([[1, 1, 1, 1], [2, 0, 1, 1], [0, 3, 0, 1]], dtype=float)
    assert grouped(weights) == pytest.approx(bound(weights[:, index]), abs=1e-12)


def test_slices_are_scored_apart() -> None:
    batch = Values.from_plain(None, [1.0, 2.0, 10.0])
    members = np.array([0, 1]), np.array([2])
    parts = tuple(MEAN(batch.take(of)) for of in members)
    sliced = Sliced(parts, members, lambda scores, weights: scores @ weights / weights.sum(), 3, "segment")
    assert float(sliced(np.ones(3))) == (1.5 + 10) / 2
    assert sliced(np.array([[1, 3, 1], [1, 0, 2]], dtype=float)).tolist() == [(1.75 + 10) / 2, (1 + 10) / 2]


def test_moments_survive_a_large_offset() -> None:
    """With raw moments an offset of 1e6 gives .7133 for .7121; about a pivot it changes nothing."""
    rng = np.random.default_rng(2)
    gold = rng.normal(size=300)
    predicted = gold + rng.normal(size=300)
    plain = qeframe.score("pearson", gold, predicted)
    assert qeframe.score("pearson", gold + 1e6, predicted - 1e6) == pytest.approx(plain, abs=1e-9)
    assert np.isnan(qeframe.score("pearson", gold, np.full(300, 1e6 + 0.1)))


def test_parts_that_are_drawn_whole_keep_their_scores() -> None:
    batch = Values.from_plain(None, [1.0, 2.0, 10.0])
    members = np.array([0, 1]), np.array([2])
    parts = tuple(MEAN(batch.take(of)) for of in members)
    sliced = Sliced(parts, members, lambda scores, w: (scores * w).sum(axis=-1) / w.sum(axis=-1), 3, "segment")
    whole = by_group(sliced, np.array([0, 0, 1]), 2, "document")
    assert isinstance(whole, WholeParts)
    assert whole(np.array([[1.0, 1.0], [2.0, 1.0]])) == pytest.approx([(1.5 + 10) / 2, (3 + 10) / 3])


def test_quotients_and_draws() -> None:
    assert ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])) == pytest.approx([0.5, np.nan], nan_ok=True)
    assert flatten_draws(np.ones((2, 3, 0))).shape == (6, 0)
    assert flatten_draws(np.ones(4)).shape == (1, 4)


def test_scores_of_single_units_from_sparse_rows_go_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 8.0]])
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 20)
    assert Additive(csr_array(rows), mean_of_sums).unit_scores().tolist() == [2.0, 0.5, 2.0]
