"""The store: what is added is found again, once, by run, submission, metric and task."""

import math
import sqlite3

import attrs
import pytest

from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.evaluation.result import Result, ScoredSubmission
from qeframe_store.store import Store, StoredScore, score_rows
from tests.plugins.qeframe_store.test_changes import OLD, evaluation, submission

NEW = evaluation(submission("B", 0.6, 1, {"de": 0.5}, cluster=1), submission("A", math.nan, 2))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.sqlite", create=True) as store:
        yield store


def test_runs_in_the_order_in_which_they_were_added(store):
    assert store.runs() == []
    assert [store.add(OLD, "monday"), store.add(NEW, "friday")] == [1, 2]
    first, second = store.runs()
    assert (first.number, first.label, first.profile, first.primary, first.submissions) == (1, "monday", "p", "m", 2)
    assert first.signature == OLD.signature.text
    assert first.added.endswith("+00:00")
    assert second.label == "friday"
    assert store.evaluation(2).to_json() == NEW.to_json()


def test_names(store):
    store.add(OLD, "one")
    assert [store.names(column) for column in ("submission", "metric", "task")] == [["A", "B"], ["m"], ["de", "fr"]]


def test_a_result_is_kept_once(store):
    assert store.add(OLD, "one") == 1
    assert store.add(OLD, "two") is None
    assert [run.label for run in store.runs()] == ["one"]


def test_a_result_in_the_store_gets_another_label(store):
    store.add(OLD, "one")
    store.add(NEW, "two")
    assert store.relabel(NEW, "three") == 2
    assert [run.label for run in store.runs()] == ["one", "three"]


def test_the_scores_of_a_single_task_are_found_by_its_name(store):
    store.add(evaluation(submission("A", 0.5, 1, cluster=1), submission("B", 0.3, 2), tasks={"en-de": {}}), "one")
    assert store.names("task") == ["en-de"]
    by_task, named = store.history(submission="A", task=None), store.history(submission="A", task="en-de")
    assert [(s.task, s.value, s.rank, s.cluster) for s in by_task] == [("en-de", 0.5, None, None)]
    assert [(s.task, s.value) for s in named] == [("en-de", 0.5)]
    assert [(s.task, s.value, s.rank) for s in store.history(submission="A")] == [("", 0.5, 1)]


def test_history_of_a_submission(store):
    store.add(OLD, "monday")
    store.add(NEW, "friday")
    scores = store.history(submission="B")
    assert [(s.run, s.label, s.value, s.rank, s.cluster) for s in scores] == [
        (1, "monday", 0.3, 2, None),
        (2, "friday", 0.6, 1, 1),
    ]
    assert [(s.task, s.value, s.rank) for s in store.history(submission="A", task=None)] == [
        ("de", 0.4, None),
        ("fr", 0.6, None),
    ]
    assert [s.submission for s in store.history(task="de")] == ["A", "B"]
    undefined = store.history(submission="A", metric="m")[1]
    assert math.isnan(undefined.value)
    assert math.isnan(undefined.low)


def test_the_primary_metric_of_each_run(store):
    store.add(OLD, "m")
    scored = ScoredSubmission(name="A", kind="real", rank=1, scores={"n": Result(value=2.0), "m": Result(value=1.0)})
    store.add(
        attrs.evolve(
            OLD, primary="n", metrics=("n", "m"), submissions=(scored,), higher_is_better={"n": True, "m": True}
        ),
        "n",
    )
    assert [(s.metric, s.value) for s in store.history(submission="A")] == [("m", 0.5), ("n", 2.0)]
    assert [(s.value, s.rank) for s in store.history(submission="A", metric="m")] == [(0.5, 1), (1.0, None)]


def test_it_is_found_again_by_another_process(tmp_path):
    path = tmp_path / "s"
    with Store(path, create=True) as store:
        store.add(OLD, "x")
    with Store(path) as store:
        assert len(store.runs()) == 1
    with sqlite3.connect(path) as plain:
        assert plain.execute("select count(*) from score").fetchone() == (4,)


@pytest.mark.parametrize("wanted", [{"submission": "a"}, {"metric": "x"}, {"task": "en"}])
def test_names_that_the_store_does_not_have(store, wanted):
    store.add(OLD, "x")
    with pytest.raises(UnknownNameError, match=r"unknown (submission|metric|task) in"):
        store.history(**wanted)


def test_a_run_that_the_store_does_not_have(store):
    with pytest.raises(UnknownNameError, match="unknown run '3'"):
        store.evaluation(3)


def test_files_that_are_no_store(tmp_path):
    (tmp_path / "text").write_text("not a database " * 100)
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("create table t (x)")
    with Store(tmp_path / "later", create=True):
        pass
    with sqlite3.connect(tmp_path / "later") as later:
        later.execute("pragma user_version = 9")
    for path, create, message in (
        ("none", False, "no such store"),
        (".", True, "is a folder"),
        ("text", False, "is not a store; name another file"),
        ("no/folder", True, "cannot be used: unable to open"),
        ("other", True, "a database of another program"),
        ("later", False, "a store of version 9, and this qeframe reads version 1"),
    ):
        with pytest.raises(DataError, match=message):
            Store(tmp_path / path, create=create)


def test_a_full_or_broken_store_is_one_line(store):
    store.add(OLD, "x")
    store._database.execute("drop table score")
    with pytest.raises(DataError, match="the store cannot be used: no such table"):
        store.history()


def test_a_text_that_is_no_unicode_is_one_line(store):
    with pytest.raises(DataError, match=r"has a text that is not Unicode: surrogates not allowed; check the file"):
        store.add(OLD, "\ud800")
    store.add(OLD, "x")
    store._database.execute("update run set label = cast(x'f5' as text)")
    with pytest.raises(DataError, match=r"Unicode|UTF-8"):
        store.runs()


def test_nothing_is_kept_of_a_result_that_failed_half_way(store, monkeypatch):
    def half(_evaluation):
        yield ("A", "real", "m", "", 1.0, None, None, 1, None)
        raise RuntimeError

    monkeypatch.setattr("qeframe_store.store.score_rows", half)
    with pytest.raises(RuntimeError):
        store.add(OLD, "x")
    assert store.runs() == []


def test_rows_of_several_tasks():
    rows = [(row[0], row[3], row[4], row[7]) for row in score_rows(OLD)]
    assert rows == [("A", "", 0.5, 1), ("A", "de", 0.4, None), ("A", "fr", 0.6, None), ("B", "", 0.3, 2)]


def test_a_single_task_has_the_score_over_all_tasks():
    alone = evaluation(submission("A", math.nan, 1, cluster=1), tasks={"de": {}})
    rows = list(score_rows(alone))
    assert rows == [
        ("A", "real", "m", "", None, None, None, 1, 1),
        ("A", "real", "m", "de", None, None, None, None, None),
    ]
    assert [row[3] for row in score_rows(evaluation(submission("A", 1, 1), tasks={"": {}}))] == [""]
    assert [row[3] for row in score_rows(evaluation(submission("A", 1, 1, {"de": 1}), tasks={"de": {}}))] == ["", "de"]


def test_undefined_numbers_are_read_as_nan():
    score = StoredScore(1, "label", "p", "A", "real", "m", "", 0.5, None, None, 1, None)
    assert (score.value, score.rank, score.cluster) == (0.5, 1, None)
    assert math.isnan(score.low)
    assert math.isnan(score.high)
