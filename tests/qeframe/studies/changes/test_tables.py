"""Tables of changes, as text, against reviewed snapshots."""

import attrs

from qeframe.core.task import Dropped, Input
from qeframe.studies.changes.evaluation_changes import find_changes
from qeframe.studies.changes.tables import change_tables
from tests.qeframe.report.test_tables import numbered, whole
from tests.qeframe.studies.changes.test_evaluation_changes import OLD, outcome, signature, submission
from tests.qeframe.studies.changes.test_evaluation_changes import evaluation as kept


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
