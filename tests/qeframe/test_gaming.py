"""Parts of the audit with few tests."""

import functools
import math

import attrs
import numpy as np
import pytest
from matplotlib.colors import to_hex

from qeframe import Submission, Task, choose_profile, evaluate
from qeframe.core.display import find_view
from qeframe.core.metric import Attack
from qeframe.gaming.audit import Audit, AuditedMetric, audit
from qeframe.gaming.audit_folder import audit_figure, color_of
from qeframe.gaming.audit_gold import QUALITIES, AuditGold
from qeframe.gaming.gaming_gate import gamed_on_tasks
from qeframe.gaming.given_gold import CHANCE, PERFECT, Measured, MetricOnGold, _noise, mean_of
from qeframe.gaming.indices import (
    Attacked,
    bounds_of,
    gaming_index,
    index_of,
    is_settled,
    jackknife_influence,
    mean_error,
    ratio_influence,
    with_bounds,
)
from qeframe.gaming.scoring import oriented, rank_among, value_of
from qeframe.gaming.views import AUDIT
from qeframe.gaming.winner import gains_of_submissions, winner_audit
from qeframe.plugin import DataError, Grid, Metric, Scores, Values


def on_gold_of(gold, registry, **fields):
    """Return mae on a given gold."""
    batch = Scores.from_plain(gold, gold)
    return MetricOnGold(registry.get(Metric, "mae"), AuditGold(name="small", description="", batch=batch), **fields)


def test_the_influence_of_blocks_sums_to_nothing_and_opposite_draws_have_no_noise():
    assert jackknife_influence(np.array([9.0, 1.0, 2.0, 3.0])).tolist() == [2.0, 0.0, -2.0]
    assert _noise([0.0, 1.0] * 8) == 0.0
    assert _noise([0.0, 1.0] * 3) == np.inf


def test_an_expected_score_is_the_mean_of_all_draws_also_of_those_without_blocks(registry):
    on_gold, drawn = on_gold_of(np.arange(12.0), registry), {}

    def draw(number):
        drawn[number] = attrs.evolve(on_gold.gold.batch, predicted=np.random.default_rng(number).normal(size=12))
        return drawn[number]

    scores, _ = on_gold.expected(draw, on_gold.weights)
    assert len(drawn) > 16
    assert scores[0] == pytest.approx(np.mean([value_of(on_gold.metric, drawn[n]) for n in range(len(drawn))]))


# The heat map of an audit.
@pytest.mark.parametrize(
    ("value", "color"),
    [
        (0.9, "#7f2704"),
        (0.5, "#7f2704"),
        (0.49, "#d94801"),
        (0.1, "#fd8d3c"),
        (0.05, "#fdbe85"),
        (0.02, "#feedde"),
        (0.0199, "#ffffff"),
        (-1.0, "#ffffff"),
        (math.nan, "#cccccc"),
    ],
)
def test_colors_have_a_least_index(value, color):
    assert color_of(value) == color


def test_a_block_for_each_group_of_attacks(audit):
    first, second = audit_figure(audit).axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["weak", "safe"]
    assert [label.get_text() for label in first.get_xticklabels()] == ["gaming index", "all_bad", "shift", "most"]
    assert [label.get_text() for label in second.get_yticklabels()] == ["other"]
    cells = [to_hex(patch.get_facecolor()) for patch in first.patches]
    assert cells == [
        *("#d94801", "#d94801", "#ffffff", "#e4ebf1"),  # the informed attack has a color of its own
        *("#ffffff", "#ffffff", "#ffffff", "#e4ebf1"),
    ]
    assert [text.get_text() for text in first.texts] == [".30", ".30", ".60"]
    assert [text.get_weight() for text in first.texts] == ["bold", "normal", "normal"]


def test_metrics_above_the_limit_or_without_attacks_are_left_out(audit):
    assert [len(axes.get_yticklabels()) for axes in audit_figure(audit, most=1).axes] == [1, 1]
    bare = tuple(attrs.evolve(metric, attacks=()) for metric in audit.metrics)
    assert audit_figure(attrs.evolve(audit, metrics=bare)) is None


# Errors of indices and simultaneous intervals.
def attacked(influence, index=0.0, kind="blind"):
    influence = np.asarray(influence, dtype=np.float64)
    return attacked_of("a", index, kind=kind, error=mean_error(influence)), influence


def test_an_index_is_a_ratio_of_means():
    gain, headroom = np.array([1.0, 2.0, np.nan, 3.0]), np.array([2.0, 4.0, 5.0, 6.0])
    index, influence = ratio_influence(gain, headroom)
    assert index == 0.5
    assert influence.tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(ratio_influence(gain, np.zeros(4))[0])
    assert np.isnan(ratio_influence(np.array([np.nan]), np.array([1.0]))[0])


def test_the_error_of_a_ratio_is_that_of_leaving_golds_out():
    rng = np.random.default_rng(0)
    gain, headroom = rng.normal(0.3, 0.1, 400), rng.normal(1, 0.1, 400)
    index, influence = ratio_influence(gain, headroom)
    rest = np.arange(400) != np.arange(400)[:, None]
    left = np.array([gain[each].mean() / headroom[each].mean() for each in rest])
    error = np.sqrt(399 / 400 * ((left - left.mean()) ** 2).sum())
    assert mean_error(influence) == pytest.approx(error, rel=0.01)
    assert index == gain.mean() / headroom.mean()


def test_the_error_on_a_given_gold_is_that_of_the_jackknife():
    values = np.arange(10.0)
    without = (values.sum() - values) / 9
    influence = jackknife_influence(np.array([values.mean(), *without]))
    assert influence == pytest.approx(values - values.mean())
    assert mean_error(influence) == pytest.approx(values.std(ddof=1) / np.sqrt(10))
    assert np.isnan(mean_error(jackknife_influence(np.array([np.nan, 1.0, 2.0]))))
    assert np.isnan(mean_error(jackknife_influence(np.array([1.0, 2.0]))))


def test_one_attack_has_the_interval_of_t_and_more_attacks_a_wider_one():
    rng = np.random.default_rng(3)
    many = [attacked(rng.standard_normal(64) - 0.0) for _ in range(20)]
    (alone,) = with_bounds(many[:1])
    assert (alone.high - alone.index) / alone.error == pytest.approx(2.0, abs=0.15)
    wide = with_bounds(many)[0]
    assert (wide.high - wide.index) / wide.error == pytest.approx(3.15, abs=0.2)


def test_attacks_that_do_not_count_have_no_interval_and_exact_ones_no_width():
    rng = np.random.default_rng(1)
    exact, informed, noisy = with_bounds(
        [attacked(np.zeros(9), 0.2), attacked(rng.random(9), 0.9, "informed"), attacked(rng.random(4) - 0.5, 0.1)]
    )
    assert (exact.low, exact.high) == (0.2, 0.2)
    assert np.isnan(informed.low)
    assert noisy.low < 0.1 < noisy.high
    assert bounds_of([exact, informed, noisy]) == (0.2, max(0.2, noisy.high))
    assert np.isnan(bounds_of([informed])).all()


@pytest.mark.slow
def test_twenty_worthless_attacks_are_rarely_above_zero():
    """The lower bound of the largest of 20 null indices, over 500 audits of 32 golds: .05 is stated for both sides."""
    rng = np.random.default_rng(5)
    false = 0
    for nth in range(500):
        common = rng.standard_normal((32, 1))
        gains = 0.6 * common + rng.standard_normal((32, 20))
        results = [ratio_influence(each, np.ones(32)) for each in gains.T]
        attacks = [attacked(influence, index) for index, influence in results]
        false += bounds_of(with_bounds(attacks, nth))[0] > 0
    assert false / 500 < 0.05


# Expected scores and their jackknife.
GOLD = np.random.default_rng(0).random(50)


@pytest.fixture
def scored(registry):
    return on_gold_of(GOLD, registry)


def test_a_fixed_answer_is_scored_once(scored):
    drawn = []

    def draw(number):
        drawn.append(number)
        return attrs.evolve(scored.gold.batch, predicted=GOLD + 0.25)

    scores, lost = scored.expected(draw, scored.weights)
    assert (drawn, lost) == ([0, 1], 0.0)
    assert scores == pytest.approx(np.full(11, 0.25))


def test_only_some_units_are_scored(scored):
    half = np.arange(50) < 25
    predicted = np.where(half, GOLD + 1, GOLD)
    scores, _ = scored.expected(lambda _: attrs.evolve(scored.gold.batch, predicted=predicted), scored.weights * half)
    assert scores[0] == 1


def test_the_mean_of_halves():
    parts = [Measured(np.array([1.0, 2.0]), np.zeros(2), np.full(2, 4.0), 0.5, ("a",)), None]
    parts[1] = Measured(np.array([3.0, 4.0]), np.ones(2), np.full(2, 6.0), 0.0, ("b",))
    mean = mean_of(parts)
    assert (mean.score.tolist(), mean.undefined, mean.setting) == ([2.0, 3.0], 0.25, "a or b")
    assert (mean.base.tolist(), mean.perfect.tolist()) == ([0.5, 0.5], [5.0, 5.0])
    assert mean_of([parts[0]] * 2).setting == "a"


# What each submission gains by cosmetic attacks.
@pytest.fixture
def task():
    rng = np.random.default_rng(0)
    gold = rng.normal(0, 1, (60, 1)) + rng.normal(0, 1, (60, 6))
    noisy, exact = gold + rng.normal(0, 2, gold.shape), gold + rng.normal(0, 0.01, gold.shape)
    batches = {Submission(n): Grid.from_plain(gold, each) for n, each in (("noisy", noisy), ("exact", exact))}
    return Task(name="en-de", batches=batches)


def test_a_noisy_metric_gains_by_its_own_means_and_an_exact_one_does_not(task):
    gains = gains_of_submissions(["segment_pearson"], [task], attacks=["add_item_means"]).gains
    assert [(gain.submission, gain.rank) for gain in gains] == [("exact", 1), ("noisy", 2)]
    exact, noisy = gains
    assert exact.gain < 0
    assert exact.attacked_rank == 1
    assert noisy.gain > 2 * noisy.error > 0
    assert noisy.setting.startswith("factor=")


def test_low_is_good_and_what_cannot_be_asked(task):
    with pytest.raises(DataError, match="no attack transforms a submission"):
        gains_of_submissions(["segment_pearson"], [task], attacks=["all_equal"])
    with pytest.raises(DataError, match="'mae' is a metric on Scores"):
        gains_of_submissions(["mae"], [task])
    assert '"gains"' in gains_of_submissions(["segment_pearson"], [task], attacks=["untie_grid"]).to_json()


# How far a metric can be gamed on given tasks, in few words.
def task_of_gamed(units=60):
    rng = np.random.default_rng(0)
    gold = rng.normal(size=units)
    answers = {f"S{i}": gold + noise * rng.normal(size=units) for i, noise in enumerate((0.5, 1.0, 3.0))}
    return Task(name="t", batches={Submission(name): Scores.from_plain(gold, each) for name, each in answers.items()})


def attacked_of(name, index, *, kind="blind", error=0.01, rank=2):
    return Attacked(
        attack=name, kind=kind, knowledge="", score=0, base=0, perfect=1, index=index, error=error, rank=rank
    )


@pytest.fixture
def found(monkeypatch):
    """Return what is found of an audit with these attacks."""

    def of(*attacks, low=0.1, index=0.2):
        audited = AuditedMetric(metric="m", gaming_index=index, low=low, high=0.3, attacks=attacks)
        monkeypatch.setattr("qeframe.gaming.gaming_gate.audit", lambda *_, **__: Audit(gold={}, metrics=(audited,)))
        return gamed_on_tasks("m", [task_of_gamed()])

    return of


def test_worthless_answers_have_an_index_an_attack_and_a_rank():
    found = gamed_on_tasks("mae", [task_of_gamed()])
    (audited,) = audit("mae", task_of_gamed(), claims=False).metrics
    assert (found.index, found.low, found.high) == (audited.gaming_index, audited.low, audited.high)
    assert "constant_median" in found.attacks
    assert (found.blind, found.rank, found.submissions) == (True, 2, 3)  # S2 errs more than a constant


def test_attacks_as_good_as_the_best_one_are_named_in_order_and_the_best_rank_counts(found):
    alike = [
        attacked_of("b", 0.2, rank=4),
        attacked_of("a", 0.19, rank=3),
        attacked_of("c", 0.1),
        attacked_of("d", np.nan),
    ]
    told = found(*alike)
    assert (told.attacks, told.rank) == (("a", "b"), 3)
    assert found(*alike[::-1]) == told


def test_an_index_that_may_be_0_or_of_transformed_answers_has_no_rank(found):
    told = found(attacked_of("a", 0.2), low=0.0)
    assert (told.index, told.attacks, told.rank, told.blind) == (0.2, (), None, False)
    told = found(attacked_of("a", 0.2, kind="cosmetic", rank=1), attacked_of("i", 0.9, kind="informed"))
    assert (told.attacks, told.rank, told.blind) == (("a",), None, False)


def test_a_metric_without_a_gold_side_or_an_index_cannot_be_gamed(found):
    values = Task(name="t", batches={Submission(name): Values.from_plain(None, [0.1, 0.2, 0.4]) for name in "ab"})
    assert gamed_on_tasks("mean", [values]) is None
    assert found(attacked_of("a", np.nan), index=np.nan) is None


# The gaming index: its formula, failed attacks, no headroom, and when it is precise.
def test_informed_and_selection_attacks_do_not_count():
    blind, informed = attacked_of("b", -0.2), attacked_of("i", 0.9, kind="informed")
    others = [attacked_of("c", 0.1, kind="cosmetic"), attacked_of("s", 0.8, kind="selection")]
    assert gaming_index([blind, informed, *others]) == 0.1
    assert gaming_index([blind, attacked_of("n", np.nan)]) == 0
    assert np.isnan(gaming_index([informed]))


@pytest.mark.parametrize(
    ("score", "base", "best", "index"),
    [
        (0.5, 0.0, 1.0, 0.5),
        (0.5, 1.0, 0.0, 0.5),
        (1.5, 0.0, 1.0, 1.5),
        (np.nan, 0.0, 1.0, 0.0),
        (1.0, 2.0, 2.0, np.nan),
    ],
)
def test_the_share_of_the_way_from_base_to_perfect(score, base, best, index):
    assert np.array_equal(index_of(np.array([score]), np.array([base]), np.array([best])), [index], equal_nan=True)


@pytest.mark.parametrize(
    ("index", "error", "settled"),
    [
        (0.1, 0.02, True),
        (0.1, 0.021, False),
        (3.0, 0.06, True),  # of an index above 1 it is a share
        (np.nan, np.nan, True),  # without headroom more gold would not help
        (0.1, np.nan, False),
        (-0.5, 0.1, True),  # it loses
        (-0.3, 0.1, False),
        (0.0, 0.03, False),
    ],
)
def test_when_more_gold_would_change_nothing(index, error, settled):
    assert is_settled(index, error) == settled


# One attack on one gold.
GOLD_OF_MEASUREMENT = np.random.default_rng(0).random(200)


@pytest.fixture
def measuring(registry):
    return on_gold_of(GOLD_OF_MEASUREMENT, registry)


def attack(answer, **fields):
    words = {"name": "a", "summary": "", "kind": Scores, "manner": "blind", "knowledge": ""}
    return Attack(**{**words, "answer": answer, **fields})


def test_a_blind_attack_starts_from_chance_which_all_attacks_share(measuring):
    half = attack(lambda batch, rng: attrs.evolve(batch, predicted=np.full(len(batch), 0.5)))
    (measured,) = measuring.measure(half)
    assert measured.base.tolist() == measuring.known(CHANCE, -1).tolist()
    assert measured.base[0] == pytest.approx(
        np.abs(GOLD_OF_MEASUREMENT[:, None] - GOLD_OF_MEASUREMENT).mean(), rel=0.03
    )
    assert measured.perfect.tolist() == [0.0] * 11
    assert measured.score[0] == pytest.approx(np.abs(GOLD_OF_MEASUREMENT - 0.5).mean())
    assert measured.settings == ()


def test_a_cosmetic_attack_has_a_measurement_for_each_honest_submission(measuring):
    found = measuring.measure(attack(lambda batch, rng: batch, manner="cosmetic"))
    assert len(found) == len(measuring.honest) == len(QUALITIES)
    assert all(np.array_equal(measured.score, measured.base) for measured in found)


def test_halves_are_scored_on_their_own_units_on_all_three_sides(measuring):
    """The base of two halves is the mean of their bases, not the base on all units."""
    first, second = (measuring.of_half(half)[0] == 1 for half in (0, 1))
    assert (first ^ second).all()
    assert measuring.of_half(-1) is measuring.weights
    for half, units in enumerate((first, second)):
        expected = np.abs(measuring.honest[0].predicted - GOLD_OF_MEASUREMENT)[units].mean()
        assert measuring.known(0, half)[0] == pytest.approx(expected)
        assert measuring.known(PERFECT, half)[0] == 0


def test_ranks_count_who_is_better_by_more_than_rounding(registry):
    mae, pearson = (registry.get(Metric, name) for name in ("mae", "pearson"))
    assert rank_among(mae, 0.2, [0.1, 0.2 - 1e-14, 0.3]) == 2
    assert rank_among(mae, 200.0, [200.0 - 1e-11, 100.0]) == 2
    assert rank_among(pearson, np.nan, [-1.0, np.nan]) == 2
    assert rank_among(pearson, 0.5, [0.6, np.nan]) == 2


def test_oriented_scores(registry):
    assert oriented(registry.get(Metric, "mae"), 2.0) == -2.0
    assert oriented(registry.get(Metric, "pearson"), 0.5) == 0.5
    assert oriented(registry.get(Metric, "mae"), np.nan) == -np.inf


# An audit shows itself in a line, as tables, as a data frame and as a figure.
def test_an_audit_in_a_line_as_tables_as_a_data_frame_and_as_a_figure(audit):
    assert repr(audit).startswith("<Audit of 3 metrics: ")
    assert str(audit).startswith("Gaming audit")
    assert len(str(audit.whole())) > len(str(audit))
    frame = audit.to_frame("pandas")
    assert list(frame.columns)[:3] == ["metric", "searched", "attack"]
    assert len(frame) == sum(len(metric.attacks) + len(metric.finds) for metric in audit.metrics)
    assert audit.plot().axes
    assert find_view(Audit) is AUDIT


# What the winner of an evaluation could have gained without being better.
def made_task(name, seed, *, spread):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=400)
    answers = {"wide": spread * (gold + rng.normal(0, 0.8, 400)), "poor": rng.normal(0, 5, 400)}
    return Task(name=name, batches={Submission(who): Scores.from_plain(gold, each) for who, each in answers.items()})


def audited(tasks, registry, *settings):
    rules = choose_profile("qe_sentence", ["interval=", "test=", *settings], registry)
    evaluation = evaluate(rules, tasks, registry=registry)
    scored = functools.partial(evaluate, registry=registry)
    return evaluation, winner_audit(rules, tasks, evaluation, scored, seed=0, registry=registry)


def test_answers_that_are_too_wide_gain_by_shrinking_under_mae_alone(registry):
    tasks = [made_task("a", 1, spread=2), made_task("b", 2, spread=2)]
    evaluation, found = audited(tasks, registry, "primary=mae", "best=high")
    assert (found["winner"], found["second"], found["of"]) == ("wide", "poor", 2)
    assert found["score"] == next(s for s in evaluation.submissions if s.name == "wide").scores["mae"].value
    best = found["attacks"][0]
    assert best["manner"] == "cosmetic"
    assert best["gain"] == pytest.approx(found["score"] - best["score"])
    assert best["gain"] > 0.3
    by_name = {each["attack"]: each for each in found["attacks"]}
    assert by_name["constant_median"]["rank"] == 1  # better than answers that are twice too wide
    _, pearson = audited(tasks, registry, "primary=pearson")
    assert all(each["gain"] < 0.01 for each in pearson["attacks"])
    assert "constant_median" in pearson["failed"]
    assert {each["attack"]: each["rank"] for each in pearson["attacks"]}["reversed_ranking"] == 3


def test_attacks_and_partial_submissions_are_no_winners(registry):
    task = made_task("a", 1, spread=1)
    exact = Scores.from_plain(task.batches[Submission("wide")].gold, task.batches[Submission("wide")].gold)
    attacked = attrs.evolve(task, batches={**task.batches, Submission("oracle", "attack"): exact})
    partial = attrs.evolve(task, name="b")
    both = [attrs.evolve(attacked, batches={**attacked.batches, Submission("half"): exact}), partial]
    _, found = audited(both, registry, "primary=pearson")
    assert found["winner"] == "wide"
    assert found["of"] == 2
    assert found["lead"] > 0


def test_a_task_set_and_a_result_without_ranks_are_refused(registry):
    parts = choose_profile("wmt23_metrics", (), registry)
    task = made_task("a", 1, spread=1)
    rules = choose_profile("qe_sentence", ["interval=", "test="], registry)
    with pytest.raises(DataError, match="is a task set"):
        winner_audit(parts, [], evaluate(rules, [task], registry=registry), evaluate, seed=0, registry=registry)
    gold = task.batches[Submission("wide")].gold
    flat = attrs.evolve(task, batches={Submission("flat"): Scores.from_plain(gold, np.ones(400))})
    with pytest.raises(DataError, match="no submission is ranked"):
        audited([flat], registry)
