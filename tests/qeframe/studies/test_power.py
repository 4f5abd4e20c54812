"""Power curves against their definition, against draws, and where nothing is known."""

import math
from concurrent.futures import ThreadPoolExecutor

import attrs
import numpy as np
import pytest
from scipy.stats import norm, t

import qeframe
from qeframe import CapabilityError, DataError, Runner, Submission, Task
from qeframe.core.draws import DrawBlock, bootstrap_counts
from qeframe.kinds.scores.batch import Scores
from qeframe.studies import power_curves
from qeframe.studies.power.curves import chosen_pairs
from qeframe.studies.power.nested_draws import nested_scores, ranked_scoreboard, share_above
from tests.outcome import failure
from tests.qeframe.assembly.made_sets import resolved, two_pairs
from tests.qeframe.core.evaluation.made_contests import in_task, made_task, profile

TASKS = [made_task(units=150, noise={"good": 0.7, "fair": 0.8, "poor": 2.0})]


def curves(registry, metric="pearson", tasks=TASKS, **options):
    return power_curves(profile(metric), tasks, registry, **{"draws": 0, **options})


@pytest.mark.parametrize("metric", ["pearson", "mae"])
def test_the_definition(registry, metric):
    study = curves(registry, metric, target=0.7, alpha=0.01)
    assert (study.units, study.unit, study.tasks, study.metric) == (150, "segment", 1, metric)
    for curve in study.curves:
        value = {s.name: qeframe.score(metric, b, None) for s, b in TASKS[0].batches.items()}
        assert curve.difference == pytest.approx(value[curve.better] - value[curve.worse])
        z = np.arctanh if metric == "pearson" else abs
        d = abs(z(value[curve.better]) - z(value[curve.worse]))
        law = t(curve.freedom)

        def power(units, d=d, curve=curve, law=law):
            return law.cdf(d / (curve.error * math.sqrt(150 / units)) - law.isf(0.005))

        assert curve.power == pytest.approx(power(150), rel=1e-9)
        assert curve.at == pytest.approx(power_of(power, study.sizes), rel=1e-9)
        distance = d / curve.error
        assert curve.needed == math.ceil(150 * ((norm.isf(0.005) + norm.ppf(0.7)) / distance) ** 2)
        half = law.ppf((1 + study.confidence) / 2) * math.sqrt(1 + distance**2 / (2 * curve.freedom))
        assert curve.needed_low == pytest.approx(curve.needed * (distance / (distance + half)) ** 2, abs=1.01)
        assert math.isinf(curve.needed_high) == (distance <= half)
        assert curve.predicted == pytest.approx(float(np.interp(150, study.sizes, curve.predicted_at)), abs=0.01)
        assert (curve.low <= curve.at + 1e-12).all()
        assert (curve.at <= curve.high + 1e-12).all()


def power_of(power, sizes):
    return np.array([power(size) for size in sizes])


def test_the_detectable_difference_is_that_of_the_leaderboard(registry):
    study = curves(registry, "pearson")
    found = qeframe.evaluate(
        profile("pearson", correction="none"), TASKS, detectable=True, registry=registry
    ).detectable
    assert found is not None
    assert {curve.worse: curve.detectable for curve in study.curves} == pytest.approx(
        {name: size for name, size in found.from_leader.items() if name != found.leader}
    )


def test_pairs(registry):
    pairs = lambda chosen: [(c.better, c.worse) for c in curves(registry, pairs=chosen).curves]  # noqa: E731
    assert pairs("leader") == [("good", "fair"), ("good", "poor")]
    assert pairs("adjacent") == [("good", "fair"), ("fair", "poor")]
    assert len(pairs("all")) == 3
    assert pairs([("poor", "good")]) == [("good", "poor")]
    assert pairs([("fair", "poor"), ("good", "fair")]) == [("fair", "poor"), ("good", "fair")]


def test_draws_agree_with_the_curves(registry):
    """On normal data; the standard errors of the shares, and the few units of the smallest samples, are allowed for."""
    study = curves(registry, "pearson", [*TASKS, made_task("en-ru", 100, 9, {"good": 0.7, "fair": 0.8, "poor": 2.0})])
    again = curves(
        registry,
        "pearson",
        [*TASKS, made_task("en-ru", 100, 9, {"good": 0.7, "fair": 0.8, "poor": 2.0})],
        draws=400,
        pairs="all",
    )
    assert [c.power for c in study.curves] == [c.power for c in again.curves[:2]]
    for curve in again.curves:
        assert [check.size for check in curve.in_draws] == [63, 125, 250, 500]
        expected = np.interp([check.size for check in curve.in_draws], again.sizes, curve.at)
        for check, power in zip(curve.in_draws, expected, strict=True):
            assert check.power == pytest.approx(power, abs=0.12)
    assert again.draws == 400


def test_equal_submissions_and_constant_differences(registry):
    gold = np.random.default_rng(0).normal(size=30)
    answers = {"a": gold + 1, "b": gold + 1, "c": gold + 2}
    task = Task(name="t", batches={Submission(n): Scores.from_plain(gold, a) for n, a in answers.items()})
    by_pair = {(c.better, c.worse): c for c in curves(registry, "mae", [task], pairs="all", draws=20).curves}
    equal, constant = by_pair["a", "b"], by_pair["a", "c"]
    assert all(
        math.isnan(value) for value in (equal.needed, equal.needed_high, equal.power, equal.predicted, equal.detectable)
    )
    assert (constant.needed, constant.needed_low, constant.needed_high) == (2, 2, 2)
    assert (constant.power, constant.predicted) == (1.0, 1.0)
    assert math.isnan(constant.detectable)


def test_an_undefined_score_has_no_curve(registry):
    gold = np.random.default_rng(0).normal(size=30)
    answers = {"a": gold + 1, "flat": np.ones(30), "c": gold**3}
    task = Task(name="t", batches={Submission(n): Scores.from_plain(gold, a) for n, a in answers.items()})
    flat = next(c for c in curves(registry, "pearson", [task], pairs="all").curves if c.worse == "flat")
    assert all(math.isnan(v) for v in (flat.difference, flat.power, flat.needed, flat.needed_high, flat.detectable))


def test_equal_seeds_give_equal_draws(registry):
    drawn = [
        [check.power for curve in curves(registry, draws=50, seed=seed).curves for check in curve.in_draws]
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 1.0}, "the target must lie between 0 and 1"),
        ({"alpha": 0.0}, "alpha must lie between 0 and 1"),
        ({"target": 0.05}, "the target, 0.05, is not above alpha, 0.05"),
        ({"draws": -1}, "must not be negative"),
        ({"pairs": "best"}, "unknown pairs 'best'; choose one of: leader, adjacent, all"),
        ({"pairs": [("good", "fiar")]}, "there is no submission 'fiar'"),
        ({"pairs": [("good", "good")]}, "'good' cannot be compared with itself"),
    ],
)
def test_mistakes(registry, options, message):
    with pytest.raises(DataError, match=message):
        curves(registry, **options)


def test_what_has_no_power(registry):
    with pytest.raises(CapabilityError, match="no power can be computed: 5 units: a jackknife error needs at least 7"):
        curves(registry, "mae", [made_task(units=5)])
    with pytest.raises(CapabilityError, match=r"not smooth .* name a metric that is smooth: --set primary=METRIC"):
        power_curves(attrs.evolve(profile("delta_avg"), test=""), TASKS, registry)
    alone = made_task(noise={"good": 1.0})
    assert "1 submission cannot be compared" in failure(DataError, curves, registry, "mae", [alone])


GOLD = np.arange(9.0)


@pytest.fixture
def contest(registry):
    return in_task(registry, "mae", GOLD, [GOLD + 2, GOLD, GOLD + 1])


def named(contest, pairs):
    first, second = contest.pairs
    return ["cab"[first[i]] + "cab"[second[i]] for i in chosen_pairs(contest, list("cab"), pairs)]


def test_by_the_order_of_the_scores(contest):
    assert named(contest, "leader") == ["ab", "ac"]
    assert named(contest, "adjacent") == ["ab", "bc"]
    assert named(contest, "all") == ["ab", "ac", "bc"]


def test_by_name_in_either_order(contest):
    assert named(contest, [("c", "b"), ("a", "c")]) == ["bc", "ac"]
    assert "there is no submission 'd'" in failure(DataError, named, contest, [("a", "d")])
    assert "'a' cannot be compared with itself" in failure(DataError, named, contest, [("a", "a")])
    assert "unknown pairs 'best'" in failure(DataError, named, contest, "best")


def totals(weights):
    """Return the number of units drawn from the first task, from the second, and the largest count."""
    return np.stack([weights[:, :5].sum(axis=1), weights[:, 5:].sum(axis=1), weights.max(axis=1)], axis=1)


def test_every_sample_has_its_size_in_every_task():
    scores = nested_scores(totals, [5, 3], [20, 2], draws=700, key=(1,), runner=Runner())
    assert scores.shape == (700, 3)
    assert (scores[:, :2] == [20, 2]).all()
    assert len(np.unique(scores[:, 2])) > 1


def test_samples_do_not_depend_on_the_workers():
    with ThreadPoolExecutor(2) as executor:
        many = nested_scores(totals, [5, 3], [20, 2], draws=700, key=(1,), runner=Runner(executor))
    assert (many == nested_scores(totals, [5, 3], [20, 2], draws=700, key=(1,), runner=Runner())).all()


def test_counts_are_multinomial():
    counts = bootstrap_counts(DrawBlock((3,), 0, 0, 4000), 4, 6)
    assert (counts.sum(axis=1) == 6).all()
    assert counts.mean(axis=0) == pytest.approx(np.full(4, 1.5), abs=0.08)
    assert np.var(counts[:, 0]) == pytest.approx(6 * 1 / 4 * 3 / 4, rel=0.08)


def test_the_share_and_its_error():
    differences = np.array([[1.0, np.nan], [3.0, 1.0], [2.0, 1.0], [np.inf, -1.0]])
    first, second = share_above(differences, np.array([1.5, 0.0]), 9)
    assert (first.size, first.power, first.error) == (9, 0.75, pytest.approx(np.sqrt(0.75 * 0.25 / 4)))
    assert second.power == 0.5


def test_attacks_and_human_scores_are_left_out(registry):
    task = made_task()
    batches = {Submission(s.name, "attack" if s.name == "poor" else "real"): b for s, b in task.batches.items()}
    study = power_curves(profile("mae"), [Task(name="t", batches=batches)], registry, draws=0)
    (curve,) = study.curves
    assert {curve.better, curve.worse} == {"good", "fair"}
    assert (study.metric, study.unit) == ("mae", "segment")
    assert curve.difference < 0, "low is good"


def test_the_overall_score_of_a_task_set_has_no_samples(registry):
    smooth = '[[parts]]\nmetric = ["system_pearson", "segment_pearson"]'
    study = power_curves(resolved(registry, smooth).profile, two_pairs(), registry)
    assert (study.metric, study.unit, study.draws) == ("overall", "unit", 0)
    assert study.curves[0].in_draws == ()


def test_nothing_to_compare(registry):
    with pytest.raises(DataError, match="there is no submission to compare"):
        ranked_scoreboard(profile("mae"), [Task(name="t", batches={})], registry, seed=0, runner=Runner())
