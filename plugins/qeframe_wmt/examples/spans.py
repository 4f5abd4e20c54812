"""Generated error spans, of which submissions find some."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

Span = tuple[int, int, str]  # start, end (exclusive) and severity


class Marker(NamedTuple):
    """The share of true errors that are found, and the mean number of wrong marks in a translation."""

    recall: float
    wrong: float


MARKERS: Mapping[str, Marker] = {
    "Willow-large": Marker(0.75, 0.3),
    "Willow-small": Marker(0.65, 0.4),
    "Yew": Marker(0.55, 0.2),
    "Zelkova-eager": Marker(0.80, 1.5),
}

BASELINE = Marker(0.35, 0.6)

_SYLLABLES = ("ka", "lo", "mi", "ru", "se", "ta", "vo", "ne")

_MAJOR = 0.35

_LONGEST = 12


def drawn_text(rng: np.random.Generator) -> str:
    """Return a sentence."""
    words = ["".join(rng.choice(_SYLLABLES, rng.integers(1, 4))) for _ in range(rng.integers(8, 20))]
    return " ".join(words).capitalize() + "."


def drawn_spans(rng: np.random.Generator, length: int, count: int) -> list[Span]:
    """Return spans anywhere in a text, in the order of their starts."""
    starts = sorted(rng.choice(length - _LONGEST, size=count, replace=False).tolist())
    return [
        (start, start + int(rng.integers(3, _LONGEST)), "major" if rng.random() < _MAJOR else "minor")
        for start in starts
    ]


def marked(rng: np.random.Generator, errors: Sequence[Span], length: int, marker: Marker) -> list[Span]:
    """Return what a submission marks in a text with these errors."""
    right = [error for error in errors if rng.random() < marker.recall]
    return sorted([*right, *drawn_spans(rng, length, int(rng.poisson(marker.wrong)))])
