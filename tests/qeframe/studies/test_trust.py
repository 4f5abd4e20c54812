"""Which measures can be trusted: each column against a slow computation of its own."""

import math

import attrs
import numpy as np
import pytest
from scipy import stats

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.evaluation.scoreboard import scoreboard_of
from qeframe.core.profiles.resolved import resolve
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.studies.tables.trust import trust_table
from qeframe.studies.trust import SEEDS, TrustRow, same_first, split_half_reliability, trust

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


@pytest.fixture
def registry():
    return qeframe.load()


def rows_of(tasks, registry, **options):
    return trust(PROFILE, tasks, registry, **{"runs": 0, "splits": 20, **options})


def test_verdicts_are_those_of_an_evaluation(registry):
    (row,) = rows_of([task()], registry, metrics=["pearson"])
    settings = ["primary=pearson", "secondary=[]", "test=default", "correction=default", "sided=two"]
    found = qeframe.evaluate(PROFILE, task(), settings=settings)
    assert row.first == (found.submissions[0].name,)
    assert row.score == found.submissions[0].scores["pearson"].value
    assert (row.separated, row.pairs, row.undecided) == (sum(one.significant for one in found.comparisons), 6, 0)
    beaten = {one.b for one in found.comparisons if one.significant}
    assert set(row.winners) == {"S0", "S1", "S2", "S3"} - beaten


def test_a_verdict_that_depends_on_the_seed_is_not_determined(registry, monkeypatch):
    differ, equal = np.array([[False, True], [False, False]]), np.zeros((2, 2), dtype=bool)
    verdicts = iter([differ] * (SEEDS - 1) + [equal])
    monkeypatch.setattr("qeframe.studies.trust.better_of", lambda *_: next(verdicts))
    (row,) = rows_of([task(noise=(0.5, 0.6))], registry, metrics=["pearson"])
    assert (row.separated, row.undecided, row.winners) == (0, 1, ("S0", "S1"))


def test_reliability_is_that_of_halves_one_by_one(registry):
    given = task(units=41)
    resolved = resolve(attrs.evolve(PROFILE, primary="pearson", secondary=()), registry, reads=False)
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


def test_two_submissions_have_no_reliability_and_equal_ones_share_the_first_place(registry):
    (row,) = rows_of([task(noise=(0.5, 0.6))], registry, metrics=["pearson"])
    assert math.isnan(row.reliability)
    gold = np.arange(20.0)
    batch = Scores.from_plain(gold, gold)
    (row,) = rows_of(
        [Task(name="t", batches={Submission("A"): batch, Submission("B"): batch})], registry, metrics=["mae"]
    )
    assert row.first == ("A", "B")


def test_errors_of_tests_on_exchanged_answers(registry):
    (row,) = rows_of([task(units=30)], registry, metrics=["pearson"], runs=200)
    assert row.own_error.runs == row.default_error.runs == 200
    assert 0.005 < row.default_error.value < 0.12
    (none,) = rows_of([task(units=30)], registry, metrics=["mae"], runs=10)
    assert none.own_error is None or none.own_test


def test_units_needed_are_those_of_power(registry):
    (row,) = rows_of([task()], registry, metrics=["pearson"])
    study = qeframe.studies.power_curves(
        attrs.evolve(PROFILE, primary="pearson", secondary=()), [task()], registry, draws=0
    )
    assert (row.needed, row.needed_high) == (study.curves[0].needed, study.curves[0].needed_high)
    (row,) = rows_of([task()], registry, metrics=["delta_avg"])
    assert math.isnan(row.needed)


def test_several_tasks_and_what_is_not_ranked(registry):
    both = [task(), task(seed=1, name="en-cs")]
    with_human = attrs.evolve(
        both[0], batches={**both[0].batches, Submission("h", "human"): task().batches[Submission("S0")]}
    )
    assert rows_of(both, registry) == rows_of([with_human, both[1]], registry)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"splits": 0}, "at least one split"),
        ({"runs": -1}, "must not be negative"),
    ],
)
def test_options_out_of_range(registry, change, message):
    with pytest.raises(DataError, match=message):
        rows_of([task()], registry, **change)


def test_too_few_submissions_and_task_sets(registry):
    with pytest.raises(DataError, match="fewer than two submissions"):
        rows_of([task(noise=(1.0,))], registry)
    with pytest.raises(DataError, match="is a task set"):
        trust(qeframe.choose_profile("wmt23_metrics"), [task()], registry)


def test_who_is_first_in_a_sentence():
    rows = [TrustRow(metric=name, first=(first,), score=1.0) for name, first in (("a", "X"), ("b", "X"), ("c", "Y"))]
    assert same_first(rows) == "X is first under 2 of 3 measures; Y under c"
    assert same_first([TrustRow(metric="a", first=(), score=math.nan)]) == "no measure has a defined score"


def test_the_table_says_what_is_lacking(registry):
    row = TrustRow(metric="a", first=(), score=math.nan, reason="there is no test")
    full = attrs.evolve(
        row,
        reason="",
        first=("X",),
        winners=tuple("XYZWV"),
        undecided=1,
        separated=2,
        pairs=10,
        needed=50.0,
        needed_high=math.inf,
        gamed={"index": 0.25, "low": 0.1, "high": 0.3, "attack": "constant", "rank": 3},
    )
    table = trust_table([row, full], "t", unit="segment", splits=20, runs=0)
    cells = [[cell.text for cell in of] for of in table.rows]
    assert "n/a" in cells[0]
    assert "X, Y, Z and 2 more" in cells[1]
    assert "2 of 10 (1 pair not determined)" in cells[1]
    assert "50 (no number)" in cells[1]
    assert cells[1][-3:] == ["0.25", "constant", "3"]
    assert any("a: there is no test" in note for note in table.notes)
