import os
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from qeframe.core.resampling.parallel import Runner


class Heavy:
    """Work that notes in files how often it is packed and unpacked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __getstate__(self) -> dict[str, Any]:
        (self.folder / f"packed-{len(list(self.folder.iterdir()))}").touch()
        return {"folder": self.folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.folder = state["folder"]
        with (self.folder / f"unpacked-by-{os.getpid()}").open("a") as file:
            file.write("x")

    def __call__(self, item: int) -> int:
        return item * item


def test_work_is_sent_to_each_worker_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2) as executor:
        assert Runner(executor).map(Heavy(tmp_path), range(40)) == [item * item for item in range(40)]
    assert len(list(tmp_path.glob("packed-*"))) == 1
    unpacked = list(tmp_path.glob("unpacked-*"))
    assert 1 <= len(unpacked) <= 2
    assert {file.read_text() for file in unpacked} == {"x"}


def fail(item: int) -> int:
    raise ValueError(f"item {item}")


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with ProcessPoolExecutor(1) as executor:
        assert Runner(executor).map(abs, [-1, 2]) == [1, 2]
        with pytest.raises(ValueError, match="item 3"):
            Runner(executor).map(fail, [3])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(2)])
def test_results_come_one_after_the_other(executor: Executor | None) -> None:
    seen: list[tuple[int, int]] = []
    results = Runner(executor, lambda *done: seen.append(done)).imap(abs, [-3, -2, -1])
    assert next(results) == 3
    assert seen == [(1, 3)]
    assert list(results) == [2, 1]
