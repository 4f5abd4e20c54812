import pytest

from qeframe.errors import DataError
from qeframe.execution.kept_blocks import Share
from qeframe.execution.portions import Merged, Resumed, Shard
from qeframe.execution.work_folder import WorkFolder, default_folder

REQUEST = {"profile": "p", "seed": 0}
DESCRIBED = {"signature": {"seed": 0, "qeframe": "1"}, "sources": "x"}


def shard(path, number, count, described=DESCRIBED, **more):
    made = Shard(path, Share(number, count), REQUEST, **more)
    made.blocks(lambda: described, print)
    made.finish()
    return path


def test_a_run_that_ends_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_WORK", str(tmp_path))
    run = Resumed(REQUEST)
    run.blocks(lambda: DESCRIBED, print)
    run.finish()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("described", "notice"),
    [
        (DESCRIBED, "going on with the blocks in"),
        ({**DESCRIBED, "sources": "y"}, "kept blocks differ in the code of qeframe or a plugin; all blocks"),
        (
            {**DESCRIBED, "signature": {"seed": 0, "qeframe": "2"}},
            "kept blocks differ in version of qeframe",
        ),
    ],
)
def test_kept_blocks_are_used_if_nothing_changed(tmp_path, monkeypatch, described, notice):
    monkeypatch.setenv("QEFRAME_WORK", str(tmp_path))
    folder = WorkFolder(default_folder(REQUEST))
    folder.write_manifest(DESCRIBED)
    notices: list[str] = []
    Resumed(REQUEST).blocks(lambda: described, notices.append)
    assert notice in notices[0]
    assert folder.path.exists() == (described == DESCRIBED)
    folder.write_manifest(DESCRIBED)
    Resumed(REQUEST, fresh=True).blocks(lambda: described, print)
    assert not folder.path.exists()


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
