"""The kinds of batch that come with qeframe."""

from qeframe.core.batches.base import Batch
from qeframe.kinds.hooks import qeframe_kinds


def test_each_class_has_one_kind(registry):
    kinds = qeframe_kinds()
    assert len({kind.batch for kind in kinds}) == len(kinds) == 11
    assert all(registry.kind_of(kind.batch) is kind for kind in kinds)
    assert registry.find_kind(Batch) is None
