"""Correlations against scipy and repeated units."""

import warnings
from collections.abc import Callable
from pathlib import Path

import attrs
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

import qeframe
from qeframe.core.batch import FloatArray
from qeframe.core.errors import DataError
from qeframe.core.exchange import RecomputedExchange
from qeframe.core.metric import Metric
from qeframe.core.profile import Profile
from qeframe.core.profile_checks import chosen_test
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.task import Submission, Task
from qeframe.data.align import align
from qeframe.plugin import Scores, Values
from qeframe.plugin.resampling import ExchangeByWeights
from qeframe.testing import scores_batches
from qeframe_scoring import delta_average, kendall_tau_b, kendall_tau_c
from qeframe_scoring.delta_average import _SMALL, _kept, _kept_of_large, cumulated_coefficients
from qeframe_scoring.kendall_tau import TauExchange
from qeframe_scoring.mean_errors import mean_rating
from tests.examples import FEWER
from tests.registered import REGISTRY


@settings(max_examples=50)
@given(scores_batches(max_units=30))
def test_against_scipy_and_scikit_learn(batch: Scores) -> None:
    gold, predicted = batch.gold, batch.predicted
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "pearson": scipy.stats.pearsonr(gold, predicted).statistic,
            "spearman": scipy.stats.spearmanr(gold, predicted).statistic,
            "mae": mean_absolute_error(gold, predicted),
            "rmse": root_mean_squared_error(gold, predicted),
        }
    for name, value in expected.items():
        assert qeframe.score(name, batch, None) == pytest.approx(value, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9])
def test_correlations_of_large_samples(offset: float) -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=500)
    predicted = offset + gold + rng.normal(size=500)
    assert qeframe.score("pearson", gold, predicted) == pytest.approx(
        scipy.stats.pearsonr(gold, predicted).statistic, abs=1e-6 if offset > 1e8 else 1e-9
    )


@pytest.mark.parametrize("metric", ["pearson", "spearman", "mae", "rmse", "delta_avg", "mean"])
def test_the_largest_numbers_overflow_nowhere(metric: str) -> None:
    """A warning would be an error here; sums of squares and products of 1e100 are finite."""
    gold = np.array([-1e100, 1e100, 5e99, 1.0, -3.0, 7e99])
    answers = {"A": gold[::-1].copy(), "B": gold / 2, "C": np.arange(6.0)}
    able = {"mae": ["wilcoxon", "t_test(welch=true)"], "pearson": ["williams"], "mean": ["t_test"]}
    for test in ["bootstrap(draws=40)", "randomization(draws=40)", *able.get(metric, [])]:
        for pair in qeframe.compare(metric, gold, answers, test=test):
            assert np.isfinite(pair.difference)
    profile = Profile(reader="none", primary=metric, interval="bootstrap(draws=40, interval=bca)", test="")
    batches = {Submission(name): Scores.from_plain(gold, of) for name, of in answers.items()}
    for submission in qeframe.evaluate(profile, Task(name="huge", batches=batches)).submissions:
        assert np.isfinite(submission.scores[metric].value)


def delta_by_definition(gold_in_order: list[float]) -> float:
    """D_n is the mean over i < n of the mean of the first i quantiles, minus the mean of all; DeltaAvg their mean."""
    total = len(gold_in_order)
    mean = sum(gold_in_order) / total
    per_n = []
    for n in range(2, total // 2 + 1):
        size = total // n
        tops = []
        for i in range(1, n):
            first = gold_in_order[: i * size]
            tops.append(sum(first) / len(first) - mean)
        per_n.append(sum(tops) / len(tops))
    return sum(per_n) / len(per_n) if per_n else 0.0


def averaged_over_ties(gold: FloatArray, predicted: FloatArray) -> list[float]:
    """Return the gold in ascending order of the prediction, each tied block replaced by its mean."""
    order = np.argsort(predicted, kind="stable")
    return [float(gold[predicted == predicted[unit]].mean()) for unit in order]


@given(scores_batches(max_units=17))
def test_delta_avg_is_its_definition(batch: Scores) -> None:
    order = np.argsort(batch.predicted, kind="stable")
    raw = qeframe.score("delta_avg(ties=input, signed=raw)", batch, None)
    assert raw == pytest.approx(delta_by_definition(list(batch.gold[order])), abs=1e-9)
    perl = qeframe.score("delta_avg(replicate=perl, best=low)", batch, None)
    assert perl == pytest.approx(abs(raw), abs=1e-12)
    low = -delta_by_definition(averaged_over_ties(batch.gold, batch.predicted))
    assert qeframe.score("delta_avg(best=low)", batch, None) == pytest.approx(low, abs=1e-9)
    high = delta_by_definition(averaged_over_ties(batch.gold, -batch.predicted))
    assert qeframe.score("delta_avg(best=high)", batch, None) == pytest.approx(high, abs=1e-9)
    declared = qeframe.score("delta_avg", batch, None)
    assert declared == pytest.approx(high if batch.best == "high" else low, abs=1e-9)


def test_averaged_ties_are_the_mean_over_all_orders() -> None:
    from itertools import permutations

    gold, predicted = np.array([3.0, 1.0, 7.0, 2.0, 5.0]), np.array([1.0, 1.0, 2.0, 1.0, 2.0])
    orders = [
        delta_by_definition([*gold[list(low)], *gold[list(high)]])
        for low in permutations([0, 1, 3])
        for high in permutations([2, 4])
    ]
    assert qeframe.score("delta_avg(best=low)", gold, predicted) == pytest.approx(-np.mean(orders), abs=1e-12)


@pytest.mark.parametrize("units", [4, 5, 9, 100, 257, 1001])
def test_coefficients_of_larger_batches(units: int) -> None:
    gold = np.random.default_rng(units).normal(size=units)
    expected = delta_by_definition(list(gold))
    found = float(np.diff(cumulated_coefficients(units)) @ gold) - float(gold.mean())
    assert found == pytest.approx(expected, abs=1e-10)


def test_delta_avg_needs_whole_weights() -> None:
    statistic = REGISTRY.get(Metric, "delta_avg").bind(Scores.from_plain([1, 2, 3, 4], [1, 2, 3, 4]))
    for wrong in ([0.5, 1, 1, 1], [-1, 1, 1, 1]):
        with pytest.raises(ValueError, match="weights must be whole numbers, none negative"):
            statistic(np.array(wrong))
    assert np.isnan(statistic(np.zeros(4)))


def test_delta_avg_exchanges_the_units_of_two_submissions() -> None:
    """An exchange that takes long is not the default; in input order a tie has none but that of swapped answers."""
    rng = np.random.default_rng(0)
    batches = [Scores.from_plain(rng.integers(0, 9, 20) / 2, rng.integers(0, 9, 20)) for _ in range(3)]
    metric, apart = (REGISTRY.get(Metric, name) for name in ("delta_avg(best=high)", "delta_avg(ties=input)"))
    batches = [attrs.evolve(batch, gold=batches[0].gold) for batch in batches]
    given = rng.integers(0, 2, (9, 20)), *np.triu_indices(3, 1)
    expected = RecomputedExchange(batches, metric.bind)(*given)
    assert metric.exchange is not None
    assert metric.exchange(batches)(*given) == pytest.approx(expected, abs=1e-12)
    assert chosen_test("default", metric, REGISTRY).name == "bootstrap_t"
    assert apart.exchange is None


@pytest.mark.parametrize("best", ["low", "high"])
def test_the_raw_sign_says_that_lower_is_better(best: str) -> None:
    """In ascending order of the prediction a good ranking has the low gold values first, whichever end is good."""
    gold = np.arange(12.0)
    shuffled = np.random.default_rng(2).permutation(12).astype(float)
    for name in (f"delta_avg(best={best})", f"delta_avg(best={best}, signed=raw)"):
        (pair,) = qeframe.compare(name, gold, {"A": shuffled, "B": gold}, test="randomization(draws=50)")
        assert (pair.a, pair.b) == ("B", "A"), name
    registry = qeframe.load()
    assert not registry.get(Metric, "delta_avg(signed=raw)").higher_is_better
    assert registry.get(Metric, "delta_avg(signed=raw, replicate=perl)").higher_is_better


def test_coefficients_that_are_kept_take_little_memory() -> None:
    assert _kept.cache_info().maxsize * (_SMALL + 1) * 8 < 2**26
    assert _kept_of_large.cache_info().maxsize <= 4
    assert (cumulated_coefficients(_SMALL + 1)[:2] >= 0).all()
    assert cumulated_coefficients(_SMALL + 1) is cumulated_coefficients(_SMALL + 1)


NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "mae": "mae",
    "rmse": "rmse",
    "delta_avg_signed": "delta_avg(ties=input, signed=raw)",
    "delta_avg": "delta_avg(replicate=perl)",
}
"""The words of the golden file, and what they are called here: its DeltaAvg is that of the old scripts, with ties in
input order, raw or absolute. Ours averages over the orders of ties and is positive for a good ranking."""


def test_sentence_level(cases_of) -> None:
    """Every number of every case, to 1e-12."""
    seen = 0
    for case in cases_of("sentence_level"):
        gold, predicted = (list(map(float, case["input"][side])) for side in ("gold", "pred"))
        if "raises" in case["expected"]:
            # the scripts refuse a single value for all: see `test_a_single_unit`
            for name in NAMES.values() if len(gold) != 1 else ["pearson", "spearman"]:
                with pytest.raises(ValueError, match=case["expected"]["message"]):
                    qeframe.score(name, gold, predicted)
            seen += 1
            continue
        expected = case["expected"]["value"]
        assert set(expected) == set(NAMES), case["id"]
        for word, value in expected.items():
            found = qeframe.score(NAMES[word], gold, predicted)
            assert found == pytest.approx(float(value), rel=1e-12, abs=1e-12, nan_ok=True), (case["id"], word)
            seen += 1
    assert seen == 3 + 5 * len(NAMES)


def test_a_single_unit():
    """An error is that of the unit; a correlation needs more."""
    assert qeframe.score("mae", [1], [3]) == qeframe.score("rmse", [1], [3]) == mean_absolute_error([1], [3]) == 2
    assert qeframe.score("brier", [1], [0.5]) == 0.25
    for name in ("pearson", "spearman", "kendall_tau_b", "kendall_tau_c"):
        with pytest.raises(DataError, match=f"too few values: '{name}' is undefined on a single one; at least 2"):
            qeframe.score(name, [1], [3])


def test_without_ties_the_default_is_the_absolute_value_of_the_scripts(cases_of) -> None:
    """Where a ranking is good and predictions are not tied, the three readings of DeltaAvg differ by sign only."""
    compared = 0
    for case in cases_of("sentence_level"):
        predicted = case["input"]["pred"]
        if "raises" in case["expected"] or len(set(predicted)) < len(predicted):
            continue
        found = qeframe.score("delta_avg", case["input"]["gold"], predicted)
        assert found == pytest.approx(case["expected"]["value"]["delta_avg"], abs=1e-12), case["id"]
        compared += 1
    assert compared == 3


def test_ties_are_averaged_by_design(cases_of) -> None:
    """On a constant prediction of sorted gold the scripts see a good ranking, the default sees none."""
    (case,) = (c for c in cases_of("sentence_level") if c["id"] == "r02_constant_pred")
    assert case["expected"]["value"]["delta_avg"] == pytest.approx(0.15)
    assert qeframe.score("delta_avg", case["input"]["gold"], case["input"]["pred"]) == pytest.approx(0, abs=1e-15)


def test_wmt14_task_1_2(cases_of, shared_data: Callable[[str], Path], registry: Registry) -> None:
    """Five scores of every submission of the real table."""
    (case,) = (c for c in cases_of("wmt14_task1.2") if c["id"] == "task12")
    task = read_task(shared_data("wmt14-qe-task1.2"), case["input"]["file"], registry)
    words = {
        "r": "pearson",
        "spearman": "spearman",
        "mae": "mae",
        "rmse": "rmse",
        "delta_avg": "delta_avg(replicate=perl)",
    }
    assert set(task) == set(case["expected"]["value"])
    for name, batch in task.items():
        expected = case["expected"]["value"][name]
        for word, metric in words.items():
            found = qeframe.score(metric, batch, None)
            assert found == pytest.approx(expected[word], rel=1e-10), (name, word)


def read_task(folder: Path, file: str, registry: Registry) -> dict[str, Scores]:
    reading = registry.get(Reader, "graham_table").read(folder / file, "low")[0]
    batches = align(reading).batches
    return {submission.name: batch for submission, batch in batches.items() if isinstance(batch, Scores)}


# --- numbers that stand in the sources, checked by hand -------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "predicted", "expected"),
    [
        ("delta_avg(best=high)", [6, 5, 4, 3, 2, 1], 1.125),
        ("delta_avg(best=high)", [1, 2, 3, 4, 5, 6], -7 / 6),
        ("delta_avg(best=high, signed=raw)", [1, 2, 3, 4, 5, 6], 1.125),
        ("delta_avg(replicate=perl)", [1, 2, 3, 4, 5, 6], 1.125),
        ("delta_avg(replicate=perl)", [6, 5, 4, 3, 2, 1], 7 / 6),
    ],
)
def test_delta_avg_by_hand(metric: str, predicted: list[int], expected: float) -> None:
    """Gold 5 4 4 3 2 1: the perfect ranking has 1.125, the reversed one -1.1667, which the scripts print as 1.1667."""
    assert qeframe.score(metric, [5, 4, 4, 3, 2, 1], predicted) == pytest.approx(expected, abs=1e-12)


def test_delta_avg_of_the_task_description() -> None:
    """1000 units, half at 4 and half at 2, ranked well: the page says .77."""
    gold = np.repeat([4.0, 2.0], 500)
    assert qeframe.score("delta_avg(best=high)", gold, np.arange(1000)[::-1]) == pytest.approx(0.77085, abs=5e-6)


def test_fewer_than_four_units_have_no_quantiles() -> None:
    assert qeframe.score("delta_avg", [1, 2, 3], [1, 2, 3]) == 0.0


@pytest.mark.parametrize(
    ("scale", "mae", "rmse"), [(1, 0.1385, 0.1736), (0.5, 0.1149, 0.1427), (0.3, 0.1127, 0.1397), (0, 0.1188, 0.1467)]
)
def test_shrinking_games_the_errors_but_not_the_correlation(scale: float, mae: float, rmse: float) -> None:
    """The shape of the published example: errors fall until .3 and rise again at 0; the correlation never moves.

    The printed numbers are of a prediction that is not published; one of the same moments is made here.
    """
    rng = np.random.default_rng(8)
    gold = rng.normal(size=4000)
    noise = rng.normal(size=4000)
    gold -= gold.mean()
    noise -= noise.mean()
    noise -= gold * (noise @ gold) / (gold @ gold)
    gold, noise = (side / np.sqrt((side @ side) / len(side)) for side in (gold, noise))
    predicted = 0.306 * gold + np.sqrt(1 - 0.306**2) * noise
    gold, predicted = gold * 0.1467, predicted * _spread(0.1736)
    assert qeframe.score("rmse", gold, scale * predicted) == pytest.approx(rmse, abs=3e-4)
    assert qeframe.score("mae", gold, scale * predicted) / qeframe.score("rmse", gold, scale * predicted) == (
        pytest.approx(mae / rmse, abs=0.015)
    )
    r = qeframe.score("pearson", gold, scale * predicted)
    assert np.isnan(r) if scale == 0 else r == pytest.approx(0.306, abs=1e-12)


def _spread(rmse: float) -> float:
    """Return the deviation of a prediction of correlation .306 with that RMSE on gold of deviation .1467."""
    b, c = -2 * 0.306 * 0.1467, 0.1467**2 - rmse**2
    return float((-b + np.sqrt(b * b - 4 * c)) / 2)


def test_rounded_errors_change_the_figures_on_a_small_scale_only() -> None:
    gold, predicted = [0.0, 0.0], [0.004, 0.006]
    assert qeframe.score("mae(replicate=perl)", gold, predicted) == pytest.approx(0.005)
    assert qeframe.score("rmse(replicate=perl)", gold, predicted) == pytest.approx(np.sqrt(0.01**2 / 2))
    assert qeframe.score("mae(replicate=perl)", [0.0, 0.0], [12.0, 3.0]) == 7.5


def test_ordinal_spearman_is_the_formula_for_data_without_ties() -> None:
    """1 - 6 sum d^2 / (n (n^2 - 1)) with ranks in input order, as the old scripts had it."""
    gold, predicted = [0.1, 0.3, 0.3, 0.2, 0.3], [5.0, 1.0, 2.0, 2.0, 9.0]
    ranks_gold, ranks_predicted = np.array([1, 3, 4, 2, 5]), np.array([4, 1, 2, 3, 5])
    expected = 1 - 6 * ((ranks_gold - ranks_predicted) ** 2).sum() / (5 * 24)
    assert qeframe.score("spearman(ties=ordinal)", gold, predicted) == pytest.approx(expected, abs=1e-15)


def test_units_without_a_rating_are_left_out():
    batch = Values.pair(ids=np.arange(4), gold=None, predicted=np.array([80.0, np.nan, 60.0, 70.0]), best="high")
    statistic = mean_rating.bind(batch)
    assert statistic(np.ones(4)) == 70.0
    assert statistic(np.array([[2.0, 5.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])).tolist()[0] == 80.0
    assert np.isnan(statistic(np.array([0.0, 1.0, 0.0, 0.0])))


VARIANTS = {"b": kendall_tau_b, "c": kendall_tau_c}


def pair_by_pair(batch):
    surplus = untied_gold = untied_predicted = 0
    for i in range(len(batch)):
        for j in range(i):
            gold, predicted = np.sign(batch.gold[i] - batch.gold[j]), np.sign(batch.predicted[i] - batch.predicted[j])
            surplus += gold * predicted
            untied_gold, untied_predicted = untied_gold + abs(gold), untied_predicted + abs(predicted)
    if not untied_gold or not untied_predicted:
        return {"b": np.nan, "c": np.nan}
    fewer = min(len(set(batch.gold)), len(set(batch.predicted)))
    by_c = 2 * surplus / (len(batch) ** 2 * (fewer - 1) / fewer)
    return {"b": surplus / np.sqrt(untied_gold * untied_predicted), "c": by_c}


@pytest.mark.parametrize("variant", VARIANTS)
@FEWER
@given(batch=scores_batches(max_units=12))
def test_pairs_are_counted(variant, batch):
    assert qeframe.score(VARIANTS[variant], batch, None) == pytest.approx(
        pair_by_pair(batch)[variant], nan_ok=True, abs=1e-12
    )


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("units", [2, 3, 50, 777])
def test_scipy_agrees(variant, units):
    rng = np.random.default_rng(units)
    gold = rng.integers(0, units, units) + 0.0
    for predicted in (rng.random(units), np.round(gold + 9 * rng.standard_normal(units)), -gold):
        found = qeframe.score(VARIANTS[variant], gold, predicted)
        assert found == pytest.approx(kendalltau(gold, predicted, variant=variant).statistic, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("units", [2, 3, 9, 100, 1001])
@pytest.mark.parametrize("values", [1, 2, 9, 10_000])
def test_quadratic_forms_are_the_exchange_through_weights(variant, units, values, monkeypatch):
    rng = np.random.default_rng(units + values)
    gold, *answers = rng.integers(0, values, (4, units)).astype(float)
    batches = [Scores.from_plain(gold, each) for each in (*answers, gold)]
    masks = rng.integers(0, 2, (20, units)).astype(np.uint8)
    masks[0], masks[1] = 0, 1
    first, second = np.array([0, 0, 1, 3]), np.array([1, 2, 2, 0])
    metric = VARIANTS[variant]
    general = ExchangeByWeights(metric.bind)(batches)(masks, first, second)
    by_forms = metric.exchange(batches)
    assert isinstance(by_forms, TauExchange)
    for _ in range(2):  # forms are made, then found
        assert np.array_equal(by_forms(masks, first, second), general, equal_nan=True)
    monkeypatch.setattr("qeframe_scoring.kendall_tau._MOST_BYTES", 0)
    assert np.array_equal(metric.exchange(batches)(masks, first, second), general, equal_nan=True)


def test_many_units_and_other_golds_are_exchanged_through_weights():
    one, other = Scores.from_plain([1.0, 2.0], [1.0, 3.0]), Scores.from_plain([1.0, 3.0], [1.0, 3.0])
    many = Scores.from_plain(np.arange(4001.0), np.arange(4001.0))
    assert not isinstance(kendall_tau_b.exchange([one, other]), TauExchange)
    assert not isinstance(kendall_tau_b.exchange([many, many]), TauExchange)


NUMBERS = st.floats(-100, 100)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=9))
def test_agrees_with_a_loop(pairs):
    total = 0.0
    for before, after in pairs:
        total += after - before
    assert qeframe.score("quality_gain", *zip(*pairs, strict=True)) == pytest.approx(total / len(pairs), abs=1e-9)


def test_what_it_rewards():
    before = [0.5, 0.7, 0.6, 0.8]
    assert qeframe.score("quality_gain", before, before) == 0  # doing nothing
    assert qeframe.score("quality_gain", before, [0.8, 0.7, 0.6, 0.8]) == pytest.approx(0.075)  # a single segment
    assert qeframe.score("quality_gain", before, [0.9] * 4) == pytest.approx(
        0.25
    )  # rewritten for the metric, whatever it says
    assert qeframe.score("quality_gain", before, [0.5, 0.6, 0.6, 0.8]) < 0


def test_nothing_without_units():
    batch = Scores.from_plain([1, 2], [1, 2])
    assert np.isnan(delta_average.quality_gain.bind(batch)(np.zeros(2)))
