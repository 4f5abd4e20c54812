import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

from qeframe.core.resampling.draws import DrawBlock, draw_blocks
from qeframe.core.resampling.parallel import Runner
from qeframe.execution import resumable as resumed
from qeframe.execution.resumable import Resumed, default_folder
from qeframe.execution.work_folder import WorkFolder

REQUEST = {"profile": "p", "seed": 0}
DESCRIBED = {"signature": {"seed": 0, "qeframe": "1"}, "sources": "x"}
ITEMS = list(draw_blocks((1, 2), 100, 40_000))
DONE: list[int] = []


def work(block: DrawBlock) -> np.ndarray:
    DONE.append(block.number)
    return block.rng().random((block.draws, 2))


@pytest.fixture(autouse=True)
def root(monkeypatch, tmp_path):
    DONE.clear()
    monkeypatch.setenv("QEFRAME_WORK", str(tmp_path))
    return tmp_path


def begun(described=DESCRIBED, notices=None, **given):
    run = Resumed(REQUEST, **given)
    return run, run.blocks(lambda: described, (lambda _text: None) if notices is None else notices.append)


def test_the_default_folder_depends_on_the_request(monkeypatch, root):
    assert default_folder({"seed": 1}) == default_folder({"seed": 1}) != default_folder({"seed": 2})
    assert default_folder({"seed": 1}).parent == root
    monkeypatch.delenv("QEFRAME_WORK")
    monkeypatch.setenv("XDG_CACHE_HOME", str(root))
    assert default_folder({}).parent == root / "qeframe" / "work"


def test_a_run_that_ends_leaves_nothing(root, monkeypatch):
    monkeypatch.setattr(resumed, "DELAY", 0.0)
    run, blocks = begun()
    assert np.concatenate(Runner(blocks=blocks).map(work, ITEMS)).shape == (100, 2)
    assert len(list(default_folder(REQUEST).iterdir())) == len(ITEMS) + 1
    run.finish()
    assert list(root.iterdir()) == []


def test_a_short_run_writes_nothing(root, monkeypatch):
    monkeypatch.setattr(resumed, "DELAY", 100.0)
    run, blocks = begun()
    Runner(blocks=blocks).map(work, ITEMS)
    assert list(root.iterdir()) == []
    run.finish()


def test_blocks_are_kept_after_the_delay(monkeypatch):
    monkeypatch.setattr(resumed, "DELAY", 0.05)
    _, blocks = begun()
    results = Runner(blocks=blocks).imap(work, ITEMS)
    next(results)
    assert not default_folder(REQUEST).exists()
    time.sleep(0.06)
    next(results)
    assert len(list(default_folder(REQUEST).iterdir())) == 2


def large(block: DrawBlock) -> np.ndarray:
    return np.zeros(2**18)


def test_time_between_blocks_is_not_that_of_a_block(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(resumed, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    _, blocks = begun()
    for _ in Runner(blocks=blocks).imap(large, ITEMS[:4]):
        clock[0] += resumed.DELAY
    assert blocks.kept is not None
    assert not default_folder(REQUEST).exists()


def test_a_run_that_was_stopped_goes_on(monkeypatch):
    monkeypatch.setattr(resumed, "DELAY", 0.0)
    whole = np.concatenate([work(item) for item in ITEMS])
    stopped = Runner(blocks=begun()[1]).imap(work, ITEMS)
    for _ in range(5):
        next(stopped)
    stopped.close()
    DONE.clear()
    notices: list[str] = []
    run, blocks = begun(notices=notices)
    assert not run.is_whole
    assert Resumed(REQUEST, fresh=True).is_whole
    assert np.concatenate(Runner(blocks=blocks).map(work, ITEMS)).tobytes() == whole.tobytes()
    assert [item.number for item in ITEMS[5:]] == DONE or [item.number for item in ITEMS[4:]] == DONE
    assert "going on with the blocks in" in notices[0]


@pytest.mark.parametrize(
    ("described", "notice"),
    [
        (DESCRIBED, "going on with the blocks in"),
        ({**DESCRIBED, "sources": "y"}, "kept blocks differ in the code of qeframe or a plugin; all blocks"),
        ({**DESCRIBED, "signature": {"seed": 0, "qeframe": "2"}}, "kept blocks differ in version of qeframe"),
    ],
)
def test_kept_blocks_are_used_if_nothing_changed(described, notice):
    folder = WorkFolder(default_folder(REQUEST))
    folder.write_manifest(DESCRIBED)
    notices: list[str] = []
    begun(described, notices)
    assert notice in notices[0]
    assert folder.path.exists() == (described == DESCRIBED)
    folder.write_manifest(DESCRIBED)
    begun(described, fresh=True)
    assert not folder.path.exists()


def test_a_work_folder_of_another_version_is_one_line_and_is_computed_again():
    folder = WorkFolder(default_folder(REQUEST))
    folder.write_manifest(DESCRIBED)
    manifest = folder.path / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 7'))
    notices: list[str] = []
    begun(notices=notices)
    assert len(notices) == 1
    assert "the work folder has format 7, this version of qeframe reads 1; all blocks are computed again" in notices[0]
    assert not folder.path.exists()


def test_a_short_run_imports_no_more_of_this_package():
    code = (
        "import sys; from qeframe.execution.resumable import Resumed; r = Resumed({});"
        "r.blocks(dict, print); r.finish();"
        "print([m for m in sys.modules if m.startswith('qeframe.execution.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['qeframe.execution.resumable']"
