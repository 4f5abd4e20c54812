from functools import partial
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from scipy.sparse import csr_array

from qeframe.core.component import StatisticError
from qeframe.core.registry import Registry
from qeframe.core.statistic import Additive, by_group
from qeframe.core.statistic_stack import StatisticStack, distinct_columns
from qeframe.plugin import Metric, Scores


@pytest.fixture(scope="module")
def mixed(registry: Registry) -> list[Any]:
    """Statistics of all sorts on the same units: additive ones that share rows, and others."""
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 9, 14) / 4
    batches = [Scores.from_plain(gold, gold + rng.integers(-4, 5, 14) / 4) for _ in range(3)]
    names = ("pearson", "spearman", "mae", "delta_avg", "rmse")
    return [registry.get(Metric, name).bind(batch) for name in names for batch in batches]


def alone(statistics: list[Any], weights: Any) -> Any:
    return np.stack([statistic(weights.astype(float)) for statistic in statistics], axis=-1)


def test_together_is_apart(mixed: list[Any]) -> None:
    stack = StatisticStack(mixed)
    weights = np.random.default_rng(1).integers(0, 4, size=(2, 5, 14))
    assert stack(weights) == pytest.approx(alone(mixed, weights), abs=1e-12, nan_ok=True)
    assert stack(weights.astype(float)) == pytest.approx(alone(mixed, weights), abs=1e-12, nan_ok=True)
    assert stack.scores() == pytest.approx(alone(mixed, np.ones(14)), abs=1e-12)
    assert stack.scores().shape == (len(mixed),)


def test_additive_statistics_alone_have_the_same_scores(mixed: list[Any]) -> None:
    stack, weights = StatisticStack(mixed), np.random.default_rng(1).integers(0, 4, size=(2, 5, 14))
    chosen = [i for i, statistic in enumerate(mixed) if isinstance(statistic, Additive)]
    assert len(chosen) == 9
    for some in (chosen, chosen[1::3]):
        additive, expected = stack.additive_at(some), np.ascontiguousarray(stack(weights)[..., some])
        assert additive(weights).tobytes() == expected.tobytes()
        assert additive.jackknife() == pytest.approx(stack.jackknife()[:, some], abs=1e-15)


def test_the_jackknife_leaves_one_out(mixed: list[Any]) -> None:
    assert StatisticStack(mixed).jackknife() == pytest.approx(alone(mixed, 1 - np.eye(14)), abs=1e-10)


@pytest.mark.parametrize("outliers", [(0,), (0, 5)])
@pytest.mark.parametrize("gold", [0.0, 0.1])
def test_the_jackknife_keeps_the_digits_of_units_that_one_outweighs(
    outliers: tuple[int, ...], gold: float, registry: Registry
) -> None:
    predicted = np.array([4.0, 1, 2, 3, 7, 1])
    batches = []
    for outlier in outliers:
        answers = predicted.copy()
        answers[outlier] = 1e9
        batches.append(Scores.from_plain(np.full(6, gold), answers))
    statistics = [registry.get(Metric, name).bind(batch) for name in ("rmse", "mae") for batch in batches]
    expected = [[s(1.0 - np.eye(6)[unit]) for s in statistics] for unit in range(6)]
    np.testing.assert_allclose(StatisticStack(statistics).jackknife(), expected, rtol=1e-12)


def test_equal_columns_are_kept_once() -> None:
    rows = np.array([[1.0, 2.0], [1.0, 3.0]])

    def total(sums: Any) -> Any:
        return sums.sum(axis=-1)

    stack = StatisticStack([Additive(rows, total), Additive(rows[:, ::-1], total), Additive(rows[:, :1], np.squeeze)])
    assert stack.sums(np.ones((1, 2))).shape == (2, 1)


def test_counts_beyond_single_precision_are_exact() -> None:
    """Whole rows are multiplied in single precision only where every sum is below 2**24."""
    large = 2.0**24 + 1
    stack = StatisticStack([Additive([large, 1.0, 1.0], lambda sums: sums[..., 0])])
    assert float(stack(np.array([1, 1, 0]))[0]) == large + 1
    assert float(stack(np.array([1, 0, 0]))[0]) == large
    below = StatisticStack([Additive([2.0**23 + 1, 1.0], lambda sums: sums[..., 0])])
    assert float(below(np.array([3, 0]))[0]) == 3 * (2.0**23 + 1)
    fraction = StatisticStack([Additive([0.1, 0.2], lambda sums: sums[..., 0])])
    assert float(fraction(np.array([1, 1]))[0]) == 0.1 + 0.2


class _Flagging:
    """Rows whose product sets the flag of an invalid number beside its right result, as a BLAS may."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __matmul__(self, weights: Any) -> Any:
        np.subtract(np.inf, np.inf)
        return self.rows @ weights


def test_a_product_of_counts_is_valid_whatever_the_processor_says(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = StatisticStack([Additive(np.ones((5, 1)), lambda sums: sums[..., 0])])
    monkeypatch.setattr(StatisticStack, "_single", _Flagging(np.ones((1, 5), dtype=np.float32)))
    with np.errstate(all="raise"):
        assert stack.sums(np.ones((2, 5), dtype=np.uint8)).tolist() == [[5.0, 5.0]]


def test_single_precision_is_only_for_counts() -> None:
    stack = StatisticStack([Additive([1.0, 2.0], lambda sums: sums[..., 0])])
    assert float(stack(np.array([0.1, 0.1]))[0]) == pytest.approx(0.3, abs=1e-15)


@frozen(eq=False)
class Joint:
    factor: float
    units: int = 2
    unit: str = "segment"
    calls = 0

    def __call__(self, weights: Any) -> Any:
        return self.factor * weights.sum(axis=-1)

    @staticmethod
    def jointly(statistics: Any) -> Any:
        Joint.calls += 1
        return lambda weights: np.stack([s(weights) for s in statistics], axis=-1)


def test_a_class_may_compute_all_of_its_statistics_at_once() -> None:
    stack = StatisticStack([Joint(1.0), Additive([1.0, 1.0], lambda s: s[..., 0]), Joint(3.0)])
    assert Joint.calls == 1
    assert stack(np.array([[1, 1], [2, 0]])).tolist() == [[2, 2, 6], [2, 2, 6]]
    assert stack.exchangeable is None


@frozen(eq=False)
class Leaving(Joint):
    """A statistic with a jackknife of its own."""

    left_out: Any = (5.0, 7.0)

    def jackknife(self) -> Any:
        return np.array(self.left_out)


def test_a_statistic_may_have_a_jackknife_of_its_own() -> None:
    stack = StatisticStack([Leaving(1.0), Additive([1.0, 2.0], lambda s: s[..., 0]), Leaving(3.0)])
    assert stack.jackknife().tolist() == [[5, 2, 5], [7, 1, 7]]
    assert (stack.recomputed, StatisticStack([Joint(1.0), Leaving(1.0)]).recomputed) == (0, 1)
    with pytest.raises(StatisticError):
        StatisticStack([Leaving(1.0, left_out=(1.0,))]).jackknife()


class Odd(Joint):
    """A statistic whose class answers with one column for all."""

    @staticmethod
    def jointly(statistics: Any) -> Any:
        return lambda weights: np.ones((len(weights), 1))


def test_the_jackknife_checks_what_a_class_returns() -> None:
    with pytest.raises(StatisticError, match="the statistic returned an array of shape"):
        StatisticStack([Odd(1.0), Odd(2.0)]).jackknife()


def test_rows_of_one_score_are_exchangeable() -> None:
    def total(sums: Any) -> Any:
        return sums[..., 0]

    found = StatisticStack([Additive([1.0, 2.0], total), Additive([3.0, 4.0], total)]).exchangeable
    assert found is not None
    assert (found[0], found[1].tolist()) == (total, [[0, 1]])
    other = Additive([1.0, 2.0], lambda sums: -sums[..., 0])
    assert StatisticStack([Additive([1.0, 2.0], total), other]).exchangeable is None


def first_of_last(sums: Any) -> Any:
    return np.divide(sums[..., 0], sums[..., -1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., -1] != 0)


@pytest.mark.parametrize("units", [0, 1, 7, 600])
def test_sparse_rows_score_as_dense_rows_do(units: int) -> None:
    rng = np.random.default_rng(units)
    shared = rng.integers(0, 2, (units, 3)).astype(float)
    dense = [np.hstack([rng.normal(size=(units, 2)) * rng.integers(0, 2, (units, 2)), shared]) for _ in range(3)]
    dense.append(dense[0])
    weights = rng.integers(0, 3, (2, 5, units)).astype(float)
    index = np.arange(units) % 3
    for kind in (csr_array, lambda rows: rows):  # all sparse, and one sparse beside dense ones
        sparse = StatisticStack(
            [Additive(csr_array(dense[0]), first_of_last)] + [Additive(kind(d), first_of_last) for d in dense[1:]]
        )
        whole = StatisticStack([Additive(d, first_of_last) for d in dense])
        agree = partial(np.testing.assert_allclose, atol=1e-12, rtol=1e-9)
        agree(sparse(weights), whole(weights))
        agree(sparse(weights.astype(np.uint8)), whole(weights))
        agree(sparse.jackknife(), whole.jackknife())
        assert sparse.columns.shape == (2 * 3 + 3, units) or units < 7
        assert (sparse.exchangeable is None) == (whole.exchangeable is None)
    one, other = Additive(csr_array(dense[1]), first_of_last), Additive(dense[1], first_of_last)
    agree(one(weights), other(weights))
    agree(one.unit_scores(), other.unit_scores())
    agree(
        by_group(one, index, 3, "group")(weights[..., :3] if units > 2 else np.ones(3)),
        by_group(other, index, 3, "group")(weights[..., :3] if units > 2 else np.ones(3)),
    )


@pytest.mark.parametrize("sparse", [False, True])
def test_distinct_columns_give_the_tables_back(sparse: bool) -> None:
    rng = np.random.default_rng(3)
    tables = [rng.integers(0, 2, (3, k)).astype(float) for k in (4, 0, 5)]
    columns, positions = distinct_columns([csr_array(table) for table in tables] if sparse else tables)
    kept = columns.toarray() if sparse else columns
    assert len({tuple(column) for column in kept.tolist()}) == len(kept)
    for table, position in zip(tables, positions, strict=True):
        assert (table == kept[position].T).all()


def test_the_jackknife_of_many_units_goes_in_parts(monkeypatch: pytest.MonkeyPatch, mixed: list[Any]) -> None:
    whole = StatisticStack(mixed).jackknife()
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 1)
    monkeypatch.setattr("qeframe.core.statistic_stack._JACKKNIFE_BLOCK", 3)
    assert StatisticStack(mixed).jackknife() == pytest.approx(whole, abs=1e-14)
