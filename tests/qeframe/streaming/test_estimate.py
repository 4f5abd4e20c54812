"""Estimates in words."""

import pytest

from qeframe.streaming.estimate import duration_in_words, memory_in_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0, "1 s"), (1.4, "1 s"), (89.0, "89 s"), (90.0, "2 min"), (3000.0, "50 min"), (9000.0, "2.5 h")],
)
def test_durations(seconds, words):
    assert duration_in_words(seconds) == words


def test_memory():
    assert memory_in_words(1, 2) == "1 MiB"
    assert memory_in_words(1_000_000, 3) == "458 MiB"
    assert memory_in_words(10_000_000, 11) == "16.4 GiB"
