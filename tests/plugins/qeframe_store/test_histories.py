"""Histories: every score of every submission is found once, in the run that has it."""

import math

import attrs

from qeframe_store.histories import StoredResult, histories, history_table, run_table, same_rules
from qeframe_store.store import Store, StoredRun, StoredScore
from tests.plugins.qeframe_store.test_changes import OLD, evaluation, signature, submission
from tests.qeframe.report.test_tables import whole


def stored(tmp_path, *evaluations):
    """Return evaluations as a store gives them back."""
    tmp_path.mkdir(exist_ok=True)
    with Store(tmp_path / "store", create=True) as store:
        for week, evaluation in enumerate(evaluations):
            store.add(evaluation, f"week {week}")
        return [StoredResult(run, store.evaluation(run.number)) for run in store.runs()]


def told(lines):
    return {
        (line.metric, line.task, line.submission): [(m.at, m.result.value, m.rank) for m in line.moments]
        for line in lines
    }


def test_scores_of_submissions_that_come_and_go(tmp_path):
    later = evaluation(submission("C", 0.9, 1), submission("B", 0.6, 2))
    assert told(histories(stored(tmp_path, attrs.evolve(OLD, tasks={}), later))) == {
        ("m", "", "C"): [(1, 0.9, 1)],
        ("m", "", "B"): [(0, 0.3, 2), (1, 0.6, 2)],
        ("m", "", "A"): [(0, 0.5, 1)],
    }
    assert histories([]) == []


def test_tasks_have_histories_where_a_run_has_several(tmp_path):
    counts = {"de": {"segments": 3}, "fr": {"segments": 2}}
    both = attrs.evolve(OLD, tasks=counts)
    single = attrs.evolve(both, tasks={"de": counts["de"]})
    scores = told(histories(stored(tmp_path, both, single)))
    assert scores["m", "de", "A"] == [(0, 0.4, None)]
    assert scores["m", "", "A"] == [(0, 0.5, 1), (1, 0.5, 1)]
    assert set(scores) == {("m", "", "A"), ("m", "", "B"), ("m", "de", "A"), ("m", "fr", "A")}


def test_rules_and_units_are_compared(tmp_path):
    other = signature(rules={**OLD.signature.rules, "correction": "none"})
    fewer = signature(units={"de": "2 x segment"})
    runs = [OLD, attrs.evolve(OLD, signature=signature(seed=1)), attrs.evolve(OLD, signature=other)]
    assert same_rules(stored(tmp_path, *runs, attrs.evolve(OLD, signature=fewer))) == [True, False, False]
    assert same_rules([]) == []


def test_the_name_of_a_single_task_does_not_matter(tmp_path):
    def run(name):
        units = {name: "3 x segment"}
        return attrs.evolve(OLD, tasks={name: {"segments": 3}}, signature=signature(units=units))

    assert same_rules(stored(tmp_path, run("task"), run("T2"))) == [True]
    assert same_rules(stored(tmp_path / "pairs", run("en-de"), run("en-cs"))) == [False]


def test_stores(snapshot):
    run = StoredRun(number=1, label="monday", added="2026", profile="p", primary="m", signature="s", submissions=2)
    score = StoredScore(
        run=1, label="monday", profile="p", submission="A", kind="real", metric="m", task="", value=0.5, low=0.4,
        high=0.6, rank=1, cluster=None,
    )  # fmt: skip
    undefined = attrs.evolve(score, run=2, value=math.nan, low=math.nan, rank=2)
    other = attrs.evolve(score, submission="B", task="de", rank=None)
    tables = {
        "runs": run_table([run], "Runs"),
        "an empty store": run_table([], "Runs"),
        "what all scores share is said once": history_table([score, undefined], "A"),
        "what differs is a column": history_table([score, other], "a"),
        "no score": history_table([], "all"),
    }
    snapshot("stores.txt", whole(tables))
