"""Which pairs of submissions are compared: the leader with each other one, adjacent ones, all, or named ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from qeframe.core.batches.base import IntArray
from qeframe.core.components.comparable import Comparable
from qeframe.core.errors import DataError, did_you_mean

Pairs = Literal["leader", "adjacent", "all"]
PAIRS: tuple[Pairs, ...] = ("leader", "adjacent", "all")


def chosen_pairs(
    comparable: Comparable, submissions: Sequence[str], pairs: Pairs | Sequence[tuple[str, str]]
) -> IntArray:
    """Return the positions of chosen pairs among the pairs of a comparable, which are ordered by score.

    Parameters
    ----------
    comparable : Comparable
    submissions : sequence of str
        Their names.
    pairs : {"leader", "adjacent", "all"} or sequence of (str, str)
        See `power_curves`.

    Raises
    ------
    DataError
        If a name is not there, or is compared with itself.
    """
    first, second = comparable.pairs
    order = list(dict.fromkeys([*first.tolist(), *second.tolist()]))
    places = np.argsort(order)
    if isinstance(pairs, str):
        if pairs not in PAIRS:
            raise DataError(f"unknown pairs '{pairs}'", remedy=f"choose one of: {', '.join(PAIRS)}")
        wanted = {
            "leader": places[first] == 0,
            "adjacent": places[second] == places[first] + 1,
            "all": np.ones(len(first), dtype=np.bool_),
        }[pairs]
        return np.flatnonzero(wanted)
    position = {frozenset(pair): i for i, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    found = []
    for names in pairs:
        for name in names:
            if name not in submissions:
                raise DataError(f"there is no submission '{name}'", remedy=did_you_mean(name, submissions))
        both = frozenset(submissions.index(name) for name in names)
        if len(both) < 2:
            raise DataError(f"'{names[0]}' cannot be compared with itself", remedy="name two submissions")
        found.append(position[both])
    return np.array(found, dtype=np.int64)
