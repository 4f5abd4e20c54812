"""Tables of stores, as text, against reviewed snapshots."""

import math

import attrs

from qeframe_store.store import StoredRun, StoredScore
from qeframe_store.stored_tables import history_table, run_table
from tests.qeframe.report.test_tables import whole


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
