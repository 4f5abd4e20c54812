"""Attacks on one metric on a gold that is given: expectations, errors, choices and ranks."""

from pathlib import Path

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.metric import Attack
from qeframe.core.reader import Reader
from qeframe.gaming import given_gold
from qeframe.gaming.audit_gold import AuditGold, Case
from qeframe.gaming.given_gold import MetricOnGold, attack_on_given_gold, mean_of
from qeframe.gaming.indices import gaming_index
from qeframe.plugin import DataError, Judgments, Metric, Scores

GOLD = np.random.default_rng(0).beta(1.2, 3.2, 300)


def small_gold(gold=GOLD, **fields):
    batch = Scores.from_plain(gold, gold)
    return AuditGold(name="small", description="small", batch=batch, **fields)


def constant(value, **fields):
    def answer(batch, rng):
        return attrs.evolve(batch, predicted=np.full(len(batch), value))

    words = {"name": "constant", "summary": "", "kind": Scores, "manner": "blind", "knowledge": "nothing"}
    return Attack(**{**words, "answer": answer, **fields})


def random(scale, **fields):
    return constant(0, **{"answer": lambda b, rng: attrs.evolve(b, predicted=scale * rng.random(len(b))), **fields})


def one(registry, metric, attack, *golds):
    (attacked,) = attack_on_given_gold(case_of(registry, metric, attack, *golds))
    return attacked


def case_of(registry, metric, attack, *golds):
    return Case(name=metric, metric=registry.get(Metric, metric), golds=golds or [small_gold()], attacks=[attack])


def test_the_index_is_the_share_of_the_way_from_chance_to_perfect(registry):
    attacked = one(registry, "mae", constant(0.2))
    assert attacked.score == pytest.approx(np.abs(GOLD - 0.2).mean())
    assert attacked.perfect == 0
    expected_chance = np.abs(GOLD[:, None] - GOLD).mean()
    assert attacked.base == pytest.approx(expected_chance, rel=0.02)
    assert attacked.index == pytest.approx((attacked.score - attacked.base) / (attacked.perfect - attacked.base))
    assert 0 < attacked.error < 0.05


@pytest.mark.slow
def test_the_error_is_no_smaller_than_that_of_new_gold(registry):
    """On new gold of the same size indices scatter by no more than the error, which is on the safe side."""
    rng = np.random.default_rng(7)
    for metric in ("mae", "rmse"):
        results = [one(registry, metric, constant(0.25), small_gold(rng.beta(1.2, 3.2, 300))) for _ in range(40)]
        spread = np.std([result.index for result in results], ddof=1)
        assert 0.9 < np.mean([result.error for result in results]) / spread < 4.5


def test_an_undefined_attack_has_failed_and_no_headroom_is_no_index(registry):
    attacked = one(registry, "pearson", constant(0.2))
    assert np.isnan(attacked.score)
    assert attacked.index == 0
    attacked = one(registry, "mae", constant(0.2), small_gold(np.full(30, 0.5)))
    assert np.isnan(attacked.index)
    assert np.isnan(gaming_index([attacked]))


def test_a_setting_is_chosen_on_the_other_half(registry):
    settings = {f"value={value}": constant(value).answer for value in (0.0, 0.2, 0.9)}
    attacked = one(registry, "mae", constant(0.0, settings=settings))
    assert attacked.setting == "value=0.2"
    assert attacked.score == pytest.approx(np.abs(GOLD - 0.2).mean())


def test_choosing_among_worthless_settings_gains_nothing(registry, monkeypatch):
    """The best of many on the same half would be above chance by luck."""

    def noise(seed):
        return lambda batch, rng: attrs.evolve(batch, predicted=np.random.default_rng(seed).random(len(batch)))

    monkeypatch.setattr(given_gold, "_MOST_DRAWS", 256)
    settings = {f"seed={seed}": noise(seed) for seed in range(40)}
    golds = [np.random.default_rng(1000 + part).random(120) for part in range(3)]
    indices = [one(registry, "pearson", constant(0.0, settings=settings), small_gold(gold)).index for gold in golds]
    lucky = [
        max(np.corrcoef(gold, how(small_gold(gold).batch, None).predicted)[0, 1] for how in settings.values())
        for gold in golds
    ]
    assert np.mean(lucky) > 0.15
    assert abs(np.mean(indices)) < 0.08


def test_random_answers_are_drawn_until_their_noise_is_small(registry):
    small = small_gold(np.random.default_rng(3).random(60))
    assert abs(one(registry, "pearson", random(1.0), small).index) < 0.02


def test_cosmetic_attacks_start_from_the_honest_submission(registry):
    same = constant(0.0, manner="cosmetic", answer=lambda batch, rng: batch)
    attacked = one(registry, "pearson", same)
    assert attacked.score == attacked.base == pytest.approx(0.5, abs=0.1)
    assert attacked.index == 0
    assert attacked.error == 0


def test_attacks_that_cannot_be_made_are_left_out(registry):
    def refuse(batch, rng):
        raise DataError("not on this gold")

    assert attack_on_given_gold(case_of(registry, "mae", constant(0, answer=refuse))) == ()


def test_a_real_submission_that_the_metric_refuses_ends_no_audit(registry):
    mae = registry.get(Metric, "mae")

    def bind(batch):
        if (batch.predicted == 7).all():
            raise DataError("constant")
        return mae.bind(batch)

    gold = small_gold(real={"a": attrs.evolve(small_gold().batch, predicted=np.full(len(GOLD), 7.0))})
    case = Case(name="picky", metric=attrs.evolve(mae, name="picky", bind=bind), golds=[gold], attacks=[constant(0.2)])
    assert attack_on_given_gold(case) == ()


@pytest.mark.parametrize("metric", ["pearson", "mae", "delta_avg"])
def test_doing_nothing_gains_nothing_even_where_the_halves_choose_differently(registry, metric):
    """Attack, base and perfect are on the same units, so that different settings of the halves cost nothing."""
    settings = {f"try={n}": lambda batch, rng: batch for n in range(3)}
    nothing = constant(0.0, manner="cosmetic", answer=settings["try=0"], settings=settings)
    on_gold = MetricOnGold(registry.get(Metric, metric), small_gold())
    mean = mean_of([on_gold.on_part(nothing, 0, *part) for part in (("try=1", 0), ("try=2", 1))])
    assert (mean.score == mean.base).all()
    assert one(registry, metric, nothing).index == 0.0


def test_ranks_count_who_is_strictly_better(registry):
    real = {name: attrs.evolve(small_gold().batch, predicted=GOLD + shift) for name, shift in (("a", 0.01), ("b", 0.5))}
    assert one(registry, "mae", constant(float(np.median(GOLD))), small_gold(real=real)).rank == 2
    copy = constant(0, manner="cosmetic", answer=lambda batch, rng: batch)
    assert one(registry, "mae", copy, small_gold(real=real)).rank == 1
    assert one(registry, "mae", constant(0.2)).rank is None


def test_ten_blocks_are_left_out_in_turn():
    scored = MetricOnGold(qeframe.load().get(Metric, "mae"), small_gold())
    assert scored.weights.shape == (11, 300)
    assert (scored.weights[1:].sum(axis=1) == 270).all()
    assert (scored.weights[1:].sum(axis=0) == 9).all()


def test_golds_of_few_units_share_a_number_of_blocks(registry):
    """The index is that of the mean scores; a gold of fewer than ten units has fewer blocks, and so have all."""
    golds = [attrs.evolve(small_gold(GOLD[:units]), name=f"{units} units") for units in (4, 30)]
    attacked = one(registry, "mae", constant(0.2), *golds)
    assert attacked.score == pytest.approx(np.mean([np.abs(GOLD[:units] - 0.2).mean() for units in (4, 30)]))
    assert attacked.error > 0


def tasks_of(registry, profile, path):
    return read_tasks(choose_profile(profile, (), registry), Path(path), registry)


def found(registry, metric, tasks, *attacks):
    audit = qeframe.audit(metric, tasks, attacks=attacks, claims=False, registry=registry)
    return {attacked.attack: attacked for attacked in audit.metrics[0].attacks}


def test_a_constant_beats_five_of_eleven_by_mae(registry, shared_data):
    tasks = tasks_of(registry, "wmt14_qe_task1_2", shared_data("wmt14-qe-task1.2/task-1.2.csv"))
    assert len(tasks[0].batches) == 11
    results = found(registry, "mae", tasks, "constant_median", "shift_and_scale")
    assert results["constant_median"].rank == 12 - 5
    assert results["shift_and_scale"].rank == 1
    mae, shrink = registry.get(Metric, "mae"), registry.get(Attack, "shift_and_scale").settings["factor=0.55"]
    ones = np.ones(tasks[0].units)
    scores = [float(mae.bind(batch)(ones)) for batch in tasks[0].batches.values()]
    best = min(tasks[0].batches.values(), key=lambda batch: float(mae.bind(batch)(ones)))
    assert float(mae.bind(shrink(best, np.random.default_rng(0)))(ones)) < min(scores)


@pytest.mark.parametrize(
    ("metric", "attack", "beaten"),
    [
        ("phrase_f1_bad", "all_bad", 5),
        ("f1_bad", "all_bad", 0),
        ("seqcor", "all_good", 2),
        ("f1_weighted", "all_good", 4),
        ("mcc", "all_bad", 0),
    ],
)
def test_constants_among_the_taggers_of_wmt22(registry, shared_data, metric, attack, beaten):
    tasks = tasks_of(registry, "wmt22_qe_word", shared_data("wmt22-qe/word/en-de"))
    assert len(tasks[0].batches) == 5
    assert found(registry, metric, tasks, attack)[attack].rank == 6 - beaten


def test_segment_means_are_above_all_metrics_of_wmt23(registry, shared_data):
    (task,) = tasks_of(registry, "wmt23_metrics_segment", shared_data("wmt23-metrics"))
    results = found(registry, "segment_pearson", [task], "segment_means", "all_equal")
    assert results["segment_means"].rank == 1
    assert results["segment_means"].score > 0.7
    assert np.isnan(results["all_equal"].score)
    assert results["all_equal"].rank == len(task.batches) + 1
    assert found(registry, "segment_pearson(grouping=item)", [task], "segment_means")["segment_means"].index == 0


def test_ties_of_the_rankings_of_wmt12(registry, shared_data):
    """Never tying gains pi / (1 + pi) under wmt12, where pi is the share of human ties, in every language pair."""
    rules = choose_profile("wmt12_metrics_segment", (), registry)
    readings = registry.get(Reader, rules.reader).read(shared_data("wmt12-metrics"), rules.best)
    assert len(readings) == 8
    for reading in readings:
        human = np.asarray(reading.gold.values)[:, 0].astype(np.int8)
        ties = float((human == 0).mean())
        gold = Judgments.pair(ids=reading.gold.ids, gold=human, predicted=np.zeros((len(human), 2)))
        attacks = {attack.name: attack for attack in registry.all(Attack)}
        expected = {"wmt12": ("never_tie", ties / (1 + ties)), "hties": ("always_tie", ties / (1 + ties))}
        for policy, (attack, index) in expected.items():
            metric = registry.get(Metric, f"kendall(ties={policy})")
            audit = qeframe.audit(metric, gold, attacks=[attacks[attack]], claims=False, registry=registry)
            assert audit.metrics[0].attacks[0].index == pytest.approx(index, abs=0.02), reading.name


def test_scores_are_means_over_several_tasks(registry, shared_data):
    (task,) = tasks_of(registry, "wmt14_qe_task1_2", shared_data("wmt14-qe-task1.2/task-1.2.csv"))
    halves = [
        attrs.evolve(
            task, name=str(part), batches={s: b.take(np.arange(part, 208, 2)) for s, b in task.batches.items()}
        )
        for part in (0, 1)
    ]
    alone = [found(registry, "mae", [half], "constant_mean")["constant_mean"] for half in halves]
    both = found(registry, "mae", halves, "constant_mean")["constant_mean"]
    assert both.score == pytest.approx(np.mean([each.score for each in alone]))
    assert both.base == pytest.approx(np.mean([each.base for each in alone]))
    assert both.error < max(each.error for each in alone)
