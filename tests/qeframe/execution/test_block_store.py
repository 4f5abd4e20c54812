import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.resampling.draws import DrawBlock, draw_blocks
from qeframe.core.resampling.parallel import Runner
from qeframe.execution.block_store import KeptBlocks, Share
from qeframe.execution.work_folder import WorkFolder

ITEMS = list(draw_blocks((1, 2), 100, 40_000))
DONE: list[int] = []


def work(block: DrawBlock) -> np.ndarray:
    DONE.append(block.number)
    return block.rng().random((block.draws, 2))


def total(block: DrawBlock) -> np.ndarray:
    return block.rng().random((block.draws, 3)).sum(axis=0)


ALL = np.concatenate([work(item) for item in ITEMS])


@pytest.fixture(autouse=True)
def _anew():
    DONE.clear()


def joined(blocks):
    return np.concatenate(Runner(blocks=blocks).map(work, ITEMS))


def test_there_are_several_blocks():
    assert len(ITEMS) >= 10


def test_a_second_run_computes_nothing(tmp_path):
    folder = WorkFolder(tmp_path / "work")
    assert joined(KeptBlocks(folder)).tobytes() == ALL.tobytes()
    DONE.clear()
    again = KeptBlocks(folder)
    assert joined(again).tobytes() == ALL.tobytes()
    assert not DONE
    assert (again.found, again.computed) == (len(ITEMS), 0)


def test_a_run_that_was_stopped_goes_on(tmp_path):
    folder = WorkFolder(tmp_path / "work")
    stopped = Runner(blocks=KeptBlocks(folder)).imap(work, ITEMS)
    for _ in range(5):
        next(stopped)
    stopped.close()
    DONE.clear()
    assert joined(KeptBlocks(folder)).tobytes() == ALL.tobytes()
    assert [item.number for item in ITEMS[5:]] == DONE or [item.number for item in ITEMS[4:]] == DONE


def test_a_damaged_block_is_computed_again(tmp_path):
    folder = WorkFolder(tmp_path / "work")
    joined(KeptBlocks(folder))
    for file in folder.path.iterdir():
        if file.name != "manifest.json":
            file.write_bytes(b"")
    assert joined(KeptBlocks(folder)).tobytes() == ALL.tobytes()


def test_a_result_that_was_computed_elsewhere_is_kept(tmp_path):
    folder = WorkFolder(tmp_path / "work")
    blocks = KeptBlocks(folder)
    for item in ITEMS:
        blocks.keep(work, item, work(item))
    DONE.clear()
    assert joined(KeptBlocks(folder)).tobytes() == ALL.tobytes()
    assert not DONE


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_shards_together_are_the_whole(tmp_path, count):
    folders = [WorkFolder(tmp_path / str(number)) for number in range(count)]
    for number, folder in enumerate(folders, start=1):
        runner = Runner(blocks=KeptBlocks(folder, share=Share(number, count)))
        assert np.concatenate(runner.map(work, ITEMS)).shape == ALL.shape
        assert {part.shape for part in runner.map(total, ITEMS)} == {(3,)}
    merged = KeptBlocks(None, found_in=folders)
    assert joined(merged).tobytes() == ALL.tobytes()
    sums = Runner(blocks=merged).map(total, ITEMS)
    assert np.concatenate(sums).tobytes() == np.concatenate([total(item) for item in ITEMS]).tobytes()
    assert merged.computed == 0
    kept = [len(list(folder.path.iterdir())) - 1 for folder in folders]
    assert sum(kept) == 2 * len(ITEMS)
    assert max(kept) - min(kept) <= 1


def test_every_shard_computes_what_is_no_draw(tmp_path):
    blocks = KeptBlocks(WorkFolder(tmp_path / "work"), share=Share(2, 2))
    assert Runner(blocks=blocks).map(abs, [-1, -2]) == [1, 2]


def test_a_full_disk_ends_a_shard_and_not_a_run(tmp_path, monkeypatch):
    def full(*_):
        raise DataError("blocks cannot be kept: No space left on device")

    monkeypatch.setattr(WorkFolder, "write", full)
    notices: list[str] = []
    assert joined(KeptBlocks(WorkFolder(tmp_path / "a"), on_notice=notices.append)).tobytes() == ALL.tobytes()
    [notice] = notices
    assert "No space left on device; the run goes on" in notice
    with pytest.raises(DataError, match="No space left"):
        joined(KeptBlocks(WorkFolder(tmp_path / "b"), share=Share(1, 2)))
