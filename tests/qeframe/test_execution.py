"""Execution: what is said before long work, placeholders of blocks, and the work folder."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.resampling.draws import DrawBlock
from qeframe.execution import work_folder
from qeframe.execution.announced import announcement, duration, rules_with_draws
from qeframe.execution.estimates import Estimate, Step
from qeframe.execution.placeholders import draws_of, few_draws, placeholder
from qeframe.execution.work_folder import MANIFEST, WorkFolder


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (1.23, "1.2 s"), (45.6, "46 s"), (150, "2 min"), (2e4, "5.6 h"), (1e6, "12 days")],
)
def test_durations_in_words(seconds, words):
    assert duration(seconds) == words


def test_work_that_is_expected_to_be_short_is_not_probed(monkeypatch):
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: pytest.fail("it is probed"))
    assert announcement(lambda **_: None, [], []) is None


def test_long_work_is_announced_and_what_fails_is_left_to_the_work(monkeypatch):
    monkeypatch.setattr("qeframe.execution.announced.expected_seconds", lambda *_: 31.0)
    monkeypatch.setattr("qeframe.execution.announced.processors", lambda: 1)
    estimated = Estimate((Step("draws", 10, 2, 92.0),), 7.9, 321.0, True)
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: estimated)
    said = announcement(lambda **_: None, [], [], more=lambda _: 100.0)
    assert said.text == "this takes about 100 s, up to 3 min where p is near alpha, and 321 MB"
    assert said.seconds == pytest.approx(99.9)
    monkeypatch.setattr("qeframe.execution.announced.estimate", lambda *_: 1 / 0)
    assert announcement(lambda **_: None, [], []) is None


def test_rules_with_draws():
    profile = qeframe.choose_profile("qe_sentence", ["test=permutation(draws=3000)", "interval=", "correction=holm"])
    assert rules_with_draws(profile) == ["test=permutation(draws=3000)"]


BLOCK = DrawBlock((1, 2), 3, 30, 20)


def rows(item):
    return np.arange(draws_of(item) * 3.0).reshape(-1, 3)


def counts(item):
    return np.full(5, float(draws_of(item)))


def test_draws_of_items():
    assert draws_of(BLOCK) == 20
    assert draws_of([BLOCK, BLOCK]) == 40
    assert draws_of([]) is None
    assert draws_of([1]) is None
    assert draws_of("text") is None


def test_few_draws_are_the_first_of_the_item_and_results_that_are_no_arrays_have_no_shape():
    assert few_draws(BLOCK, 4) == DrawBlock((1, 2), 3, 30, 4)
    assert few_draws([BLOCK, BLOCK], 4) == [DrawBlock((1, 2), 3, 30, 4)]
    assert few_draws(BLOCK, 99) == BLOCK
    assert placeholder(draws_of, BLOCK) is None


@pytest.mark.parametrize("item", [BLOCK, [BLOCK, BLOCK], DrawBlock((1,), 0, 0, 1)])
def test_shapes_are_those_of_the_results(item):
    assert placeholder(rows, item)(17).shape == (17, 3)
    assert placeholder(counts, DrawBlock((1,), 0, 0, 3))(17).shape == (5,)


@pytest.fixture
def folder(tmp_path: Path) -> WorkFolder:
    made = WorkFolder(tmp_path / "work")
    made.write_manifest({"seed": 3})
    return made


def test_what_is_written_is_read(folder):
    result = np.array([[0.1, np.nan], [-0.0, 1e300]])
    folder.write("key", result)
    assert folder.has("key")
    assert folder.read("key").tobytes() == result.tobytes()
    assert folder.manifest() == {"format": 1, "seed": 3}
    assert {file.name for file in folder.path.iterdir()} == {"key", MANIFEST}


def test_there_may_be_nothing(tmp_path):
    empty = WorkFolder(tmp_path / "none")
    assert empty.manifest() is None
    assert not empty.has("key")
    assert empty.read("key") is None
    empty.remove()


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b[:3], lambda b: b"", lambda b: b[:-1] + b"x"])
def test_a_damaged_block_is_none(folder, damage):
    folder.write("key", np.arange(4.0))
    file = folder.path / "key"
    file.write_bytes(damage(file.read_bytes()))
    assert folder.read("key") is None


def test_another_format_is_one_line(folder):
    (folder.path / MANIFEST).write_text(json.dumps({"format": 2}))
    with pytest.raises(DataError, match="has format 2, this version of qeframe reads 1; compute it again"):
        folder.manifest()
    (folder.path / MANIFEST).write_text("{")
    with pytest.raises(DataError, match="cannot be read; remove the folder"):
        folder.manifest()


def test_a_folder_of_something_else_is_one_line(tmp_path):
    (tmp_path / "gold.txt").write_text("1\n")
    with pytest.raises(DataError, match="is not a work folder of qeframe"):
        WorkFolder(tmp_path).manifest()


def test_a_full_disk_is_one_line_and_leaves_nothing(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DataError, match="blocks cannot be kept: No space left on device; free space"):
        folder.write("key", np.arange(3.0))
    assert {file.name for file in folder.path.iterdir()} == {MANIFEST}


def test_the_folder_is_bounded(folder, monkeypatch):
    monkeypatch.setattr(work_folder, "MOST_BYTES", 1000)
    folder.write("key", np.arange(4.0))
    with pytest.raises(DataError, match="the work folder is full"):
        folder.write("other", np.arange(200.0))


def test_old_folders_are_removed_and_other_files_stay(folder):
    old, other = WorkFolder(folder.path.parent / "old"), folder.path.parent / "other"
    old.write_manifest({})
    other.mkdir()
    for path in (old.path, other):
        os.utime(path, (0, 0))
    folder.remove_old_neighbors()
    assert not old.path.exists()
    assert other.exists()
    assert folder.path.exists()
