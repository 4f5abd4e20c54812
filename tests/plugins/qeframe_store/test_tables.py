"""Tables of changes and of stores, as text, against reviewed snapshots."""

import math

import attrs

from qeframe.core.tasks.task import Dropped, Input
from qeframe_store.change_tables import change_tables
from qeframe_store.changes import find_changes
from qeframe_store.store_rows import StoredRun, StoredScore
from qeframe_store.stored_tables import history_table, run_table
from tests.plugins.qeframe_store.test_changes import OLD, outcome, signature, submission
from tests.plugins.qeframe_store.test_changes import evaluation as kept
from tests.qeframe.report.test_tables import numbered, whole


def test_changes(snapshot):
    ranks = kept(submission("B", 0.6, 1), submission("C", 0.55, 2), submission("A", 0.4995, 3, {"de": 0.4, "fr": 0.6}))
    new = attrs.evolve(
        kept(submission("A", 0.5, 1, {"de": 0.4, "fr": 0.5}), submission("B", 0.3, 2)),
        signature=signature(inputs=(Input("gold", "c" * 64),), seed=4),
        comparisons=(outcome("A", "B", significant=True, p=0.03),),
        dropped=(Dropped("de", "segments", 2, "no score"),),
        warnings=("few units",),
    )
    old = attrs.evolve(OLD, comparisons=(outcome("A", "B", significant=False, p=0.4),))
    tables = {}
    for what, before, after in (("nothing", OLD, OLD), ("scores and ranks", OLD, ranks), ("all", old, new)):
        tables |= numbered(what, change_tables(find_changes(before, after), "old -> new"))
    snapshot("changes.txt", whole(tables))


def test_stores(snapshot):
    run = StoredRun(number=1, label="monday", added="2026", profile="p", primary="m", signature="s", submissions=2)
    score = StoredScore(
        run=1, label="monday", profile="p", submission="A", kind="real", metric="m", task="", value=0.5, low=0.4,
        high=0.6, rank=1, cluster=None,
    )  # fmt: skip
    undefined = attrs.evolve(score, run=2, value=math.nan, low=math.nan, rank=2)
    tables = {
        "runs": run_table([run], "Runs"),
        "an empty store": run_table([], "Runs"),
        "what all scores share is said once": history_table([score, undefined], "A"),
        "what differs is a column": history_table(
            [score, attrs.evolve(score, submission="B", task="de", rank=None)], "a"
        ),
        "no score": history_table([], "all"),
    }
    snapshot("stores.txt", whole(tables))
