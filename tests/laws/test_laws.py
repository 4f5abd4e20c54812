"""Every component of the loaded registry keeps the laws; the laws find those that do not."""

import types
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from typing import Any

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.component import Component
from qeframe.core.errors import DataError
from qeframe.core.metric import CLAIMS, Attack, Metric, TiePolicy
from qeframe.core.ranking import Aggregation, Ranking, RankingInput, RankingRule
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.core.statistic import Additive
from qeframe.kinds.scores.batch import Values
from qeframe.testing import Check, check_metric, check_ranking_rule, check_test, checks_of, parametrize_with_checks
from qeframe.testing.laws.checks import LAWS, components_of
from tests.laws.tries import SLOW, checks_to_try
from tests.registered import REGISTRY

WITH_PARAMETERS: dict[type[Component], list[str]] = {
    Metric: [
        "detection_mcc(at=best)",
        "detection_mcc(at=cross_fitted)",
        "detection_mcc(at=gold_rate)",
        "detection_precision(at=cross_fitted, folds=3)",
        "detection_recall(at=gold_rate)",
        "delta_avg(best=high)",
        "delta_avg(best=low, signed=raw)",
        "delta_avg(ties=input)",
        "delta_avg(replicate=perl)",
        "mae(replicate=perl)",
        "rmse(replicate=perl)",
        "spearman(ties=ordinal)",
        "token_recall_at_k(ties=last)",
        "tail_recall(end=best, share=0.25)",
        "judged_pearson(wins=bradley_terry)",
        "gtm_f(exponent=0.1415)",
        "gtm_f(exponent=2)",
        "gtm_f(exponent=2, matching=exact)",
        "gtm_precision(exponent=1.5, lowercase=true)",
        "gtm_recall(exponent=3, matching=exact)",
        "bleu(tokenize=none, effective_order=true, smoothing=add_k)",
        "chrf(word_order=2)",
        "chrf(epsilon_smoothing=true)",
        "nist(order=2, lowercase=true)",
        "wer(lowercase=true)",
    ],
    SignificanceTest: [
        "bootstrap(p=percentile)",
        "bootstrap(p=koehn)",
        "bootstrap(scheme=poisson, draws=300)",
        "bootstrap(interval=bca)",
        "randomization(draws=300)",
        "t_test(welch=true)",
        "t_test(paired=true)",
    ],
    Aggregation: ["macro(by=document, undefined=drop)", "macro(by=document, undefined=zero)"],
}


def lawful_components() -> list[Component]:
    named = [REGISTRY.get(kind, name) for kind, names in WITH_PARAMETERS.items() for name in names]
    return [*components_of(REGISTRY), *named]


def the_check(component: Component, law: str) -> Check:
    (check,) = (check for check in checks_of(attrs.evolve(component, left_out={})) if check.law.name == law)
    return attrs.evolve(check, shrink=False, presupposed=())


@pytest.mark.parametrize("component", lawful_components(), ids=lambda component: component.name)
def test_laws(component: Component) -> None:
    for check in checks_to_try(component):
        check()


def test_what_is_said_to_be_slow_is_there() -> None:
    assert set(REGISTRY.names(Metric)) >= SLOW


def test_every_class_with_laws_is_checked() -> None:
    checked = {type(component) for component in lawful_components()}
    assert checked == set(LAWS)


LEFT_OUT = [(component, law) for component in lawful_components() for law in component.left_out]


def test_what_leaves_out_a_law() -> None:
    """Replicas of scripts, and attacks that say in words what they take from the gold."""
    assert {component.name for component, _ in LEFT_OUT} == {
        "bootstrap(p=koehn)",
        "delta_avg(replicate=perl)",
        "delta_avg(ties=input)",
        "drop_isolated",
        "pessimistic",
        "quality_gain",  # its gold is the original, so that an index has no scale
        "reversed_ranking",
        "spearman(ties=ordinal)",
    }


@pytest.mark.parametrize(("component", "law"), LEFT_OUT, ids=str)
def test_a_law_that_is_left_out_is_broken(component: Component, law: str) -> None:
    check = the_check(component, law)
    with pytest.raises(AssertionError, match="it makes no claim" if law == "resists" else "counterexample:\n  "):
        check()


MEAN, MAE = REGISTRY.get(Metric, "mean"), REGISTRY.get(Metric, "mae")


def counted(batch: Values) -> Any:
    return np.stack([np.ones(len(batch)), batch.predicted], axis=1)


def mean_of(sums: Any) -> Any:
    return sums[..., 1] / np.maximum(sums[..., 0], 1e-300)


WRONG_METRICS = {
    "bounds": {"bounds": (0.0, 1.0)},
    "workers": {"bind": lambda batch: MEAN.bind(batch), "exchange": lambda batches: _Unsendable()},
    "interval_scale": {"interval_scale": "logit"},
}


class _Unsendable:
    cells = 0

    def __init__(self) -> None:
        self.closure = lambda: None

    def __call__(self, masks: Any, first: Any, second: Any) -> Any:
        return np.ones((len(masks), len(first)))


def test_the_smallest_counterexample_is_told() -> None:
    wrong = attrs.evolve(MEAN, name="wrong", bounds=(0.0, 1.0))
    with pytest.raises(AssertionError) as caught:
        check_metric(wrong, tries=200)
    message = str(caught.value)
    assert message.startswith("score ")
    assert "\nMetric 'wrong' breaks the law 'bounds': no score lies outside the bounds\n" in message
    assert "smallest counterexample:\n  Values(predicted=[" in message


def p_from(compute: Any) -> SignificanceTest:
    from qeframe.core.significance import Pairwise

    def run(contest: Any, sided: str) -> Pairwise:
        first, second = contest.pairs
        oriented = contest.oriented
        return Pairwise(p=np.asarray(compute(oriented[first] - oriented[second], contest, sided), dtype=np.float64))

    return SignificanceTest(name="wrong", summary="", needs="exchange", run=run)


class _Clock:
    ticks = 0

    def __call__(self, difference: Any, contest: Any, sided: str) -> Any:
        _Clock.ticks += 1
        return np.full(len(difference), 1 / (1 + _Clock.ticks % 7))


def later_and_later(batch: Any) -> Any:
    _Clock.ticks += 1
    return Additive(counted(batch) * [1.0, _Clock.ticks], mean_of)


def ends_crossed(contest: Any, confidence: float) -> Any:
    ones = np.ones(len(contest.oriented))
    return ones, -ones, np.zeros((0, len(ones)))


WRONG_TESTS = {
    "symmetry": lambda d, t, s: np.where(d > 0, 0.3, 0.4),
    "complement": lambda d, t, s: np.full(len(d), 0.4),
    "identity": lambda d, t, s: np.full(len(d), 0.4),
    "probability": lambda d, t, s: np.full(len(d), 1.5),
    "never_zero": lambda d, t, s: np.zeros(len(d)),
    "determinism": _Clock(),
    "many_pairs": lambda d, t, s: np.full(len(d), 1 / len(d)),
    "super_uniform": lambda d, t, s: np.where(d == 0, 1.0, 0.01),
    "executors": lambda d, t, s: np.full(len(d), 0.2 if isinstance(_executor(t), ProcessPoolExecutor) else 0.3),
}


def _executor(contest: Any) -> Any:
    return contest.terms[0].sample.runner.executor


WRONG_CORRECTIONS = [
    ("no_smaller", lambda p: p / 2),
    ("no_smaller", lambda p: p * len(p)),
    ("undefined", lambda p: np.nan_to_num(p, nan=1.0)),
    ("undefined", lambda p: np.minimum(1, p * np.isfinite(p).sum())),
    ("monotone", lambda p: np.where(p < 0.02, 1.0, p)),
    ("order", lambda p: np.minimum(1, p * np.arange(1, len(p) + 1))),
]
WRONG_AGGREGATIONS = [
    ("per_draw", lambda s, w, high: s.mean(axis=-1) - s.mean()),
    ("zero_weight", lambda s, w, high: s.mean(axis=-1)),
    ("order", lambda s, w, high: s[..., 0] * 1.0),
    ("scale", lambda s, w, high: (s * w).sum(axis=-1)),
    ("linear", lambda s, w, high: s.max(axis=-1)),
]


def with_weights_of_the_first_draw(scores: Any, weights: Any, high: bool) -> Any:
    first = weights.reshape(-1, weights.shape[-1])[0]
    return scores @ first / first.sum()


def ranked_as_they_come(given: RankingInput) -> Ranking:
    units = np.arange(len(given.oriented))
    return Ranking(rank=units + 1, cluster=np.ones_like(units))


WRONG: list[tuple[str, Component]] = [
    *((law, attrs.evolve(MEAN, name="wrong", **changes)) for law, changes in WRONG_METRICS.items()),
    *((law, p_from(compute)) for law, compute in WRONG_TESTS.items()),
    *((law, Correction(name="wrong", summary="", adjust=adjust)) for law, adjust in WRONG_CORRECTIONS),
    *((law, Aggregation(name="wrong", summary="", aggregate=aggregate)) for law, aggregate in WRONG_AGGREGATIONS),
    *((law, attrs.evolve(MAE, name="wrong", bind=later_and_later)) for law in ("nothing", "subset")),
    ("interval", attrs.evolve(p_from(WRONG_TESTS["identity"]), interval=ends_crossed)),
    ("drawn_parts", Aggregation(name="wrong", summary="", by="document", aggregate=with_weights_of_the_first_draw)),
    ("order", RankingRule(name="wrong", summary="", rank=ranked_as_they_come)),
]


@pytest.mark.parametrize(("law", "wrong"), WRONG, ids=[f"{type(wrong).__name__}-{law}" for law, wrong in WRONG])
def test_a_wrong_component_is_found_out(law: str, wrong: Component) -> None:
    check = the_check(wrong, law)
    with pytest.raises(AssertionError, match=f"{type(wrong).__name__} 'wrong' breaks the law '{law}'"):
        check()


BESIDE = {
    Metric: {
        *("shape", "input", "determinism", "defined", "smooth", "resists", "free_name", "order", "repetition"),
        *("absence", "shards", "degenerate", "broadcasting", "stack", "per_unit", "vectors", "exchange", *CLAIMS),
    },
    TiePolicy: {law.name for law in LAWS[TiePolicy]},
    SignificanceTest: {"shape", "input", "defined", "swap", "size", "free_name"},
    Aggregation: {"shape", "input", "determinism", "defined", "mean_of_parts", "free_name"},
    Correction: {"shape", "input", "determinism", "free_name"},
    RankingRule: {"shape", "input", "determinism", "by_score", "free_name"},
    Attack: {law.name for law in LAWS[Attack]},
}
"""Laws with a wrong component in other tests: of this folder, in tests/mistakes, or in tests/qeframe/testing. The laws
input, determinism and free_name are written once for all classes."""


def test_every_law_has_a_wrong_component_that_is_found_out() -> None:
    planted = {(type(wrong), law) for law, wrong in WRONG}
    assert {(kind, law.name) for kind, laws in LAWS.items() for law in laws if kind in BESIDE} == {
        *planted,
        *((kind, law) for kind, laws in BESIDE.items() for law in laws),
    }


def test_a_strict_count_is_not_super_uniform() -> None:
    """A p-value that counts > instead of >= (as one well-known program does) is refuted by enumeration."""

    def strict(difference: Any, contest: Any, sided: str) -> Any:
        counts, total, _ = contest.count_exchanges(1000, lambda d, _part: np.abs(d) > np.abs(difference) + 1e-12)
        return (counts + 1) / (total + 1)

    check = the_check(p_from(strict), "super_uniform")
    with pytest.raises(AssertionError, match="super_uniform"):
        check()


def test_wilcoxon_is_super_uniform_too() -> None:
    """Its p-values are exact for few units, so the sign flips of every data set must obey them as well."""
    wilcoxon = attrs.evolve(REGISTRY.get(SignificanceTest, "wilcoxon"), needs="exchange")
    (law,) = (law for law in LAWS[SignificanceTest] if law.name == "super_uniform")
    rng = np.random.default_rng(3)
    for units in (1, 3, 5):
        first, second = (Values.from_plain(None, rng.integers(0, 40, units) / 8) for _ in range(2))
        law.holds(wilcoxon, None, first, second)


def test_a_wrong_ranking_rule_is_found_out() -> None:
    right = REGISTRY.get(RankingRule, "clusters")

    def worst_first(standing: RankingInput) -> Any:
        return right.rank(attrs.evolve(standing, oriented=-standing.oriented))

    wrong = attrs.evolve(right, name="wrong", rank=worst_first, left_out={"order": "another law is meant"})
    with pytest.raises(AssertionError, match="breaks the law 'by_score'"):
        check_ranking_rule(wrong)


def test_williams_p_values_of_both_directions_add_up_to_one() -> None:
    rng = np.random.default_rng(5)
    gold, a, b = rng.normal(size=(3, 12))
    ab, ba = (
        qeframe.compare("pearson", gold, {"A": a, "B": b}, test="williams", sided=sided)[0] for sided in ("one", "two")
    )
    assert ab.p == pytest.approx(ba.p / 2, abs=1e-15)
    from qeframe_significance import williams

    for r_a, r_b, r_ab in rng.uniform(-0.5, 0.5, size=(20, 3)):
        both = williams(r_a, r_b, r_ab, 12).p_one + williams(r_b, r_a, r_ab, 12).p_one
        assert both == pytest.approx(1, abs=1e-12)


def test_corrections_are_ordered() -> None:
    adjust = {name: REGISTRY.get(Correction, name).adjust for name in REGISTRY.names(Correction)}
    rng = np.random.default_rng(4)
    for size in (1, 2, 5, 20):
        p = rng.uniform(0, 0.2, size) ** 2
        families = [adjust[name](p) for name in ("bonferroni", "holm", "bh", "none")]
        for larger, smaller in pairwise(families):
            assert (larger >= smaller - 1e-15).all()
        if size > 2:
            assert (families[0] > families[1]).any()
            assert (families[1] > families[2]).any()
            assert (families[2] > families[3]).any()


def test_a_law_that_does_not_concern_the_component_cannot_be_left_out() -> None:
    with pytest.raises(DataError, match="'mae' leaves out 'vectors', which is no law of it; the laws that "):
        check_metric(attrs.evolve(REGISTRY.get(Metric, "mae"), left_out={"vectors": "it has none"}))


def test_a_whole_plugin_is_checked_in_four_lines() -> None:
    import qeframe_significance

    names = {str(check) for check in parametrize_with_checks(qeframe_significance).args[1]}
    assert {"bootstrap-super_uniform"} & names == set()
    assert {"randomization-super_uniform", "holm-order", "williams-symmetry"} <= names


def test_check_test_runs_every_law() -> None:
    check_test(REGISTRY.get(SignificanceTest, "randomization(draws=64)"), tries=5)


def test_what_brings_nothing_is_no_plugin_to_check():
    with pytest.raises(DataError, match="'my_metric' brings no component that has laws"):
        parametrize_with_checks(types.ModuleType("my_metric"))
