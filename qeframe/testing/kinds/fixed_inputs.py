"""Fixed inputs, the same on every machine: what the numbers of components are locked on, smallest first.

They come from Python's own generator, whose numbers do not change from version to version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from qeframe.batches.base import Batch
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import RELATIONS, Judgments
from qeframe.batches.scores import Scores, Values
from qeframe.batches.spans import SEVERITIES, Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import Texts

__all__ = ["SIZES", "fixed_numbers", "fixed_panels"]

SIZES = (1, 2, 3, 5, 8, 13, 34)
"""How many units the inputs have."""

_TEXT = 12
_WORDS = ("the", "a", "house", "small", "green", "is", "was", "not", "Haus", "of", "houses", ",")


def _whole(rng: Random, low: int, high: int) -> int:
    """Draw a whole number from `low` to `high`."""
    return low + int(rng.random() * (high - low + 1))


def fixed_numbers(rng: Random, count: int, *, low: int = -8, high: int = 24) -> list[float]:
    """Draw numbers with ties: eighths of whole numbers from `low` to `high`."""
    return [_whole(rng, low, high) / 8 for _ in range(count)]


def _scores(rng: Random, units: int) -> list[Batch]:
    gold = fixed_numbers(rng, max(2, units))
    sides = [[g + noise for g, noise in zip(gold, fixed_numbers(rng, len(gold)), strict=True)] for _ in range(3)]
    return [Scores.from_plain(gold, side, best="low") for side in sides]


def _values(rng: Random, units: int) -> list[Batch]:
    return [Values.from_plain(None, fixed_numbers(rng, units)) for _ in range(3)]


def _tags(rng: Random, units: int) -> list[Batch]:
    lengths = [_whole(rng, 1, 6) for _ in range(units)]
    gold, *sides = [[[int(rng.random() < 0.4) for _ in range(n)] for n in lengths] for _ in range(4)]
    return [Tags.from_plain(gold, side) for side in sides]


def _judgments(rng: Random, units: int) -> list[Batch]:
    human = "".join(RELATIONS[_whole(rng, 0, 2)] for _ in range(units))
    sides = [[(_whole(rng, 0, 3), _whole(rng, 0, 3)) for _ in range(units)] for _ in range(3)]
    return [Judgments.from_plain(human, side) for side in sides]


def _grids(rng: Random, units: int) -> list[Batch]:
    gold = [fixed_numbers(rng, 4, low=0, high=8) for _ in range(units)]
    sides = [[[cell + _whole(rng, 0, 6) / 8 for cell in row] for row in gold] for _ in range(3)]
    return [Grid.from_plain(gold, side) for side in sides]


def _spans(rng: Random, units: int) -> list[Batch]:
    def segment() -> list[tuple[int, int, str]]:
        starts = [_whole(rng, 0, _TEXT - 2) for _ in range(_whole(rng, 0, 3))]
        return [(s, _whole(rng, s + 1, _TEXT), SEVERITIES[_whole(rng, 0, 2)]) for s in starts]

    gold, *sides = [[segment() for _ in range(units)] for _ in range(4)]
    return [Spans.from_plain(gold, side, text=[_TEXT] * units) for side in sides]


def _texts(rng: Random, units: int) -> list[Batch]:
    gold = [[[_WORDS[_whole(rng, 0, len(_WORDS) - 1)] for _ in range(_whole(rng, 3, 9))]] for _ in range(units)]
    sides = [[_reworded(rng, references[0]) for references in gold] for _ in range(3)]
    return [Texts.from_plain([[" ".join(r) for r in references] for references in gold], side) for side in sides]


def _reworded(rng: Random, words: list[str]) -> str:
    """Return a text with some words replaced, left out, or moved to the end."""
    kept = [word if rng.random() < 0.8 else _WORDS[_whole(rng, 0, len(_WORDS) - 1)] for word in words]
    cut = _whole(rng, 0, len(kept) - 1)
    turned = kept[cut:] + kept[:cut] if rng.random() < 0.5 else kept
    return " ".join(turned[_whole(rng, 0, 1) :])


_MAKERS: Mapping[type[Batch], Callable[[Random, int], list[Any]]] = {
    Values: _values,
    Scores: _scores,
    Tags: _tags,
    Judgments: _judgments,
    Grid: _grids,
    Spans: _spans,
    Texts: _texts,
}


def fixed_panels(kind: type[Batch]) -> Mapping[str, list[Any]]:
    """Return three submissions on the same gold for each size, by name, smallest first; none for an unknown kind."""
    made = next((ancestor for ancestor in kind.__mro__ if ancestor in _MAKERS), None)
    if made is None:
        return {}
    names = {f"{made.__name__.lower()}-{size}": size for size in SIZES}
    return {name: _MAKERS[made](Random(name), size) for name, size in names.items()}
