"""Attacks among the submissions of real shared tasks."""

from pathlib import Path

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.components.metric import Metric
from qeframe.core.components.reader import Reader
from qeframe.extensions.attack import Attack
from qeframe.kinds.judgments.batch import Judgments


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
