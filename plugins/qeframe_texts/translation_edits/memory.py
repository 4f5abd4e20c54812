"""The edits of pairs of texts, each pair counted once: systems often give the same translation."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from qeframe.plugin import IntArray
from qeframe.plugin.texts import tokenize
from qeframe_texts.translation_edits.edits import translation_edits

_MOST_CHARACTERS = 2**23


class EditMemory:
    """Counts edits and remembers them. The oldest pairs are forgotten first. Threads can share a memory.

    Parameters
    ----------
    most_characters : int
        How many characters the texts of all pairs in memory have at most.
    """

    def __init__(self, most_characters: int = _MOST_CHARACTERS) -> None:
        self._most, self._held = most_characters, 0
        self._edits: dict[tuple[str, str], int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._edits)

    def __call__(self, candidates: Sequence[str], references: Sequence[str]) -> IntArray:
        """Return the edits of every pair, (pairs,) int64; words are separated by white space."""
        asked = list(zip(candidates, references, strict=True))
        edits = {pair: self._edits.get(pair, -1) for pair in asked}
        new = [pair for pair, count in edits.items() if count < 0]
        if new:
            tokens = tokenize([pair[0] for pair in new], [pair[1] for pair in new], np.arange(len(new)))
            counted = translation_edits(tokens.candidates, tokens.references).tolist()
            edits.update(zip(new, counted, strict=True))
            self._remember(new, counted)
        return np.fromiter(map(edits.__getitem__, asked), np.int64, len(asked))

    def _remember(self, pairs: Sequence[tuple[str, str]], counted: Sequence[int]) -> None:
        with self._lock:
            for pair, count in zip(pairs, counted, strict=True):
                if pair not in self._edits:
                    self._edits[pair] = count
                    self._held += len(pair[0]) + len(pair[1])
            while self._held > self._most:
                oldest = next(iter(self._edits))
                del self._edits[oldest]
                self._held -= len(oldest[0]) + len(oldest[1])
