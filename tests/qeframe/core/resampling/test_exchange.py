import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.exchange import GroupedExchange, RecomputedExchange, RowExchange, exchange_rows
from qeframe.core.registry import Registry
from qeframe.plugin import Metric, Scores
from qeframe_scoring.pearson_exchange import bind_pearson, pearson_exchange

FIRST, SECOND = np.array([0, 2, 1]), np.array([1, 0, 0])


@pytest.fixture(scope="module")
def batches() -> list[Scores]:
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 9, 10) / 4
    return [Scores.from_plain(gold, gold * scale + rng.integers(-4, 5, 10) / 4) for scale in (1, 0, 2)]


@pytest.fixture(scope="module")
def masks() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 2, size=(6, 10)).astype(np.uint8)


@pytest.mark.parametrize("name", ["mae", "rmse"])
def test_rows_are_swapped_as_if_computed_again(
    name: str, registry: Registry, batches: list[Scores], masks: np.ndarray
) -> None:
    bind = registry.get(Metric, name).bind
    through_rows = exchange_rows(batches, bind)
    assert isinstance(through_rows, RowExchange)
    assert through_rows.cells == 10
    again = RecomputedExchange(batches, bind)(masks, FIRST, SECOND)
    assert through_rows(masks, FIRST, SECOND) == pytest.approx(again, abs=1e-12)
    assert again.shape == (6, 3)


def test_moments_are_carried_from_pivot_to_pivot(registry: Registry, masks: np.ndarray) -> None:
    """Submissions far apart: their moments are about different pivots."""
    rng = np.random.default_rng(8)
    gold = rng.normal(size=10)
    far = [Scores.from_plain(gold, offset + gold + rng.normal(size=10)) for offset in (0.0, 50.0, -300.0)]
    pearson = registry.get(Metric, "pearson")
    assert pearson.exchange is not None
    again = RecomputedExchange(far, pearson.bind)(masks, FIRST, SECOND)
    assert pearson.exchange(far)(masks, FIRST, SECOND) == pytest.approx(again, abs=1e-9)
    assert exchange_rows(far, pearson.bind)(masks, FIRST, SECOND) != pytest.approx(again, abs=1e-3)


@pytest.mark.parametrize("offset", [1e6, 1e8, 1e9])
def test_digits_are_kept_far_from_zero(offset: float, registry: Registry, masks: np.ndarray) -> None:
    """Against correlations of the mixed answers themselves, all swapped and none swapped among them."""
    rng = np.random.default_rng(8)
    gold = rng.integers(-9, 10, 10) / 8
    answers = np.stack([gold + rng.integers(-9, 10, 10) / 8 + away for away in (0.0, offset, offset + 0.25)])
    batches = [Scores.from_plain(gold, row) for row in answers]
    swapped = np.concatenate([masks, np.zeros((1, 10)), np.ones((1, 10)), np.eye(10), 1 - np.eye(10)]).astype(np.uint8)
    pearson = registry.get(Metric, "pearson")
    assert pearson.exchange is not None
    found = pearson.exchange(batches)(swapped, FIRST, SECOND)
    again = RecomputedExchange(batches, pearson.bind)(swapped, FIRST, SECOND)

    def correlation(predicted: np.ndarray) -> float:
        centered = predicted - predicted[0]
        return float(np.corrcoef(gold, centered - centered.mean())[0, 1])

    for differences, mask in zip(np.stack([found, again], axis=1), swapped.astype(bool), strict=True):
        for both, a, b in zip(differences.T, FIRST, SECOND, strict=True):
            mixed = [np.where(mask, *sides) for sides in ((answers[b], answers[a]), (answers[a], answers[b]))]
            assert both == pytest.approx(correlation(mixed[0]) - correlation(mixed[1]), abs=1e-12)


@pytest.mark.parametrize("offset", [0.0, 0.1, 1e8])
def test_answers_that_an_exchange_makes_constant_have_no_correlation(offset: float, registry: Registry) -> None:
    """The first varies in one unit only, and gives that one away."""
    gold = np.array([0.0, 0.0, 0.0, 0.0, 0.125])
    answers = [offset + np.array([0.0, 0.125, 0.0, 0.0, 0.0]), np.full(5, offset), np.full(5, offset)]
    batches = [Scores.from_plain(gold, each) for each in answers]
    pearson = registry.get(Metric, "pearson")
    assert pearson.exchange is not None
    swapped = np.array([[0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=np.uint8)
    assert np.isnan(pearson.exchange(batches)(swapped, FIRST, SECOND)).all()


def test_other_metrics_are_computed_again(registry: Registry, batches: list[Scores], masks: np.ndarray) -> None:
    found = exchange_rows(batches, registry.get(Metric, "spearman").bind)
    assert isinstance(found, RecomputedExchange)
    kept = found(np.zeros((1, 10), dtype=np.uint8), FIRST, SECOND)
    assert kept == pytest.approx(-found(np.ones((1, 10), dtype=np.uint8), FIRST, SECOND), abs=1e-12)


def test_nothing_swapped_and_everything_swapped(registry: Registry, batches: list[Scores]) -> None:
    rmse = registry.get(Metric, "rmse")
    scores = np.array([float(rmse.bind(batch)(np.ones(10))) for batch in batches])
    exchange = exchange_rows(batches, rmse.bind)
    both = exchange(np.array([np.zeros(10), np.ones(10)], dtype=np.uint8), FIRST, SECOND)
    assert both[0] == pytest.approx(scores[FIRST] - scores[SECOND], abs=1e-12)
    assert both[1] == pytest.approx(scores[SECOND] - scores[FIRST], abs=1e-12)


def test_groups_are_swapped_together(registry: Registry, batches: list[Scores]) -> None:
    units = exchange_rows(batches, registry.get(Metric, "mae").bind)
    index = np.arange(10) % 3
    masks = np.array([[1, 0, 1], [0, 1, 0]], dtype=np.uint8)
    grouped = GroupedExchange(units, index, 3)
    assert grouped(masks, FIRST, SECOND) == pytest.approx(units(masks[:, index], FIRST, SECOND), abs=1e-15)


def test_many_pairs_go_in_pieces(
    monkeypatch: pytest.MonkeyPatch, registry: Registry, batches: list[Scores], masks: np.ndarray
) -> None:
    exchange = exchange_rows(batches, registry.get(Metric, "mae").bind)
    whole = exchange(masks, FIRST, SECOND)
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 1)
    assert (exchange(masks, FIRST, SECOND) == whole).all()


@given(seed=st.integers(0, 2**32 - 1), submissions=st.integers(2, 6), few=st.booleans())
def test_sums_about_one_point_give_what_the_mixed_answers_do(seed: int, submissions: int, few: bool) -> None:
    """Near answers, also constant, equal and tied ones, all pairs and few pairs, and draws that swap all or none."""
    rng = np.random.default_rng(seed)
    units = int(rng.integers(2, 12))
    answers = rng.integers(0, rng.integers(2, 9), (submissions, units)) / 4 + rng.choice([0.0, 1000.0])
    answers[-1] = answers[0] if rng.integers(2) else answers[-1]
    gold = rng.integers(0, 5, units) / 8
    batches = [Scores(ids=np.arange(units), gold=gold, predicted=row) for row in answers]
    swapped = np.concatenate([rng.integers(0, 2, (5, units)), np.zeros((1, units)), np.ones((1, units))])
    first, second = (side[: 1 if few else None] for side in np.triu_indices(submissions, 1))
    differences = pearson_exchange(batches)(swapped.astype(np.uint8), first, second)
    again = RecomputedExchange(batches, bind_pearson)(swapped.astype(np.uint8), first, second)
    assert differences == pytest.approx(again, abs=1e-12, nan_ok=True)
    equal = (answers[first] == answers[second]).all(axis=1)
    assert not np.nan_to_num(differences[:, equal]).any()


def test_three_sums_serve_all_pairs_where_one_point_is_near_all_answers() -> None:
    """Gross errors and other places are computed about the origins of their submissions."""
    rng = np.random.default_rng(2)
    near = rng.normal(size=(12, 40))
    gold, pairs = rng.normal(size=40), np.triu_indices(12, 1)
    for answers, through in (
        (near, "_FromOneOrigin"),
        (near * 1e90, "_FromOneOrigin"),
        (near + 1e9 * (near[:, :1] > 0), "RowExchange"),
    ):
        batches = [Scores.from_plain(gold, row) for row in answers]
        exchange = pearson_exchange(batches)
        assert type(exchange).__name__ == through
        assert np.isfinite(exchange(np.eye(40, dtype=np.uint8), *pairs)).all()
    outlier = near.copy()
    outlier[3, 7] = 1500.0
    batches = [Scores.from_plain(gold, row) for row in outlier]
    swapped = rng.integers(0, 2, (8, 40)).astype(np.uint8)
    again = RecomputedExchange(batches, bind_pearson)(swapped, *pairs)
    assert pearson_exchange(batches)(swapped, *pairs) == pytest.approx(
        again, abs=1e-10
    )  # what is kept is a difference of sums


@pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3])
def test_a_mixture_without_variance_has_no_correlation(value: float) -> None:
    """The variance that its sums leave is rounding noise, which is no variance."""
    rng = np.random.default_rng(4)
    gold, answers = rng.normal(size=30), rng.normal(size=(3, 30))
    answers[0, :15] = answers[1, 15:] = value
    swapped = np.stack([np.arange(30) >= 15, rng.integers(0, 2, 30)]).astype(np.uint8)
    exchange, pairs = pearson_exchange([Scores.from_plain(gold, row) for row in answers]), np.triu_indices(3, 1)
    assert type(exchange).__name__ == "_FromOneOrigin"
    assert np.isnan(exchange(swapped, *pairs)).tolist() == [[True, False, False], [False] * 3]


def _exact_pearson(gold: np.ndarray, predicted: np.ndarray) -> float:
    """Return the correlation from sums without rounding: of whole numbers, in units of the smallest float."""
    ratios = [[value.as_integer_ratio() for value in side.tolist()] for side in (gold, predicted)]
    x, y = ([numerator * (2**1074 // denominator) for numerator, denominator in side] for side in ratios)

    def product(first: list[int], second: list[int]) -> int:
        return len(first) * sum(map(int.__mul__, first, second)) - sum(first) * sum(second)

    root = math.sqrt(product(x, y) ** 2 / (product(x, x) * product(y, y)))
    return root if product(x, y) > 0 else -root


@pytest.mark.parametrize("size", [1e6, 1e8])
@pytest.mark.parametrize(
    ("outliers", "through"),
    [({10: 1, 50: -1}, "_FromOneOrigin"), ({0: -1, 3: 1, 9: 1, 70: -1}, "_FromOneOrigin"), ({10: 1}, "RowExchange")],
)
def test_outliers_that_are_given_away_leave_exact_sums(size: float, outliers: dict[int, int], through: str) -> None:
    """The sums of what is kept are tiny beside the sums of the whole."""
    rng = np.random.default_rng(3)
    gold, answers = rng.normal(size=100), rng.normal(size=(3, 100))
    for unit, sign in outliers.items():
        answers[0, unit] = sign * size
    swapped = rng.integers(0, 2, (4, 100)).astype(np.uint8)
    swapped[:2, list(outliers)] = 1
    swapped[2, list(outliers)] = 0
    batches = [Scores.from_plain(gold, row) for row in answers]
    exchange, (first, second) = pearson_exchange(batches), np.triu_indices(3, 1)
    assert type(exchange).__name__ == through
    exact = np.empty((4, 3))
    for draw, mask in enumerate(swapped.astype(np.bool_)):
        for pair, (a, b) in enumerate(zip(answers[first], answers[second], strict=True)):
            sides = (_exact_pearson(gold, np.where(mask, *both)) for both in ((b, a), (a, b)))
            exact[draw, pair] = next(sides) - next(sides)
    assert exchange(swapped, first, second) == pytest.approx(exact, abs=1e-14)
    assert exchange(swapped, first[:1], second[:1]) == pytest.approx(exact[:, :1], abs=1e-14)


@pytest.mark.parametrize("name", ["mae", "rmse"])
def test_errors_that_are_given_away_leave_exact_sums(name: str, registry: Registry) -> None:
    rng = np.random.default_rng(3)
    gold, answers = rng.normal(size=40), rng.normal(size=(3, 40))
    answers[0, 7] = 1e12
    batches = [Scores.from_plain(gold, row) for row in answers]
    bind = registry.get(Metric, name).bind
    swapped = rng.integers(0, 2, (6, 40)).astype(np.uint8)
    again = RecomputedExchange(batches, bind)(swapped, FIRST, SECOND)
    assert exchange_rows(batches, bind)(swapped, FIRST, SECOND) == pytest.approx(again, rel=1e-12)
