"""Slow, obvious versions: the textbook greedy matching, and the largest of all matchings."""

import math
from collections.abc import Callable, Sequence
from itertools import chain

Words = Sequence[str]
Run = tuple[int, int, float]


def row_of(references: Sequence[Words]) -> list[str | None]:
    """Return all references in a row, with a place between two of them that nothing equals."""
    return list(chain.from_iterable([*reference, None] for reference in references))[:-1]


def most(candidate: Words, references: Sequence[Words]) -> float:
    return min(len(candidate), sum(map(len, references)) / len(references))


def greedy_runs(candidate: Words, references: Sequence[Words]) -> list[Run]:
    """Return the runs (both beginnings, length) in the order in which they are taken."""
    row, left = row_of(references), most(candidate, references)
    used: tuple[set[int], set[int]] = (set(), set())
    runs = []

    def free_run(i: int, j: int) -> int:
        length = 0
        while (
            i + length < len(candidate)
            and j + length < len(row)
            and candidate[i + length] == row[j + length]
            and i + length not in used[0]
            and j + length not in used[1]
        ):
            length += 1
        return length

    while left > 0:
        length, i, j = max(
            ((free_run(i, j), i, j) for i in range(len(candidate)) for j in range(len(row))), default=(0, 0, 0)
        )
        if not length:
            break
        runs.append((i, j, min(length, left)))
        left -= length
        used[0].update(range(i, i + length))
        used[1].update(range(j, j + length))
    return runs


def size_of(lengths: Sequence[float], exponent: float) -> float:
    return math.fsum(length**exponent for length in lengths) ** (1 / exponent)


def greedy_size(candidate: Words, references: Sequence[Words], exponent: float) -> float:
    return size_of([length for _, _, length in greedy_runs(candidate, references)], exponent)


def cut(lengths: Sequence[int], limit: float) -> list[float]:
    """Return lengths of runs that sum up to the limit at most: the shortest ones are cut."""
    kept = []
    for length in sorted(lengths, reverse=True):
        kept.append(min(length, limit - sum(kept)))
    return [length for length in kept if length > 0]


def exact_size(candidate: Words, references: Sequence[Words], exponent: float) -> float:
    """Try every matching."""
    row, limit, best = row_of(references), most(candidate, references), 0.0

    def lengths(hits: set[tuple[int, int]]) -> list[int]:
        found = []
        for i, j in hits:
            if (i - 1, j - 1) not in hits:
                length = 1
                while (i + length, j + length) in hits:
                    length += 1
                found.append(length)
        return found

    def go_on(i: int, hits: set[tuple[int, int]]) -> None:
        nonlocal best
        if i == len(candidate):
            best = max(best, size_of(cut(lengths(hits), limit), exponent))
            return
        go_on(i + 1, hits)
        for j, word in enumerate(row):
            if word == candidate[i] and all(column != j for _, column in hits):
                go_on(i + 1, hits | {(i, j)})

    go_on(0, set())
    return best


def f_of(size: Callable[..., float], corpus: Sequence[tuple[Words, Sequence[Words]]], exponent: float) -> float:
    """Return the F-measure of a document."""
    total = sum(size(candidate, references, exponent) for candidate, references in corpus)
    lengths = sum(len(candidate) + sum(map(len, rs)) / len(rs) for candidate, rs in corpus)
    return 2 * total / lengths if lengths else 0.0
