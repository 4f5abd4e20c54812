"""Drawn pairs of texts for the tests of edits, and the grid of edits cell by cell."""

import math

import numpy as np

from qeframe.core.ragged import Ragged

__all__ = ["drawn_pairs", "grid_of", "way_back", "words"]


def words(rows):
    """Return rows of word numbers."""
    return Ragged.from_rows([list(row) for row in rows], dtype=np.int64)


def drawn_pairs(rng, count, longest):
    """Draw candidates and references as lists of word numbers: eight kinds in turn, some of them empty."""
    pairs = []
    for number in range(count):
        types = int(rng.choice([1, 2, 3, 8, 60]))
        reference = rng.integers(types, size=rng.integers(1, longest + 1)).tolist()
        changed = [word if rng.random() > 0.25 else int(rng.integers(types)) for word in reference]
        cut = sorted(rng.integers(0, len(reference) + 1, 3).tolist())
        pieces = [changed[i:j] for i, j in zip([0, *cut], [*cut, None], strict=True)]
        kinds = [
            lambda types=types: rng.integers(types, size=rng.integers(1, longest + 1)).tolist(),
            lambda reference=reference: reference,
            lambda reference=reference: reference[::-1],
            lambda reference=reference: rng.permutation(reference).tolist(),
            lambda changed=changed: [word for word in changed if rng.random() > 0.3],
            lambda pieces=pieces: [word for piece in rng.permutation(4) for word in pieces[piece]],
            lambda reference=reference: reference * int(rng.integers(1, 4)),
            lambda reference=reference: reference[: int(rng.integers(0, 3))],
        ]
        candidate = kinds[number % len(kinds)]()
        pairs.append((candidate, [] if rng.random() < 0.02 else reference))
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def grid_of(candidate, reference):
    """Return the costs of the cells within the beam by row and column, from the definition; others are missing."""
    ratio = len(reference) / len(candidate)
    half = math.ceil(ratio / 2 + 25) if ratio / 2 > 25 else 25
    costs = {(0, j): j for j in range(len(reference) + 1)}
    for i in range(1, len(candidate) + 1):
        center = math.floor(i * ratio)
        end = len(reference) + 1 if i == len(candidate) else min(len(reference) + 1, center + half)
        for j in range(max(0, center - half), end):
            unequal = j == 0 or candidate[i - 1] != reference[j - 1]
            costs[i, j] = min(
                costs.get((i - 1, j - 1), math.inf) + unequal,
                costs.get((i - 1, j), math.inf) + 1,
                costs.get((i, j - 1), math.inf) + 1,
            )
    return costs


def way_back(costs, candidate, reference):
    """Return for each reference word the row in which it is taken, and whether against a candidate's word."""
    i, j = len(candidate), len(reference)
    row, both = [0] * (j + 1), [False] * (j + 1)
    while i and j:
        unequal = candidate[i - 1] != reference[j - 1]
        if costs[i, j] == costs.get((i - 1, j - 1), math.inf) + unequal:
            row[j], both[j] = i, True
            i, j = i - 1, j - 1
        elif costs[i, j] == costs.get((i - 1, j), math.inf) + 1:
            i -= 1
        else:
            row[j] = i
            j -= 1
    return row, both
