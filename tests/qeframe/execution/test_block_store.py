import subprocess
import sys
from functools import cached_property, partial
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import frozen

from qeframe import DataError, Runner
from qeframe.core.resampling.draws import DrawBlock, draw_blocks
from qeframe.execution.block_store import KeptBlocks, Share, digest_of, digest_of_sources
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
        blocks.keep(work, item, work(item), seconds=0.0)
    DONE.clear()
    assert joined(KeptBlocks(folder)).tobytes() == ALL.tobytes()
    assert not DONE


@pytest.mark.parametrize(("seconds", "numbers", "kept"), [(1e-4, 2**18, 0), (1.0, 2**18, 1), (0.0, 2**16, 1)])
def test_what_is_computed_sooner_than_written_is_not_kept(tmp_path, seconds, numbers, kept):
    folder = WorkFolder(tmp_path / "work")
    KeptBlocks(folder).keep(work, ITEMS[0], np.zeros(numbers), seconds)
    assert len(list(folder.path.iterdir())) - 1 == kept if kept else not folder.path.exists()


def large(block: DrawBlock) -> np.ndarray:
    return np.zeros(2**18)


def test_time_between_blocks_is_not_that_of_a_block(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("qeframe.execution.block_store.time", SimpleNamespace(monotonic=lambda: clock[0]))
    folder = WorkFolder(tmp_path / "work")
    for _ in Runner(blocks=KeptBlocks(folder)).imap(large, ITEMS[:3]):
        clock[0] += 10
    assert not folder.path.exists()


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_shards_together_are_the_whole(tmp_path, count):
    folders = [WorkFolder(tmp_path / str(number)) for number in range(count)]
    for number, folder in enumerate(folders, start=1):
        runner = Runner(blocks=KeptBlocks(folder, share=Share(number, count)))
        assert np.concatenate(runner.map(work, ITEMS)).shape == (8, 2)
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


@frozen
class Holder:
    values: np.ndarray
    name: str

    @cached_property
    def total(self) -> float:
        return float(self.values.sum())


class Plain:
    """No attrs class, with a cached value."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    @cached_property
    def total(self) -> float:
        return float(self.values.sum())


def test_cached_values_of_plain_classes_do_not_count():
    one, other = Plain(np.arange(5.0)), Plain(np.arange(5.0))
    assert one.total == 10
    assert digest_of(partial(max, one)) == digest_of(partial(max, other)) is not None
    assert digest_of(one) != digest_of(Plain(np.arange(6.0)))


def test_a_digest_is_the_same_before_and_after_the_work():
    """Blocks that are kept late are named after the work has begun, and looked for before it."""
    import qeframe
    from qeframe.core.resampling.parallel import Runner
    from qeframe.plugin import Scores
    from qeframe.plugin.readers import Submission, Task

    gold = np.arange(40.0) % 7
    batches = {Submission(name): Scores.from_plain(gold, gold**power) for name, power in (("A", 1.5), ("B", 2))}
    kinds: set[object] = set()

    class Blocks:
        stands_in, rows = False, 0

        def __call__(self, work, items, compute):
            before = [digest_of((work, item)) for item in items]
            results = list(compute(work, items))
            assert [digest_of((work, item)) for item in items] == before
            kinds.add(work.func)
            yield from results

    for test in ("permutation(draws=300)", "randomization(draws=300)", "bootstrap(draws=300)", "romano_wolf"):
        more = ["correction=romano_wolf", "test=bootstrap_t(draws=99)"] if test == "romano_wolf" else [f"test={test}"]
        settings = [*more, "interval=bootstrap(draws=300)"]
        qeframe.evaluate(
            "qe_sentence", Task(name="t", batches=batches), settings=settings, runner=Runner(blocks=Blocks())
        )
    assert len(kinds) > 2


def test_equal_content_has_one_digest_whatever_is_shared_or_cached():
    one, other = Holder(np.arange(5.0), "a"), Holder(np.arange(5.0), "".join(["a"]))
    assert one.total == 10
    assert digest_of((one, one)) == digest_of((one, other)) is not None


def test_other_content_has_another_digest():
    values = [
        Holder(np.arange(5.0), "a"),
        Holder(np.arange(5.0), "b"),
        Holder(np.arange(5), "a"),
        Holder(np.ones(5), "a"),
    ]
    values += [partial(max, values[0]), partial(min, values[0]), DrawBlock((1,), 0, 0, 5), DrawBlock((1,), 1, 0, 5)]
    assert len({digest_of(value) for value in values}) == len(values)


def test_large_arrays_have_digests():
    large = np.arange(200_000.0)
    changed = large.copy()
    changed[-1] = 0
    assert None not in {digest_of(large), digest_of(changed)}
    assert digest_of(large) != digest_of(changed)


def test_what_cannot_be_pickled_has_none():
    assert digest_of(lambda: 1) is None
    cyclic: list = []
    cyclic.append(cyclic)
    assert digest_of(cyclic) is None


def test_digests_are_those_of_other_processes():
    code = (
        "from qeframe.execution.block_store import *; from qeframe.core.resampling.draws import DrawBlock;"
        "print(digest_of((DrawBlock((1, 2), 3, 4, 5), 'x', 1.5)), digest_of_sources(['qeframe_ties']))"
    )
    there = subprocess.run(
        [sys.executable, "-c", f"import qeframe_ties;{code}"], capture_output=True, text=True, check=True
    )
    import qeframe_ties  # noqa: F401

    here = digest_of((DrawBlock((1, 2), 3, 4, 5), "x", 1.5)), digest_of_sources(["qeframe_ties"])
    assert there.stdout.split() == list(here)
