import pytest

from qeframe.core.errors import DataError
from qeframe.execution.block_store import Share
from qeframe.execution.shards import Merged, Shard

REQUEST = {"profile": "p", "seed": 0}
DESCRIBED = {"signature": {"seed": 0, "qeframe": "1"}, "sources": "x"}


def shard(path, number, count, described=DESCRIBED, **more):
    made = Shard(path, Share(number, count), REQUEST, **more)
    made.blocks(lambda: described, print)
    made.finish()
    return path


def test_shards_of_one_run_are_merged_in_any_order(tmp_path):
    paths = [shard(tmp_path / str(number), number, 3) for number in (3, 1, 2)]
    merged = Merged(paths)
    assert merged.request == REQUEST
    merged.blocks(lambda: DESCRIBED, print)
    with pytest.raises(DataError, match="the shards were computed under another version of qeframe"):
        merged.blocks(lambda: {**DESCRIBED, "signature": {"seed": 0, "qeframe": "2"}}, print)
    with pytest.raises(DataError, match="shard 1/3, 2/3 is missing"):
        Merged(paths[:1])


def test_a_shard_of_other_code_is_refused(tmp_path):
    one = shard(tmp_path / "1", 1, 2)
    other = shard(tmp_path / "2", 2, 2, {**DESCRIBED, "sources": "y"})
    with pytest.raises(DataError, match="it differs in the code of qeframe or a plugin"):
        Merged([one, other])
    with pytest.raises(DataError, match="holds a shard that differs in the code"):
        shard(one, 1, 2, {**DESCRIBED, "sources": "y"})
    shard(one, 1, 2, {**DESCRIBED, "sources": "y"}, fresh=True)
    Merged([one, other])
