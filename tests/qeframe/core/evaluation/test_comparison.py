from typing import Any

import attrs
import numpy as np
import pandas
import pytest

import qeframe
from qeframe.core.comparison import ComparisonRules, adjusted_pairs, least_adjusted, run_and_adjust, score_contest
from qeframe.core.errors import ResultWarning
from qeframe.core.registry import Registry
from qeframe.plugin import CapabilityError, Correction, DataError, Grid, Metric, Pairwise, SignificanceTest
from tests.outcome import failure
from tests.qeframe.core.evaluation.made_contests import in_task

RNG = np.random.default_rng(12)
GOLD = RNG.normal(size=40)
GOOD, POOR, NOISE = (GOLD + RNG.normal(scale=s, size=40) for s in (0.2, 1.0, 4.0))
THREE = {"noise": NOISE, "good": GOOD, "poor": POOR}


@pytest.mark.parametrize(("metric", "sign"), [("pearson", 1), ("mae", -1)])
def test_every_pair_once_the_better_first(metric: str, sign: int) -> None:
    found = qeframe.compare(metric, GOLD, THREE)
    assert [(c.a, c.b) for c in found] == [("good", "poor"), ("good", "noise"), ("poor", "noise")]
    for c in found:
        difference = qeframe.score(metric, GOLD, THREE[c.a]) - qeframe.score(metric, GOLD, THREE[c.b])
        assert c.difference == pytest.approx(difference, abs=1e-12)
        assert sign * c.difference > 0
        assert (c.metric, c.task, c.sided) == (metric, "", "two")


def test_p_values_are_corrected_over_the_family(registry: Registry) -> None:
    for name in registry.names(Correction):
        found = qeframe.compare("mae", GOLD, THREE, correction=name)
        p = np.array([c.p for c in found])
        correction = registry.get(Correction, name)
        if correction.adjust_jointly is None:
            assert [c.p_adjusted for c in found] == list(correction.adjust(p))
        else:
            assert all(0 < c.p_adjusted <= 1 for c in found)
        assert [c.significant for c in found] == [c.p_adjusted < 0.05 for c in found]


def test_a_family_has_the_pairs_that_were_tested_and_is_controlled_on_two_sides(registry: Registry) -> None:
    contest, test = in_task(registry, "mae", GOLD, list(THREE.values())), registry.get(SignificanceTest, "jackknife")
    rules = ComparisonRules(test=test, correction=registry.get(Correction, "bonferroni"))
    adjusted = adjusted_pairs(contest, Pairwise(p=np.array([0.01, np.nan, 0.2])), rules)
    np.testing.assert_array_equal(adjusted, [0.02, np.nan, 0.4])
    assert [attrs.evolve(rules, sided=side).controls_any_error for side in ("two", "one")] == [True, False]
    assert least_adjusted(rules.correction, 0.01, 3, 2) == pytest.approx(0.06)
    assert least_adjusted(registry.get(Correction, "romano_wolf"), 0.01, 3, 2) == 0.02, "of joint draws"


def test_an_undefined_score_has_no_interval_of_draws_that_are_defined(registry: Registry) -> None:
    def interval(contest: Any, alpha: float) -> Any:
        return np.zeros(2), np.ones(2), np.empty((0, 2))

    test = attrs.evolve(registry.get(SignificanceTest, "jackknife"), interval=interval)
    scored = score_contest(in_task(registry, "pearson", GOLD, [GOOD, np.zeros(40)]), test, 0.95)
    assert np.isnan([scored.low, scored.high]).tolist() == [[False, True], [False, True]]


@pytest.mark.parametrize("families", [1, 2, 3])
def test_several_families_count_after_more_draws_too(registry: Registry, families: int) -> None:
    """Each adjusted p is multiplied by their number, whether the family draws on near alpha or does not."""
    contest = in_task(registry, "mae", GOLD, list(THREE.values()))

    def of(p: float) -> SignificanceTest:
        return attrs.evolve(
            registry.get(SignificanceTest, "sign"), run=lambda contest, sided: Pairwise(p=np.full(3, p)), more=None
        )

    correction = registry.get(Correction, "none")
    for first, near in ((0.05 / families, True), (0.2, False)):
        rules = ComparisonRules(
            test=attrs.evolve(of(first), more=of(0.01)), correction=attrs.evolve(correction, more=correction)
        )
        used, pairwise, adjusted = run_and_adjust(contest, rules, families=families)
        p = 0.01 if near else first
        assert (used is not rules, pairwise.p.tolist()) == (near, [p] * 3)
        assert adjusted == pytest.approx(families * p)


def test_the_threshold_is_strict_unless_said_otherwise() -> None:
    """Three exchanges of one sign: the exact p is .25."""
    options: dict[str, Any] = {"test": "randomization", "correction": "none", "alpha": 0.25}
    pair = {"A": [1.0, 1.0, 1.0], "B": [0.0, 0.0, 0.0]}
    (strict,) = qeframe.compare("mean", None, pair, **options)
    (lenient,) = qeframe.compare("mean", None, pair, **options, strict=False)
    assert (strict.p, strict.significant, lenient.significant) == (0.25, False, True)


def test_equal_seeds_give_equal_p_values() -> None:
    near = {"poor": POOR, "poorer": POOR + GOOD / 10}
    one, again, other = (qeframe.compare("rmse", GOLD, near, seed=seed) for seed in (3, 3, 4))
    assert one == again
    assert one != other


def test_sides() -> None:
    two, one = (qeframe.compare("pearson", GOLD, THREE, test="williams", sided=s)[0] for s in ("two", "one"))
    assert one.p == pytest.approx(two.p / 2)
    with pytest.raises(CapabilityError, match="is one-sided, not two-sided"):
        qeframe.compare("pearson", GOLD, THREE, test="bootstrap(p=koehn)", sided="two")
    assert qeframe.compare("pearson", GOLD, THREE, test="bootstrap(p=koehn)")[0].sided == "one"


def test_a_metric_without_what_a_test_needs_is_told_why() -> None:
    assert failure(CapabilityError, qeframe.compare, "mae", GOLD, THREE, test="williams") == (
        "test 'williams' needs a correlation of two vectors, which metric 'mae' is not; "
        "tests that resample (need 'bind') or exchange units (need 'exchange') work for every metric"
    )
    with pytest.raises(
        CapabilityError, match="test 't_test' needs a mean of one value per unit, which metric 'rmse' is not"
    ):
        qeframe.compare("rmse", GOLD, THREE, test="t_test")


def test_a_third_party_correlation_has_williams_test_for_nothing(registry: Registry) -> None:
    mine = attrs.evolve(registry.get(Metric, "spearman"), name="mine")
    assert [c.p for c in qeframe.compare(mine, GOLD, THREE, test="williams")] == [
        c.p for c in qeframe.compare("spearman", GOLD, THREE, test="williams")
    ]


def test_submissions_must_be_two_on_the_same_units() -> None:
    with pytest.raises(DataError, match="1 submission cannot be compared; give at least two"):
        qeframe.compare("mae", GOLD, {"A": GOOD})
    assert "length mismatch" in failure(DataError, qeframe.compare, "mae", GOLD, {"A": GOOD, "B": GOOD[:-1]})
    with pytest.raises(DataError, match="'B' has 2 units, 'A' has 3"):
        qeframe.compare("mean", None, {"A": [1, 2, 3], "B": [1, 2]})


def test_an_undefined_score_has_no_p_and_is_never_better(registry: Registry) -> None:
    constant = np.zeros(40)
    for test in registry.names(SignificanceTest):
        if registry.get(SignificanceTest, test).needs in {"outcomes", "per_unit", "grid"}:
            continue
        (pair,) = qeframe.compare("pearson", GOLD, {"constant": constant, "noise": NOISE}, test=test)
        assert (pair.a, pair.b) == ("noise", "constant")
        assert np.isnan([pair.p, pair.p_adjusted, pair.difference]).all(), test
        assert not pair.significant


@pytest.mark.parametrize("correction", ["holm", "romano_wolf"])
def test_resampling_one_unit_is_undefined(registry: Registry, correction: str) -> None:
    gold = np.array([[0.0, 1.0, 2.0, 4.0], [1.0, 0.0, 3.0, 4.0]])
    answers = {"a": gold + [0, 0.1, 0, 0], "b": gold + [0, 2, 0, 0]}

    def rows(count: int) -> dict[str, Grid]:
        ids = np.arange(count)
        return {name: Grid(ids=ids, gold=gold[ids], predicted=scores[ids]) for name, scores in answers.items()}

    rules: Any = {"test": "bootstrap(draws=50)", "correction": correction}
    one, two = rows(1), rows(2)
    for found in qeframe.compare("system_pearson", None, one, **rules):
        assert np.isnan([found.p, found.p_adjusted]).all()
        assert not found.significant
        assert found.reason.startswith("there are fewer than two units to resample")
    assert all(0 < c.p <= 1 and not c.reason for c in qeframe.compare("system_pearson", None, two, **rules))


BOTH = ("jackknife_and_exchange", "romano_wolf_and_max_t")


def near_alpha() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return submissions of which a pair has an adjusted p of .058 by 1,000 draws."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    return gold, {f"s{i}": gold + (0.8 + 0.12 * i) * rng.normal(size=40) for i in range(3)}


def by_draws(draws: int, *given: Any, **options: Any) -> list[Any]:
    test, correction = (f"{name}(draws={draws})" for name in BOTH)
    return list(qeframe.compare(*given, test=test, correction=correction, **options))


def numbers(found: list[Any]) -> list[tuple[float, float, float]]:
    return [(pair.p, pair.p_adjusted, pair.least_p) for pair in found]


def test_a_family_near_alpha_draws_on_and_named_draws_do_not():
    given = ("pearson", *near_alpha())
    few, many = by_draws(1000, *given), by_draws(10_000, *given)
    assert [0.03 <= pair.p_adjusted <= 0.07 for pair in few] == [False, True, False]
    found = qeframe.compare(*given)
    assert numbers(found) == numbers(many)
    assert numbers(few) != numbers(many)
    assert {pair.least_p for pair in few} == {1 / 1001}
    assert {pair.test for pair in found} == {BOTH[0]}
    far = by_draws(1000, *given, alpha=0.01)
    assert numbers(qeframe.compare(*given, alpha=0.01)) == numbers(far), "no adjusted p lies within .006 and .014"


def test_many_answers_do_not_draw_on(monkeypatch):
    gold, submissions = near_alpha()
    few = by_draws(1000, "pearson", gold, submissions)
    for module in ("qeframe.api.arrays.comparing", "qeframe.assembly.evaluate"):
        monkeypatch.setattr(f"{module}.MOST_ANSWERS", 3 * len(gold) - 1)
    assert numbers(qeframe.compare("pearson", gold, submissions)) == numbers(few)
    frame = pandas.DataFrame({"gold": gold, **submissions})
    task = qeframe.tasks_from_frame(frame, submissions=list(submissions))
    evaluation = qeframe.evaluate("qe_sentence", task)
    assert evaluation.signature.draws == "1000"
    assert {pair.least_p for pair in evaluation.comparisons} == {1 / 1001}
    monkeypatch.setattr("qeframe.assembly.evaluate.MOST_ANSWERS", 3 * len(gold))
    assert qeframe.evaluate("qe_sentence", task).signature.draws == "1000+10000"


def test_both_or_none_have_more_draws(registry: Registry):
    given = ("pearson", *near_alpha())
    for options in ({"test": f"{BOTH[0]}(draws=1000)"}, {"correction": f"{BOTH[1]}(draws=1000)"}):
        assert {pair.least_p for pair in qeframe.compare(*given, **options)} == {1 / 1001}
    rules = ComparisonRules(
        test=registry.get(SignificanceTest, BOTH[0]), correction=registry.get(Correction, BOTH[1]), adaptive=False
    )
    assert rules.with_more_draws is None
    more = attrs.evolve(rules, adaptive=True).with_more_draws
    assert more is not None
    assert (more.test.name, more.correction.name, more.test.least_p) == (*BOTH, 1 / 10_001)
    last = more.with_more_draws
    assert last is not None
    assert (last.test.least_p, last.with_more_draws) == (1 / 100_001, None)
    assert [rules.is_near(np.array([0.5, p])) for p in (0.029, 0.031, 0.069, 0.071, np.nan)] == [
        False, True, True, False, False,
    ]  # fmt: skip


def test_a_family_of_several_metrics_is_near_alpha_by_its_own_adjusted_p():
    pearson, mae = qeframe.compare(*(["pearson", "mae"], *near_alpha()))
    for found, metric in ((pearson, "pearson"), (mae, "mae")):
        few, many = (by_draws(draws, metric, *near_alpha()) for draws in (1000, 10_000))
        near = any(0.03 <= 2 * pair.p_adjusted <= 0.07 for pair in few)
        used = many if near else few
        assert [pair.p_adjusted for pair in found] == [min(1.0, 2 * pair.p_adjusted) for pair in used]


def test_the_factor_of_several_metrics_stays_where_a_family_draws_on():
    """At this alpha an adjusted p of the first 1,000 draws, twice that of one metric, is just at it."""
    few, many = (by_draws(draws, "pearson", *near_alpha()) for draws in (1000, 10_000))
    alpha = 2 * few[1].p_adjusted
    pearson, _ = qeframe.compare(["pearson", "mae"], *near_alpha(), alpha=alpha)
    assert numbers(pearson) != numbers(few)
    assert [pair.p_adjusted for pair in pearson] == [min(1.0, 2 * pair.p_adjusted) for pair in many]


def by_default(units=60, gap=2.0, **rules):
    rng = np.random.default_rng(8)
    gold = rng.normal(size=units)
    answers = {"near": gold + 0.2 * rng.normal(size=units), "far": gold + gap * rng.normal(size=units)}
    return qeframe.compare("pearson", gold, answers, **rules)


def test_a_family_of_one_pair_is_not_corrected():
    for gap in (0.21, 0.25, 0.3, 0.5):
        (pair,) = by_default(gap=gap)
        assert pair.p_adjusted == pair.p


def test_draws_go_on_until_they_can_reach_alpha():
    for alpha, least in ((0.05, 1 / 1001), (0.0005, 1 / 10_001), (0.00005, 1 / 100_001)):
        pairs = by_default(alpha=alpha)
        (pair,) = pairs
        assert pair.least_p == least
        assert pair.significant
        assert not any("no difference can be significant" in text for text in pairs.warnings)
    with pytest.warns(ResultWarning, match="no difference can be significant: the smallest p of jackknife_and"):
        (pair,) = by_default(alpha=1e-6)
    assert (pair.p, pair.significant) == (1 / 100_001, False)
