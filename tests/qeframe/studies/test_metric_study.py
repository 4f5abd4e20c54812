"""Which metric to use on given data: each column against a slow computation of its own, and what is refused."""

import math

import attrs
import numpy as np
import pytest
from scipy import stats

import qeframe
from qeframe import DataError, Runner, Submission, Task, load
from qeframe.assembly.scoreboard import scoreboard_of
from qeframe.core.comparison import ComparisonRules
from qeframe.plugin import Correction, Scores, SignificanceTest
from qeframe.plugin.results import resolve
from qeframe.studies import by_selection, distinguish
from qeframe.studies.metric_study import other_metrics, split_half_reliability
from qeframe.studies.verdicts import ROUNDS, decide, tell_apart

PROFILE = qeframe.choose_profile("qe_sentence")


def task(units=60, noise=(0.3, 0.8, 1.0, 3.0), seed=0, name="en-de"):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    return Task(
        name=name,
        batches={
            Submission(f"S{i}"): Scores.from_plain(gold, gold + scale * rng.normal(size=units))
            for i, scale in enumerate(noise)
        },
    )


def rows_of(data, **options):
    tasks = [data] if isinstance(data, Task) else data
    return distinguish(PROFILE, tasks, load(), **{"draws": 200, **options}).metrics


def test_verdicts_are_those_of_an_evaluation():
    (row,) = rows_of(task(), metrics=["pearson"])
    settings = ["primary=pearson", "secondary=[]", "test=default", "correction=default", "sided=two"]
    found = qeframe.evaluate(PROFILE, task(), settings=settings)
    pairs = (row.verdicts.separated, row.verdicts.pairs, row.verdicts.undecided)
    assert pairs == (sum(one.significant for one in found.comparisons), 6, 0)


ALPHA = ComparisonRules(
    test=SignificanceTest(name="t", summary="t", needs="bind", run=lambda *_: None),
    correction=Correction(name="c", summary="c", adjust=lambda p: p),
)


def test_a_pair_near_alpha_is_not_decided_and_others_are():
    rng = np.random.default_rng(0)
    true = np.array([0.001, 0.04, 0.0499, 0.0501, 0.06, 0.5, np.nan])
    drawn = rng.binomial(1000, np.nan_to_num(true), size=(16, 7)) / 1000 + np.where(np.isnan(true), np.nan, 0)
    separated, possibly = decide(drawn, ALPHA)
    assert separated.tolist() == [True, True, False, False, False, False, False]
    assert possibly.tolist() == [True, True, True, True, False, False, False]


def test_p_that_no_draw_changes_decide_at_once():
    separated, possibly = decide(np.tile([0.0499, 0.05], (4, 1)), ALPHA)
    assert separated.tolist() == possibly.tolist() == [True, False]


@pytest.mark.slow
def test_seeds_never_contradict_each_other_on_p_near_alpha():
    """Of two runs with the same true p, none says that a pair differs which the other says does not."""
    rng = np.random.default_rng(3)
    true = rng.uniform(0.03, 0.08, size=300)
    runs = [decide(rng.binomial(500, true, size=(16, 300)) / 500, ALPHA) for _ in range(40)]
    separated, possibly = (np.stack(each) for each in zip(*runs, strict=True))
    assert separated.any(axis=0).sum() > 50
    assert not (separated.any(axis=0) & ~possibly.all(axis=0)).any()


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["pearson", "rmse"])
def test_verdicts_of_four_streams_of_draws_are_the_same(shared_data, metric):
    rules = attrs.evolve(
        qeframe.choose_profile("wmt22_qe_sentence"), primary=metric, secondary=(), test="default", correction="default"
    )
    tasks = qeframe.read_tasks(rules, shared_data("wmt22-qe/mqm/en-de"))
    resolved = resolve(attrs.evolve(rules, sided="two", interval="", valid={}), load(), reads=False)
    found = [tell_apart(resolved, tasks, load(), seed=seed, runner=Runner()) for seed in (0, 100, 200, 300)]
    assert len({attrs.astuple(attrs.evolve(each, draws=0)) for each in found}) == 1


def test_a_pair_whose_p_stays_near_alpha_is_not_determined(monkeypatch):
    nearly = np.array([0.2])
    monkeypatch.setattr("qeframe.studies.verdicts.adjusted_pairs", lambda *_: nearly * next(near_alpha) / nearly)
    near_alpha = iter([0.03, 0.06] * ROUNDS)
    (row,) = rows_of(task(noise=(0.5, 0.6)), metrics=["pearson"])
    found = row.verdicts
    assert (found.separated, found.undecided, found.pairs) == (0, 1, 1)
    assert found.draws == ROUNDS * 200


def test_rounds_have_draws_of_their_own_and_neighboring_seeds_share_none(monkeypatch):
    seeds = []

    def noted(resolved, tasks, seed, runner):
        seeds.append(seed)
        return scoreboard_of(resolved, tasks, seed, runner)

    monkeypatch.setattr("qeframe.studies.verdicts.scoreboard_of", noted)
    rules = attrs.evolve(PROFILE, primary="pearson", secondary=(), test="default", correction="default")
    resolved = resolve(rules, load(), reads=False)
    for seed in (0, 1):
        tell_apart(resolved, [task(noise=(1, 1.01))], load(), seed=seed, draws=50, runner=Runner())
    assert len(seeds) == len(set(seeds)) >= 8


def test_reliability_is_that_of_halves_one_by_one():
    given = task(units=41)
    resolved = resolve(attrs.evolve(PROFILE, primary="pearson", secondary=()), load(), reads=False)
    board = scoreboard_of(resolved, [given], 0, Runner())
    found = split_half_reliability(board.contests[0], 300, 0)
    rng, correlations = np.random.default_rng(5), []
    for _ in range(300):
        order = rng.permutation(41)
        scores = [
            [np.corrcoef(batch.gold[half], batch.predicted[half])[0, 1] for batch in given.batches.values()]
            for half in (order[:20], order[20:])
        ]
        correlations.append(stats.spearmanr(*scores).statistic)
    mean = np.mean(correlations)
    assert found == pytest.approx(2 * mean / (1 + mean), abs=0.02)
    assert found == split_half_reliability(board.contests[0], 300, 0)


def test_two_submissions_have_no_reliability():
    (row,) = rows_of(task(noise=(0.5, 0.6)), metrics=["pearson"])
    assert math.isnan(row.reliability)


def exchanged(units, rng):
    """Return a task whose submissions do not differ: each unit's answers are dealt out at random."""
    gold = rng.normal(size=units)
    answers = gold + rng.standard_t(3, size=(5, units)) * np.array([[0.3], [0.5], [0.8], [1.0], [2.0]])
    dealt = rng.permuted(answers, axis=0)
    return Task(name="t", batches={Submission(f"S{i}"): Scores.from_plain(gold, row) for i, row in enumerate(dealt)})


def test_equal_submissions_are_not_told_apart():
    gold = np.arange(20.0)
    batches = {Submission(name): Scores.from_plain(gold, gold[::-1]) for name in "ABC"}
    for row in rows_of(Task(name="t", batches=batches), metrics=["pearson", "mae"]):
        assert (row.verdicts.separated, row.verdicts.undecided, row.verdicts.pairs) == (0, 0, 3)
        assert math.isnan(row.reliability)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["pearson", "mae"])
def test_where_nothing_differs_pairs_are_told_apart_as_seldom_as_alpha_allows(metric):
    rng, runs = np.random.default_rng(11), 200
    found = [rows_of(exchanged(60, rng), metrics=[metric])[0] for _ in range(runs)]
    claims = sum(row.verdicts.separated > 0 for row in found)
    assert stats.binomtest(claims, runs, 0.05, alternative="greater").pvalue > 0.001
    assert abs(np.median([row.reliability for row in found])) < 0.25


def test_several_tasks_and_what_is_not_ranked():
    both = [task(), task(seed=1, name="en-cs")]
    with_human = attrs.evolve(
        both[0], batches={**both[0].batches, Submission("h", "human"): task().batches[Submission("S0")]}
    )
    assert rows_of(both, metrics=["mae"]) == rows_of([with_human, both[1]], metrics=["mae"])


def test_all_metrics_are_those_that_score_the_task():
    found = other_metrics([task(units=10)], ["pearson"], load())
    assert {"spearman", "mae", "rmse"} <= set(found)
    assert not {"pearson", "mcc"} & set(found)


def test_draws_task_sets_and_names_of_tasks_that_cannot_be():
    with pytest.raises(DataError, match="must not be negative"):
        rows_of(task(), draws=-1)
    with pytest.raises(DataError, match="'wmt23_metrics' is a task set; give a profile of one metric"):
        distinguish(qeframe.choose_profile("wmt23_metrics"), [task()], load())
    rules = qeframe.choose_profile("qe_sentence", ["across=mean(exclude=[other])"])
    with pytest.raises(DataError, match="task 'other' is excluded, but there is no such task"):
        distinguish(rules, [task()], load())


def test_progress_is_that_of_all_metrics():
    done = []
    runner = Runner(on_progress=lambda *each: done.append(each))
    assert rows_of(task(), metrics=["mae", "pearson"], runner=runner) == rows_of(task(), metrics=["mae", "pearson"])
    assert done == [(0, 2), (1, 2), (2, 2)]


def test_selections_of_a_task_set_have_their_metrics_and_pairs():
    parts = (
        {"metric": "pearson", "read": {"level": "sys"}, "pairs": ["en-de"], "level": "system"},
        {"metric": ["kendall_tau_b", "mae"], "read": {"level": "seg"}, "level": "segment"},
        {"metric": "pearson", "read": {"level": "seg"}, "pairs": ["zh-en"], "level": "pairs"},
    )
    profile = attrs.evolve(qeframe.choose_profile("metrics"), parts=parts)
    tasks = [
        attrs.evolve(task(), name=name, selection=f"level={at}") for at in ("sys", "seg") for name in ("en-de", "zh-en")
    ]
    found = by_selection(profile, tasks, load())
    assert [(rules.metrics, rules.parts) for rules, *_ in found] == [
        (("pearson",), ()),
        (("kendall_tau_b", "mae", "pearson"), ()),
    ]
    assert [rules.title.rpartition("rules, ")[2] for rules, *_ in found] == ["system", "segment, pairs"]
    assert [[each.name for each in read] for _, read, _ in found] == [["en-de"], ["en-de", "zh-en"]]
    assert [names for *_, names in by_selection(profile, tasks, load(), ["mae()"])] == [("mae",)]
    with pytest.raises(DataError, match="no task is of the parts of 'metrics'"):
        by_selection(profile, [task()], load())
    plain = qeframe.choose_profile("qe_sentence")
    assert by_selection(plain, tasks, load(), ["mae"]) == [(plain, tasks, ("mae",))]
