"""Pairs of texts are counted once, as long as they are in memory."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from qeframe_texts.translation_edits import memory as module
from qeframe_texts.translation_edits.memory import EditMemory


@pytest.fixture
def counted(monkeypatch):
    """Record how many pairs are counted at each call."""
    calls = []
    count = module.translation_edits

    def recording(candidates, references):
        calls.append(len(candidates))
        return count(candidates, references)

    monkeypatch.setattr(module, "translation_edits", recording)
    return calls


def test_equal_pairs_are_counted_once(counted):
    memory = EditMemory()
    assert memory(["a b", "a b", "b a"], ["a b c"] * 3).tolist() == [1, 1, 2]
    assert memory(["b a", "c"], ["a b c"] * 2).tolist() == [2, 2]
    assert counted == [2, 1]
    assert memory(["b a"], ["a b c"]).tolist() == [2]
    assert counted == [2, 1]


def test_without_pairs(counted):
    assert EditMemory()([], []).tolist() == []
    assert counted == []


def test_the_oldest_pairs_are_forgotten(counted):
    memory = EditMemory(most_characters=4)
    assert memory(["a", "b", "c"], ["x", "x", "x"]).tolist() == [1, 1, 1]
    assert len(memory) == 2
    memory(["b", "c"], ["x", "x"])
    memory(["a"], ["x"])
    assert counted == [3, 1]


def test_a_pair_that_is_too_long_is_not_kept():
    memory = EditMemory(most_characters=4)
    assert memory(["a b c"], ["a b"]).tolist() == [1]
    assert len(memory) == 0


def test_threads_share_a_memory():
    memory = EditMemory(most_characters=40)
    texts = [f"{number} a" for number in range(50)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: memory(texts[k:], ["a"] * (50 - k)).tolist(), range(0, 50, 5)))
    assert found == [[1] * (50 - k) for k in range(0, 50, 5)]
