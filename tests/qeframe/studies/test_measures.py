"""Which measures can be trusted: each column against a slow computation of its own; verdicts; JSON and back."""

import json
import math

import attrs
import numpy as np
import pytest
from scipy import stats

import qeframe
from qeframe import DataError, Runner, Submission, Task, load
from qeframe.core.evaluation.comparison_rules import ComparisonRules
from qeframe.core.evaluation.scoreboard import scoreboard_of
from qeframe.core.profiles.resolved import resolve
from qeframe.plugin import Correction, Scores, SignificanceTest
from qeframe.studies import Trust, TrustedData, TrustRow, Verdicts, trust, trust_from_json
from qeframe.studies.measures.row import split_half_reliability
from qeframe.studies.measures.study import other_metrics
from qeframe.studies.measures.verdicts import ROUNDS, decided, verdicts

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


def study_of(data, **options):
    return trust(PROFILE, data, **{"runs": 0, "splits": 20, "draws": 200, "audit": False, **options})


def rows_of(data, **options):
    return study_of(data, **options).data[0].measures


def test_verdicts_are_those_of_an_evaluation():
    (row,) = rows_of(task(), metrics=["pearson"])
    settings = ["primary=pearson", "secondary=[]", "test=default", "correction=default", "sided=two"]
    found = qeframe.evaluate(PROFILE, task(), settings=settings)
    assert row.first == (found.submissions[0].name,)
    assert row.score == found.submissions[0].scores["pearson"].value
    assert list(row.scores) == [each.name for each in found.submissions]
    pairs = (row.verdicts.separated, row.verdicts.pairs, row.verdicts.undecided)
    assert pairs == (sum(one.significant for one in found.comparisons), 6, 0)
    beaten = {one.b for one in found.comparisons if one.significant}
    assert row.verdicts.winners == tuple(name for name in row.scores if name not in beaten)
    assert row.verdicts.possible == ()


ALPHA = ComparisonRules(
    test=SignificanceTest(name="t", summary="t", needs="bind", run=lambda *_: None),
    correction=Correction(name="c", summary="c", adjust=lambda p: p),
)


def test_a_pair_near_alpha_is_not_decided_and_others_are():
    rng = np.random.default_rng(0)
    true = np.array([0.001, 0.04, 0.0499, 0.0501, 0.06, 0.5, np.nan])
    drawn = rng.binomial(1000, np.nan_to_num(true), size=(16, 7)) / 1000 + np.where(np.isnan(true), np.nan, 0)
    separated, possibly = decided(drawn, ALPHA)
    assert separated.tolist() == [True, True, False, False, False, False, False]
    assert possibly.tolist() == [True, True, True, True, False, False, False]


def test_p_that_no_draw_changes_decide_at_once():
    separated, possibly = decided(np.tile([0.0499, 0.05], (4, 1)), ALPHA)
    assert separated.tolist() == possibly.tolist() == [True, False]


@pytest.mark.slow
def test_seeds_never_contradict_each_other_on_p_near_alpha():
    """Of two runs with the same true p, none says that a pair differs which the other says does not."""
    rng = np.random.default_rng(3)
    true = rng.uniform(0.03, 0.08, size=300)
    runs = [decided(rng.binomial(500, true, size=(16, 300)) / 500, ALPHA) for _ in range(40)]
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
    found = [verdicts(resolved, tasks, load(), seed=seed, runner=Runner()) for seed in (0, 100, 200, 300)]
    assert len({attrs.astuple(attrs.evolve(each, draws=0)) for each in found}) == 1


def test_a_submission_that_may_be_beaten_is_a_possible_winner(monkeypatch):
    nearly = np.array([0.2])
    monkeypatch.setattr(
        "qeframe.studies.measures.verdicts.adjusted_pairs", lambda *_: nearly * next(near_alpha) / nearly
    )
    near_alpha = iter([0.03, 0.06] * ROUNDS)
    (row,) = rows_of(task(noise=(0.5, 0.6)), metrics=["pearson"])
    found = row.verdicts
    assert (found.separated, found.undecided, found.winners, found.possible) == (0, 1, ("S0",), ("S1",))
    assert found.draws == ROUNDS * 200


def test_rounds_have_draws_of_their_own_and_neighboring_seeds_share_none(monkeypatch):
    seeds = []

    def noted(resolved, tasks, seed, runner):
        seeds.append(seed)
        return scoreboard_of(resolved, tasks, seed, runner)

    monkeypatch.setattr("qeframe.studies.measures.verdicts.scoreboard_of", noted)
    rules = attrs.evolve(PROFILE, primary="pearson", secondary=(), test="default", correction="default")
    resolved = resolve(rules, load(), reads=False)
    for seed in (0, 1):
        verdicts(resolved, [task(noise=(1, 1.01))], load(), seed=seed, draws=50, runner=Runner())
    assert len(seeds) == len(set(seeds)) >= 8


def test_reliability_is_that_of_halves_one_by_one():
    given = task(units=41)
    resolved = resolve(attrs.evolve(PROFILE, primary="pearson", secondary=()), load(), reads=False)
    board = scoreboard_of(resolved, [given], 0, Runner())
    found = split_half_reliability(board.comparables[0], 300, 0)
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
    assert found == split_half_reliability(board.comparables[0], 300, 0)


def test_two_submissions_have_no_reliability_and_equal_ones_share_the_first_place():
    (row,) = rows_of(task(noise=(0.5, 0.6)), metrics=["pearson"])
    assert math.isnan(row.reliability)
    gold = np.arange(20.0)
    batches = {
        Submission("A"): Scores.from_plain(gold, gold / 3),
        Submission("B"): Scores.from_plain(gold, gold / 7 + 0.1),
    }
    (row,) = rows_of(Task(name="t", batches=batches), metrics=["pearson"])
    assert row.first == ("A", "B")  # correlations of 1, up to rounding


def test_errors_of_tests_on_exchanged_answers():
    (row,) = rows_of(task(units=30), metrics=["pearson"], runs=100)
    assert row.year_error.runs == row.default_error.runs == 100
    assert 0 < row.default_error.value < 0.15
    (none,) = rows_of(task(units=30), metrics=["mae"], runs=10)
    assert none.year_error is None or none.year_test


def test_units_needed_are_those_of_power():
    (row,) = rows_of(task(), metrics=["pearson"])
    rules = attrs.evolve(PROFILE, primary="pearson", secondary=())
    study = qeframe.studies.power_curves(rules, [task()], load(), draws=0)
    assert (row.needed, row.needed_high) == (study.curves[0].needed, study.curves[0].needed_high)
    (row,) = rows_of(task(units=20), metrics=["delta_avg"], draws=5)
    assert math.isnan(row.needed)


def test_several_tasks_and_what_is_not_ranked():
    both = [task(), task(seed=1, name="en-cs")]
    with_human = attrs.evolve(
        both[0], batches={**both[0].batches, Submission("h", "human"): task().batches[Submission("S0")]}
    )
    assert rows_of(both, metrics=["mae"]) == rows_of([with_human, both[1]], metrics=["mae"])


def test_data_sets_by_name_side_by_side(tmp_path):
    study = study_of({"one": task(), "two": [task(seed=1), task(seed=2, name="en-cs")]}, metrics=["mae", "pearson"])
    assert [(data.name, data.tasks, data.units) for data in study.data] == [("one", 1, 60), ("two", 2, 120)]
    assert study.data[0].measures == rows_of(task(), metrics=["mae", "pearson"])
    with pytest.raises(DataError, match="there is no"):
        study_of([tmp_path / "a" / "t", tmp_path / "b" / "t"])


def test_all_metrics_are_those_that_score_the_task():
    found = other_metrics([task(units=10)], ["pearson"], load())
    assert {"spearman", "mae", "rmse"} <= set(found)
    assert not {"pearson", "mcc"} & set(found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"splits": 0}, "at least one split"),
        ({"runs": -1}, "must not be negative"),
        ({"draws": -1}, "must not be negative"),
    ],
)
def test_options_out_of_range(change, message):
    with pytest.raises(DataError, match=message):
        study_of(task(), **change)


def test_too_few_submissions_no_tasks_and_task_sets():
    with pytest.raises(DataError, match="fewer than two submissions"):
        study_of(task(noise=(1.0,)))
    with pytest.raises(DataError, match="a data set is a path, a Task"):
        study_of([1])
    with pytest.raises(DataError, match=r"is a task set.*such as 'wmt23_metrics_segment'"):
        trust("wmt23_metrics", task())


def test_long_work_is_told_before_it_begins_and_progress_is_that_of_all_measures(monkeypatch):
    monkeypatch.setattr("qeframe.studies.measures.study._LONG", 0.0)
    notices, done = [], []
    runner = Runner(on_notice=notices.append, on_progress=lambda *each: done.append(each))
    study = study_of(task(), metrics=["mae", "pearson"], runs=20, runner=runner)
    assert len(notices) == 1
    assert notices[0].startswith("this takes about")
    assert [each for each, _ in done] == sorted(each for each, _ in done)
    assert done[-1] == (2 * (ROUNDS + 3), 2 * (ROUNDS + 3))
    assert study == study_of(task(), metrics=["mae", "pearson"], runs=20)


def test_json_and_back():
    study = study_of(task(units=20, noise=(0.8, 0.81, 1)), metrics=["mae"], runs=2, draws=20, audit=True)
    assert json.loads(study.to_json())["format"] == 1
    again = trust_from_json(study.to_json())
    assert again.to_json() == study.to_json()
    assert again.data[0].measures[0] == study.data[0].measures[0]


def test_an_infinite_number_of_units_is_a_word_in_json():
    row = TrustRow(metric="m", needed=10.0, needed_high=math.inf)
    assert row.to_plain()["needed_high"] == "infinite"
    assert row.to_plain()["reliability"] is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 1}', '{"format": 1, "data": 3}'])
def test_other_json_is_refused(text):
    with pytest.raises(DataError, match="no study of measures"):
        trust_from_json(text)


def test_json_of_a_later_format_is_refused():
    with pytest.raises(DataError, match="this is format 2"):
        trust_from_json('{"format": 2}')


def test_rank_correlations_are_spearmans_on_what_both_score():
    rows = (
        TrustRow(metric="a", scores={"X": 3.0, "Y": 2.0, "Z": 1.0, "W": math.nan}),
        TrustRow(metric="b", scores={"X": 0.1, "Z": 0.2, "Y": 0.3, "W": 0.0}, higher_is_better=False),
        TrustRow(metric="c", scores={"X": 1.0, "Y": 1.0, "Z": 1.0}),
    )
    data = TrustedData(name="d", profile="p", title="p", unit="segment", units=9, submissions=4, tasks=1, measures=rows)
    found = data.rank_correlations()
    assert found["a", "b"] == pytest.approx(stats.spearmanr([3, 2, 1], [-0.1, -0.3, -0.2]).statistic)
    assert math.isnan(found["a", "c"])
    study = Trust(splits=1, runs=0, alpha=0.05, seed=0, data=(data,))
    assert repr(study) == "<Trust in 3 measures on d>"
    assert Verdicts().winners == ()
