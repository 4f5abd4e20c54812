"""The exchange of answers, the larger p of it and the jackknife, and their families: checked cases, loops, edges."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.contest import Contest
from qeframe.plugin import Grid
from qeframe_significance.families.romano_wolf import romano_wolf_of_defined
from qeframe_significance.jackknife_and_exchange import BY_EXCHANGE, BY_JACKKNIFE
from qeframe_significance.jackknife_t import jackknife
from tests.plugins.contests import CASES2, NEAR, contest, numbers, tags

PAIRS = ((0, 1), (0, 2), (1, 2))
ALL = "draws=5000"
"""More draws than there are exchanges of the small cases, so that all are enumerated."""


def compared(metric: str, gold: Any, submissions: Sequence[Any], test: str, correction: str = "none") -> list[Any]:
    """Return the comparisons of the pairs (0, 1), (0, 2), (1, 2)."""
    named = {str(i): answers for i, answers in enumerate(submissions)}
    found = qeframe.compare(metric, gold, named, test=test, correction=correction)
    by_pair = {frozenset((each.a, each.b)): each for each in found}
    return [by_pair[frozenset(map(str, pair))] for pair in itertools.combinations(range(len(submissions)), 2)]


@pytest.mark.parametrize("name", ["pearson_gross_error", "pearson_perfect", "mae_zero_error"])
def test_checked_cases(name):
    case = CASES2[name]
    given_ = (case["metric"], case["gold"], case["submissions"])
    swapped = compared(*given_, f"exchange({ALL})", f"max_t({ALL}, standardize=as_needed)")
    assert [each.p for each in swapped] == pytest.approx(case["p_x"], **NEAR)
    assert [each.p_adjusted for each in swapped] == pytest.approx(case["x_adjusted"], **NEAR)
    both = compared(*given_, f"jackknife_and_exchange({ALL})", f"romano_wolf_and_max_t({ALL})")
    assert [each.p for each in both] == pytest.approx(case["p"], **NEAR)
    assert all(b.p_adjusted >= max(b.p, x) - 1e-12 for b, x in zip(both, case["x_adjusted"], strict=True))
    alone = [value is None for value in case["p_t"]]
    assert [each.reason.startswith(BY_EXCHANGE) for each in both] == alone
    smooth = compared(*given_, "jackknife", "holm")
    assert [each.p for each in smooth] == pytest.approx(numbers(case["p_t"]), **NEAR)
    if "holm_of_p_t" in case:
        assert [each.p_adjusted for each in smooth] == pytest.approx(numbers(case["holm_of_p_t"]), **NEAR)


def test_checked_case_of_sentences():
    case = CASES2["mcc_sentences"]
    sides = [tags(counts) for counts in zip(*case["counts"], strict=True)]
    gold, submissions = sides[0][0], [answers for _, answers in sides]
    swapped = compared("mcc", gold, submissions, f"exchange({ALL})", f"max_t({ALL}, standardize=as_needed)")
    assert [each.p for each in swapped] == pytest.approx(case["p_x"], **NEAR)
    assert [each.p_adjusted for each in swapped] == pytest.approx(case["x_adjusted"], **NEAR)
    both = compared("mcc", gold, submissions, f"jackknife_and_exchange({ALL})")
    assert [each.p for each in both] == pytest.approx(case["p"], **NEAR)


@pytest.mark.parametrize(("metric", "key"), [("pairwise_accuracy", "pa"), ("spa", "spa")])
def test_checked_case_of_grids(metric, key):
    case = CASES2["grid"]
    batches = {str(i): Grid.from_plain(case["gold"], values) for i, values in enumerate(case["metrics"])}
    test, correction = f"exchange({ALL})", f"max_t({ALL}, standardize=as_needed)"
    found = qeframe.compare(metric, None, batches, test=test, correction=correction)
    by_pair = {frozenset((each.a, each.b)): each for each in found}
    of = [by_pair[frozenset(map(str, pair))] for pair in PAIRS]
    assert [each.p for each in of] == pytest.approx(case[key]["p_x"], **NEAR)
    assert [each.p_adjusted for each in of] == pytest.approx(case[key]["x_adjusted"], **NEAR)


class _WithDraws:
    """A contest with stated draws."""

    def __init__(self, of: Contest, weights: Any) -> None:
        self.of, self.drawn = of, of.weighted(np.array(weights))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)

    def resample(self, draws: int, scheme: str = "multinomial") -> Any:
        return self.drawn


def test_draws_without_all_scores_are_left_out():
    case = CASES2["sparse_gold"]
    given_ = contest("pearson", case["gold"], case["submissions"])
    p = jackknife.run(given_, "two").p
    assert p == pytest.approx(case["p_t"], **NEAR)
    drawn: Any = _WithDraws(given_, case["draws"])
    assert np.isfinite(np.arctanh(drawn.drawn)).all(axis=1).sum() == case["defined_draws"]
    assert romano_wolf_of_defined(drawn, p, 40) == pytest.approx(case["romano_wolf"], **NEAR)
    assert romano_wolf_of_defined(drawn, p, 80) == pytest.approx(case["holm"], **NEAR)  # 39 of 80 are not half


def correlation(x: Sequence[float], y: Sequence[float]) -> float:
    n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    sxx, syy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return sxy / (sxx * syy) ** 0.5 if sxx > 1e-9 * n and syy > 1e-9 * n else float("nan")


def scaled(values: Sequence[float]) -> list[float]:
    low, high = (float(np.percentile(values, level)) for level in (5, 95))
    kept = [min(max(value, low), high) for value in values]
    mean = sum(kept) / len(kept)
    spread = (sum((value - mean) ** 2 for value in kept) / len(kept)) ** 0.5
    middle = float(np.median(values))
    return [(value - middle) / spread for value in values]


NUMBERS = st.lists(st.integers(-9, 9), min_size=7, max_size=7)


@given(NUMBERS, NUMBERS, NUMBERS, st.sampled_from([0.1, 1.0, 30.0]))
def test_every_exchange_of_two_correlations(gold, a, b, scale):
    if any(len({*np.clip(side, *np.percentile(side, [5, 95]))}) < 2 for side in (gold, a, b)):
        return
    (found,) = compared("pearson", gold, [a, [scale * value + 5 for value in b]], f"exchange({ALL})")
    left, right = scaled(a), scaled(b)
    observed, count = abs(correlation(left, gold) - correlation(right, gold)), 0
    for mask in itertools.product([False, True], repeat=len(gold)):
        mixed = [(y, x) if swap else (x, y) for x, y, swap in zip(left, right, mask, strict=True)]
        difference = correlation([x for x, _ in mixed], gold) - correlation([y for _, y in mixed], gold)
        count += np.isnan(difference) or abs(difference) >= observed - 1e-12
    assert found.p == pytest.approx(count / 2**7, abs=2.1 / 2**7 if observed < 1e-6 else 1e-12)


def made(seed: int = 3, units: int = 60) -> tuple[Any, Mapping[str, Any]]:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    return gold, {name: gold + noise * rng.normal(size=units) for name, noise in (("A", 0.5), ("B", 0.7), ("C", 2.0))}


@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall_tau_b"])
def test_a_scale_does_not_change_p(metric):
    gold, submissions = made()
    moved = {name: 50 - 7 * -values for name, values in submissions.items()}
    one, other = (
        qeframe.compare(metric, gold, of, test="exchange(draws=99)", correction="none") for of in (submissions, moved)
    )
    assert [each.p for each in one] == [each.p for each in other]


def test_ranks_are_exchanged_and_not_ranked_again():
    gold, submissions = made(units=9)
    ranks = [np.argsort(np.argsort(values)) + 1.0 for values in submissions.values()]
    of_ranks = compared("pearson", np.argsort(np.argsort(gold)) + 1.0, ranks, f"exchange({ALL})")
    of_answers = compared("spearman", gold, list(submissions.values()), f"exchange({ALL})")
    assert [each.p for each in of_answers] == pytest.approx([each.p for each in of_ranks])


def test_documents_are_exchanged_whole():
    gold, submissions = made()
    documents = [f"d{i // 10}" for i in range(60)]
    found = qeframe.compare("pearson", gold, submissions, groups=documents, test=f"exchange({ALL})", correction="none")
    assert {each.least_p for each in found} == {2 / 2**6}
    assert all(float(each.p * 2**6).is_integer() for each in found)


def test_the_default_is_the_larger_p_and_where_one_is_perfect_the_exchange():
    gold, submissions = made()
    given_ = (gold, [*submissions.values(), 3 * gold + 1])
    default = compared("pearson", *given_, "default", "default")
    smooth, swapped = (compared("pearson", *given_, test) for test in ("jackknife", "exchange"))
    for each, t, x in zip(default, smooth, swapped, strict=True):
        assert each.test == "jackknife_and_exchange"
        assert each.p == (x.p if np.isnan(t.p) else max(t.p, x.p))
        assert each.p_adjusted >= each.p
    perfect = [each for each in default if "3" in (each.a, each.b)]
    assert all(each.reason.startswith(BY_EXCHANGE) and each.p_adjusted < 0.01 for each in perfect)


def test_equal_and_constant_submissions():
    gold, submissions = made()
    (equal,) = compared("pearson", gold, [submissions["A"], submissions["A"]], "default", "default")
    assert (equal.p, equal.p_adjusted, equal.significant) == (1, 1, False)
    (constant,) = compared("pearson", gold, [submissions["A"], np.ones(60)], "default", "default")
    assert np.isnan(constant.p)
    (undefined,) = compared("mae", gold, [gold, gold], "default", "default")
    assert undefined.p == 1


def test_where_an_exchange_binds_the_metric_again_the_default_is_the_jackknife_alone():
    rng = np.random.default_rng(5)
    gold = rng.normal(size=(30, 4))
    batches = {
        name: Grid.from_plain(gold, gold + noise * rng.normal(size=gold.shape))
        for name, noise in zip("ab", (1, 3), strict=True)
    }
    default, smooth, swapped = (
        qeframe.compare("tau_b", None, batches, test=test, correction="none")[0]
        for test in ("default", "jackknife", "exchange")
    )
    assert default.p == smooth.p
    assert (default.by, default.least_p) == ("jackknife alone", 0)
    assert default.reason.startswith(f"{BY_JACKKNIFE}the metric would be bound again")
    assert swapped.p > smooth.p  # or the larger p would be the same


def test_segments_of_grids_are_exchanged_by_documents():
    rng = np.random.default_rng(2)
    gold = rng.normal(size=(20, 4))
    batches = {name: Grid.from_plain(gold, gold + rng.normal(size=gold.shape)) for name in "ab"}
    documents = [f"d{i // 4}" for i in range(20)]
    (found,) = qeframe.compare(
        "pairwise_accuracy", None, batches, groups=documents, test=f"exchange({ALL})", correction="none"
    )
    assert found.least_p == 2 / 2**5
    assert float(found.p * 2**5).is_integer()


@pytest.mark.filterwarnings("ignore::qeframe.core.errors.ResultWarning")
def test_each_pair_says_which_test_gave_its_p() -> None:
    rng = np.random.default_rng(5)
    gold = rng.normal(size=60)
    answers = {f"s{i}": gold + (0.5 + 0.2 * i) * rng.normal(size=60) for i in range(6)} | {"perfect": gold}
    found = qeframe.compare("pearson", gold, answers | {"again": answers["s5"]})
    assert {"jackknife", "exchange", "both", "exchange alone"} == {pair.by for pair in found}
    for pair in found:
        assert pair.p == np.nanmax([*pair.p_of.values()])
        assert (pair.by == "exchange alone") == ("perfect" in (pair.a, pair.b)) == pair.reason.startswith(BY_EXCHANGE)
        assert (pair.by == "both") == ({pair.a, pair.b} == {"s5", "again"})
        record = pair.to_plain()
        assert (record["by"], set(record["p_of"])) == (pair.by, {"jackknife", "exchange"})
    (alone,) = qeframe.compare("mae", gold, {"a": answers["s0"], "b": answers["s5"]}, test="jackknife")
    assert (alone.by, alone.p_of) == ("", {})
    assert "by" not in alone.to_plain()
