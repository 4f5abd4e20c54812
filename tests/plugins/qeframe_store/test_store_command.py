"""``qeframe store``: results are added once, listed, and shown run by run."""

import json
import sqlite3
from types import SimpleNamespace

import pytest

from tests.plugins.qeframe_store.test_changes import OLD, evaluation, submission


@pytest.fixture
def results(write_results):
    return write_results(one=OLD, two=evaluation(submission("B", 0.6, 1)))


def test_add_list_show(qeframe_command, results):
    added = qeframe_command("store", "add", "one", "two")
    assert added.out == ""
    assert added.err == "qeframe: one is run 1 of qeframe.sqlite\nqeframe: two is run 2 of qeframe.sqlite\n"
    assert qeframe_command("store", "add", "one").err == "qeframe: one is in the store already\n"
    relabeled = qeframe_command("store", "add", "one", "--label", "new").err
    assert relabeled == "qeframe: one is run 1 of qeframe.sqlite already; its label is now 'new'\n"
    assert qeframe_command("store", "add", "one", "--label", "one", "--quiet").err == ""
    runs = json.loads(qeframe_command("store", "list", "--json").out)["runs"]
    assert [(run["label"], run["submissions"]) for run in runs] == [("one", 2), ("two", 1)]
    shown = json.loads(qeframe_command("store", "show", "B", "--json").out)["scores"]
    assert [(score["run"], score["value"]) for score in shown] == [(1, 0.3), (2, 0.6)]
    assert "0.600" in qeframe_command("store", "show").out
    of_tasks = json.loads(qeframe_command("store", "show", "--task", "each", "--json").out)["scores"]
    assert [score["task"] for score in of_tasks] == ["de", "fr"]
    assert "two" in qeframe_command("store", "list").out


def test_the_file_and_the_label_can_be_named(qeframe_command, results, monkeypatch):
    assert qeframe_command("store", "add", "one", "--db", "x.db", "--label", "WMT 26", "--quiet").err == ""
    assert "WMT 26" in qeframe_command("store", "list", "--db", "x.db").out
    monkeypatch.setenv("QEFRAME_STORE", "x.db")
    assert "WMT 26" in qeframe_command("store", "list").out


def test_records_on_lines(qeframe_command, results):
    qeframe_command("store", "add", "one", "two", "--quiet")
    runs = [json.loads(line) for line in qeframe_command("store", "list", "--jsonl").out.splitlines()]
    assert [(run["record"], run["number"], run["label"]) for run in runs] == [("run", 1, "one"), ("run", 2, "two")]
    scores = [json.loads(line) for line in qeframe_command("store", "show", "B", "--jsonl").out.splitlines()]
    assert [(score["submission"], score["run"], score["value"]) for score in scores] == [("B", 1, 0.3), ("B", 2, 0.6)]


def test_a_page_of_the_store(qeframe_command, results):
    qeframe_command("store", "add", "one", "two", "--quiet")
    assert qeframe_command("store", "page", "store.html").err == "qeframe: written to store.html\n"
    page = (results / "store.html").read_text()
    assert "Results in qeframe.sqlite" in page
    assert "qeframe store page store.html" in page


def test_wrong_uses(refused, qeframe_command, results):
    assert refused("store", "list") == "qeframe.sqlite: there is no such store; make one with 'qeframe store add'"
    assert refused("store") == "Missing command; 'qeframe store --help' shows how"
    assert "give --json or --jsonl, not both" in refused("store", "list", "--json", "--jsonl")
    assert "there is no such store" in refused("store", "page", "x.html")
    assert "--label names one run" in refused("store", "add", "one", "two", "--label", "x")
    assert "has no evaluation.json" in refused("store", "add", "one", ".")
    assert not (results / "qeframe.sqlite").exists()
    qeframe_command("store", "add", "one")
    assert "unknown submission in qeframe.sqlite 'Z'; known: A, B" in refused("store", "show", "Z")
    assert "is not a store" in refused("store", "list", "--db", "one/evaluation.json")


@pytest.mark.parametrize("pages", [1, 5])
def test_a_full_disk_leaves_no_empty_store_behind(refused, qeframe_command, results, monkeypatch, pages):
    """The tables of a store have 5 pages; a store of one page cannot be made, one of 5 takes no large result."""
    large = evaluation(*(submission(f"S{i}", 0.6, 1) for i in range(200)))
    (results / "two" / "evaluation.json").write_text(large.to_json())

    def connect(*arguments, **options):
        database = sqlite3.connect(*arguments, **options)
        database.execute(f"pragma max_page_count = {pages}")
        return database

    def refusal():
        with monkeypatch.context() as full:
            full.setattr("qeframe_store.store.sqlite3", SimpleNamespace(**vars(sqlite3) | {"connect": connect}))
            return refused("store", "add", "two")

    message = "qeframe.sqlite: the store cannot be written: database or disk is full; free space, or name another file"
    assert message in refusal()
    assert not (results / "qeframe.sqlite").exists()
    qeframe_command("store", "add", "one")
    assert message in refusal()
    assert [run["label"] for run in json.loads(qeframe_command("store", "list", "--json").out)["runs"]] == ["one"]


def test_an_empty_file_is_no_store(refused, results):
    (results / "qeframe.sqlite").touch()
    assert refused("store", "list").endswith("qeframe.sqlite: is empty; make a store with 'qeframe store add'")
