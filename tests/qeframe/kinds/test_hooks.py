"""The kinds of batch that come with qeframe."""

import subprocess
import sys

from qeframe.core.batches.base import Batch
from qeframe.core.components.batch_kind import REGISTERED
from qeframe.core.errors import PluginError
from qeframe.kinds.hooks import qeframe_kinds
from qeframe.kinds.registered import registered_kinds
from tests.qeframe.core.components.made_plugins import empty_but, failure, plugin


def test_each_class_has_one_kind(registry):
    kinds = [entry.component for entry in registry.kinds.values()]
    assert len({kind.batch for kind in kinds}) == len(kinds) == len(qeframe_kinds()) == 11
    assert all(registry.kind_of(kind.batch) is kind for kind in kinds)
    assert registry.find_kind(Batch) is None
    assert set(kinds) <= set(registered_kinds())


def test_a_kind_is_imported_when_its_batches_are_used():
    code = (
        "import sys, qeframe\n"
        "qeframe.score('mae', [1, 2, 3], [1, 2, 4])\n"
        "kinds = {name for name in sys.modules if name.startswith('qeframe.kinds.') and name.count('.') > 2}\n"
        "assert kinds == {'qeframe.kinds.scores.batch'}, kinds\n"
        "qeframe.audit('mae', claims=False, attacks=['constant_mean'])\n"
        "assert 'qeframe.kinds.scores.kind' in sys.modules\n"
        "assert not {'qeframe.kinds.texts.batch', 'qeframe.kinds.spans.kind'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_place_that_has_no_such_kind_is_refused_when_it_is_used(registry, monkeypatch):
    monkeypatch.setitem(REGISTERED, "Batch", [])  # the kinds of other tests stay as they are
    for place, said in {
        "Batch = qeframe.kinds.scores.kind:KIND": "names the place of 'Batch', and what is there is of 'Scores'",
        "Batch = qeframe.kinds.scores.kind:_plain": "hook qeframe_kinds must return values of type BatchKind, not",
        "Batch = qeframe.kinds.nowhere:KIND": "cannot be imported: ModuleNotFoundError",
    }.items():
        found = empty_but(own=plugin(qeframe_kinds=[place]))
        line = failure(PluginError, found.find_kind, Batch)
        assert line.startswith("plugin 'own' of distribution '(given)'")
        assert said in line
