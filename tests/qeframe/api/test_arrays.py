"""Comparisons of given values: one metric, several metrics, groups of units."""

import copy
import math
import pickle

import numpy as np
import pandas
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe import Comparison, Registry, Submission, Task
from qeframe.api.arrays.comparing import bind_submissions, check_groups, rules_of_metrics
from qeframe.api.arrays.comparisons import Comparisons, ComparisonsByMetric
from qeframe.core.errors import CapabilityError, DataError, ResultWarning, UnknownNameError
from qeframe.plugin import Correction, Metric, Scores
from tests.outcome import failure

RNG = np.random.default_rng(12)
GOLD = RNG.normal(size=40)
GOOD, POOR, NOISE = (GOLD + RNG.normal(scale=s, size=40) for s in (0.2, 1.0, 4.0))
THREE = {"noise": NOISE, "good": GOOD, "poor": POOR}
DOCUMENTS = [f"d{i // 4}" for i in range(40)]
METRICS = ["pearson", "mae", "delta_avg"]


def test_one_metric_gives_a_list_of_comparisons():
    found = qeframe.compare("mae", GOLD, THREE)
    assert isinstance(found, list)
    assert [(pair.a, pair.b) for pair in found] == [("good", "poor"), ("good", "noise"), ("poor", "noise")]
    assert (found.metric, found.alpha, found.correction, found.metrics) == ("mae", 0.05, "romano_wolf_and_max_t", 1)


def test_a_list_of_metrics_gives_a_block_for_each_with_the_same_tests():
    found = qeframe.compare(METRICS, GOLD, THREE, seed=2)
    assert [block.metric for block in found] == METRICS
    for block in found:
        alone = qeframe.compare(block.metric, GOLD, THREE, seed=2)
        for pair, single in zip(block, alone, strict=True):
            assert (pair.a, pair.b, pair.test, pair.p) == (single.a, single.b, single.test, single.p)
    (only,) = qeframe.compare(["mae"], GOLD, THREE)
    assert only == qeframe.compare("mae", GOLD, THREE)


def test_each_metric_by_itself_is_each_metric_alone():
    found = qeframe.compare(tuple(METRICS), GOLD, THREE, family="metric", seed=2)
    assert list(found) == [qeframe.compare(metric, GOLD, THREE, seed=2) for metric in METRICS]
    assert {block.metrics for block in found} == {1}


def test_groups_change_p_and_follow_the_index():
    whole = qeframe.compare("pearson", GOLD, THREE, groups=DOCUMENTS)
    assert [pair.p for pair in whole] != [pair.p for pair in qeframe.compare("pearson", GOLD, THREE)]
    index = [f"u{i}" for i in range(40)]
    frame = pandas.DataFrame({"gold": GOLD, **THREE, "document": DOCUMENTS}, index=index)
    submissions = {name: frame[name].sample(frac=1, random_state=1) for name in THREE}
    shuffled = qeframe.compare("pearson", frame["gold"], submissions, groups=frame["document"][::-1])
    assert shuffled == whole


def test_groups_without_a_gold_follow_the_first_submission():
    index = list("abcdefgh")
    a, b = (pandas.Series(RNG.normal(size=8), index=index) for _ in range(2))
    groups = pandas.Series([0, 0, 1, 1, 2, 2, 3, 3], index=index)
    expected = qeframe.compare("mean", None, {"a": list(a), "b": list(b)}, groups=list(groups))
    assert qeframe.compare("mean", None, {"a": a, "b": b[::-1]}, groups=groups[::-1]) == expected


def test_a_test_of_single_units_refuses_groups():
    said = "over groups of units: whole groups .*'groups'.* are drawn; choose a test that resamples or exchanges"
    with pytest.raises(CapabilityError, match=said):
        qeframe.compare("pearson", GOLD, THREE, test="williams", groups=DOCUMENTS)
    with pytest.raises(DataError, match="'groups' has 2 labels for 40 units"):
        qeframe.compare("pearson", GOLD, THREE, groups=["a", "b"])


@pytest.mark.parametrize(
    ("metrics", "options", "said"),
    [
        ([], {}, "there is no metric to compare under; name at least one"),
        (["mae", "mae"], {}, "metric 'mae' is named twice; name every metric once"),
        (["mae", "rmse"], {"equivalence": 0.1}, "equivalence needs one metric"),
        ("mae", {"alpha": 0}, "alpha must lie between 0 and 1, not 0"),
    ],
)
def test_what_cannot_be_compared_is_refused(metrics, options, said):
    assert said in failure(DataError, qeframe.compare, metrics, GOLD, THREE, **options)


def test_an_unknown_family_is_refused():
    with pytest.raises(UnknownNameError, match="unknown choice of 'family' 'metrics'; did you mean 'metric'"):
        qeframe.compare("mae", GOLD, THREE, family="metrics")


def test_rules_are_chosen_by_metric(registry: Registry):
    metrics = [registry.get(Metric, name) for name in ("pearson", "delta_avg")]
    chosen = rules_of_metrics(metrics, registry)
    assert [rule.test.name for rule in chosen] == ["jackknife_and_exchange", "bootstrap_t"]
    assert [rule.correction.name for rule in chosen] == ["romano_wolf_and_max_t", "romano_wolf"]


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
@pytest.mark.parametrize("units", [15, 20, 40])
def test_a_perfect_correlation_has_no_jackknife_whatever_its_last_bit(metric, units):
    """Its error on the working scale is that of rounding, so that p was 0 or undefined as rounding had it."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=units)
    noisy = {name: gold + rng.normal(size=units) for name in "bc"}
    given = {"a": 2 * gold + 1, **noisy}
    found = {(pair.a, pair.b): pair for pair in qeframe.compare(metric, gold, given, test="jackknife")}
    for (better, _), pair in found.items():
        assert np.isnan(pair.p) == np.isnan(pair.p_adjusted) == (better == "a")


def pair(a, b, significant=False):
    p = 0.01 if significant else 0.5
    options = {"metric": "mae", "test": "t_test", "sided": "two", "difference": -0.5, "p": p, "p_adjusted": p}
    options |= {"score_a": 1.0, "score_b": 1.5, "low": -0.75, "high": -0.25, "interval": "t_test"}
    return Comparison(a=a, b=b, significant=significant, **options)


PAIRS = [pair("b", "a", True), pair("b", "c", True), pair("a", "c")]


def test_it_is_a_list():
    found = Comparisons(PAIRS, metric="mae", correction="holm")
    assert found == PAIRS
    assert found[1:] == PAIRS[1:]
    assert list(reversed(found)) == PAIRS[::-1]
    assert Comparisons() == []


def test_names_are_in_the_order_of_the_scores():
    assert Comparisons(PAIRS).names == ("b", "a", "c")
    assert Comparisons().names == ()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_knows_the_same(copied):
    found = copied(Comparisons(PAIRS, metric="mae", alpha=0.01, correction="holm", metrics=2))
    assert found == PAIRS
    assert found.significance == "significant at alpha = 0.01, correction holm of all pairs under 2 metrics"
    assert copied(ComparisonsByMetric([found])) == [found]


def test_significance_in_words_claims_what_is_known():
    assert Comparisons(PAIRS).significance == "significant"
    assert Comparisons(PAIRS, alpha=0.05, correction="none").significance == (
        "significant at alpha = 0.05, correction none"
    )


@pytest.mark.parametrize("correction", ["romano_wolf", "holm", "none"])
def test_comparisons_of_an_evaluation_know_its_rules(correction):
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    frame = pd.DataFrame({"gold": gold, "near": gold + 0.1 * rng.normal(size=40), "far": rng.normal(size=40)})
    tasks = qeframe.tasks_from_frame(frame, submissions=["near", "far"])
    evaluation = qeframe.evaluate("qe_sentence", tasks, settings=[f"correction={correction}", "alpha=.01"])
    found = Comparisons.of(evaluation)
    assert found == list(evaluation.comparisons)
    assert found.metric == evaluation.primary
    assert f"significant at alpha = 0.01, correction {correction}" in str(found)
    assert "correction" not in str(Comparisons(evaluation.comparisons))


def test_an_evaluation_by_default_names_the_correction_that_was_chosen():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"gold": rng.normal(size=20), "a": rng.normal(size=20), "b": rng.normal(size=20)})
    evaluation = qeframe.evaluate("qe_sentence", qeframe.tasks_from_frame(frame, submissions=["a", "b"]))
    assert Comparisons.of(evaluation).correction.startswith("romano_wolf")


RNG_OF_FAMILIES = np.random.default_rng(4)
GOLD_OF_FAMILIES = RNG_OF_FAMILIES.normal(size=30)
SUBMISSIONS = {
    name: GOLD_OF_FAMILIES + scale * RNG_OF_FAMILIES.normal(size=30)
    for name, scale in {"a": 0.5, "b": 1.0, "c": 1.2}.items()
}
METRICS_OF_FAMILIES = ["pearson", "spearman", "mae"]


def p_of(blocks, name="p"):
    return [getattr(pair, name) for block in blocks for pair in block]


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "none"])
def test_p_values_of_all_metrics_are_corrected_at_once(registry, correction):
    found = qeframe.compare(
        METRICS_OF_FAMILIES, GOLD_OF_FAMILIES, SUBMISSIONS, test="randomization(draws=99)", correction=correction
    )
    expected = registry.get(Correction, correction).adjust(np.array(p_of(found)))
    assert p_of(found, "p_adjusted") == expected.tolist()
    assert [pair.significant for block in found for pair in block] == (expected < 0.05).tolist()


@given(st.sampled_from([["pearson"], ["mae", "rmse"], METRICS_OF_FAMILIES]), st.integers(0, 3))
@settings(max_examples=10)
def test_a_joint_correction_is_multiplied_by_the_number_of_metrics(metrics, seed):
    rules = {"correction": "romano_wolf_and_max_t(draws=1000)", "seed": seed}
    found = qeframe.compare(metrics, GOLD_OF_FAMILIES, SUBMISSIONS, **rules)
    alone = [
        pair.p_adjusted
        for metric in metrics
        for pair in qeframe.compare(metric, GOLD_OF_FAMILIES, SUBMISSIONS, **rules)
    ]
    assert p_of(found, "p_adjusted") == [min(1.0, len(metrics) * p) for p in alone]


def test_a_metric_without_any_score_does_not_count():
    constant = {"a": np.zeros(30), "b": np.ones(30)}
    pearson, mae = qeframe.compare(["pearson", "mae"], GOLD_OF_FAMILIES, constant)
    assert math.isnan(pearson[0].p_adjusted)
    assert not pearson[0].significant
    assert mae[0].p_adjusted == qeframe.compare("mae", GOLD_OF_FAMILIES, constant)[0].p_adjusted


@pytest.mark.slow
def test_the_chance_of_any_false_claim_under_several_metrics():
    """Equal submissions, metrics that agree in part: at most alpha, up to the error of 400 data sets."""
    false_claims = 0
    for seed in range(400):
        rng = np.random.default_rng([9, seed])
        gold = rng.normal(size=60)
        equal = {name: gold + rng.normal(size=60) for name in "abc"}
        found = qeframe.compare(["pearson", "mae", "rmse"], gold, equal, seed=seed)
        false_claims += any(pair.significant for block in found for pair in block)
    assert false_claims / 400 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


def test_what_limits_comparisons_is_a_value_and_a_warning():
    gold, answers = [1, 2, 3, 4, 5, 6, 7, 8], {"a": [1, 2, 3, 4, 5, 6, 8, 7], "constant": [1] * 8}
    with pytest.warns(ResultWarning, match="there is no score of constant") as caught:
        compared = qeframe.compare("pearson", gold, answers)
    assert tuple(str(each.message) for each in caught) == compared.warnings
    assert caught[0].filename == __file__
    with pytest.warns(ResultWarning):
        several = qeframe.compare(["pearson", "mae"], gold, answers)
    assert several.warnings[0] == f"pearson: {several[0].warnings[0]}"


BOUND_GOLD = np.array([0.1, 0.4, 0.3, 0.9])


def test_scores_are_those_of_the_metric_alone(registry):
    mae = registry.get(Metric, "mae")
    answers = {"A": BOUND_GOLD + 0.5, "B": Scores.from_plain(BOUND_GOLD, BOUND_GOLD)}
    assert bind_submissions(mae, BOUND_GOLD, answers).oriented == pytest.approx([-0.5, 0.0])


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"A": BOUND_GOLD}, "1 submission cannot be compared; give at least two"),
        (
            {"A": BOUND_GOLD, "B": Scores.from_plain(BOUND_GOLD[:2], BOUND_GOLD[:2])},
            "'B' has 2 units, 'A' has 4; all submissions answer",
        ),
        ({"A": BOUND_GOLD, "B": BOUND_GOLD[:2]}, "submission 'B': "),
    ],
)
def test_what_cannot_be_compared(registry, answers, said):
    assert said in failure(DataError, bind_submissions, registry.get(Metric, "mae"), BOUND_GOLD, answers)


def test_groups_are_those_of_the_units():
    check_groups(["a", "a", "b"], 3)
    for groups, said in ((["a"], "'groups' has 1 label for 3 units"), (["a"] * 3, "'groups' has a single group")):
        with pytest.raises(DataError, match=said):
            check_groups(groups, 3)


UNITS = 30
RANDOM = np.random.default_rng(4)
TASK_GOLD = RANDOM.normal(size=UNITS)
ANSWERS = {name: TASK_GOLD + scale * RANDOM.normal(size=UNITS) for name, scale in (("A", 0.4), ("B", 0.9), ("C", 2.0))}
GROUPS = [str(unit // 3) for unit in range(UNITS)]


@pytest.fixture
def task():
    batches = {Submission(name): Scores.from_plain(TASK_GOLD, answers) for name, answers in ANSWERS.items()}
    human = {Submission("h", "human"): Scores.from_plain(TASK_GOLD, TASK_GOLD)}
    return Task(name="t", batches={**batches, **human}, groups={"doc": GROUPS})


def test_compare_takes_the_ranked_submissions(task):
    assert qeframe.compare("pearson", task) == qeframe.compare("pearson", TASK_GOLD, ANSWERS)
    assert qeframe.compare(["pearson", "mae"], task) == qeframe.compare(["pearson", "mae"], TASK_GOLD, ANSWERS)


def test_score_takes_all_of_them(task):
    found = qeframe.score("pearson", task)
    assert list(found) == ["A", "B", "C", "h"]
    assert found["B"] == qeframe.score("pearson", TASK_GOLD, ANSWERS["B"])
    with_intervals = qeframe.score("pearson", task, interval="jackknife")
    assert with_intervals["B"] == qeframe.score("pearson", TASK_GOLD, ANSWERS["B"], interval="jackknife")


def test_a_string_names_a_grouping(task):
    assert qeframe.compare("pearson", task, groups="doc") == qeframe.compare(
        "pearson", TASK_GOLD, ANSWERS, groups=GROUPS
    )
    by_name = qeframe.score("pearson", task, interval="jackknife", groups="doc")
    assert by_name["A"] == qeframe.score("pearson", TASK_GOLD, ANSWERS["A"], interval="jackknife", groups=GROUPS)


def test_what_is_refused(task):
    with pytest.raises(DataError, match="task 't' has no grouping 'docs'; did you mean 'doc'"):
        qeframe.compare("pearson", task, groups="docs")
    assert "a task has submissions of its own" in failure(DataError, qeframe.compare, "pearson", task, ANSWERS)
    assert "a task has submissions of its own" in failure(DataError, qeframe.score, "pearson", task, TASK_GOLD)
    assert "the submissions have no names" in failure(DataError, qeframe.compare, "pearson", TASK_GOLD)
