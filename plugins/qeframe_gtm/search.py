"""The largest matching of one segment: branch and bound over its hits.

To find the largest matching is as hard as to find the shortest common partition of two strings, but sentences repeat
few words. The hits are divided into groups that share no row, no column and no run. Every group is solved separately.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import frozen

Hit = tuple[int, int]
"""A position in the candidate and one in the row of references."""

Lengths = dict[int, list[int]]
"""For each row, or column, the lengths of the runs through it."""

_EQUAL = 1 + 1e-12
"""A bound that is not larger than the best known size by more than rounding is pruned."""


def largest_matching(
    hits: Sequence[Hit], known: Sequence[Hit], *, limit: float, exponent: float, budget: int
) -> Sequence[Hit] | None:
    """Return the hits of a matching of the largest size, None if the budget did not suffice.

    Parameters
    ----------
    hits : sequence of (candidate, reference) positions
        All hits of one segment.
    known : sequence of Hit
        A good matching to begin with.
    limit : float
        How many words the matching may cover; the rest is cut from its shortest runs.
    exponent : float
    budget : int
        How many sets of hits may be examined.
    """
    columns: dict[int, set[int]] = defaultdict(set)
    for row, column in hits:
        columns[row].add(column)
    rule = Rule(
        word={row: min(matched) for row, matched in columns.items()},
        exponent=exponent,
        longest=max((len(run) for run in runs_of(sorted(hits, key=_along))), default=1),
    )
    most = len(known)
    parts = groups(hits) if limit >= most else [sorted(hits, key=_along)]
    matched: list[Hit] = []
    for part in parts:
        inside = set(part)
        search = BranchAndBound(rule, limit if limit < most else float("inf"), budget)
        best, budget = search(part, sorted((hit for hit in known if hit in inside), key=_along))
        if budget < 0:
            return None
        matched += best
    return matched


def _along(hit: Hit) -> tuple[int, int]:
    """Return the key that sorts hits by diagonal."""
    return hit[1] - hit[0], hit[0]


def runs_of(hits: Iterable[Hit]) -> list[list[Hit]]:
    """Cut hits, sorted by diagonal, into runs."""
    runs: list[list[Hit]] = []
    before = (-2, -2)
    for hit in hits:
        if hit == (before[0] + 1, before[1] + 1):
            runs[-1].append(hit)
        else:
            runs.append([hit])
        before = hit
    return runs


def groups(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Return hits in groups that share no row, no column and no run, each sorted by diagonal."""
    leader: dict[tuple[str, int], tuple[str, int]] = {}

    def find(node: tuple[str, int]) -> tuple[str, int]:
        while (above := leader.setdefault(node, node)) != node:
            leader[node] = leader[above]
            node = above
        return node

    ordered = sorted(hits, key=_along)
    for run in runs_of(ordered):
        first = find(("row", run[0][0]))
        for row, column in run:
            leader[find(("row", row))] = first
            leader[find(("column", column))] = first
    members: dict[tuple[str, int], list[Hit]] = defaultdict(list)
    for hit in ordered:
        members[find(("row", hit[0]))].append(hit)
    return list(members.values())


@frozen
class Rule:
    """The value of runs.

    Parameters
    ----------
    word : dict of int to int
        A number for the word at each row, the same for equal words.
    exponent : float
    longest : int
        The length of the longest run. Lengths are divided by it so that no power overflows.
    """

    word: dict[int, int]
    exponent: float
    longest: int

    def share(self, length: int) -> float:
        """Return the value of each word in a run of this length."""
        return float((length / self.longest) ** (self.exponent - 1))

    def worth(self, hits: Iterable[Hit], limit: float) -> float:
        """Return the sum of the powers of the lengths of runs; words above the limit are cut from the shortest."""
        total, left = 0.0, limit
        for length in sorted(map(len, runs_of(hits)), reverse=True):
            kept = min(length, left)
            total += kept * (kept / self.longest) ** (self.exponent - 1) if kept > 0 else 0.0
            left -= kept
        return total


@frozen
class BranchAndBound:
    """A search among the hits of one group."""

    rule: Rule
    limit: float
    budget: int

    def __call__(self, hits: list[Hit], known: list[Hit]) -> tuple[list[Hit], int]:
        """Return the best matching and the rest of the budget, -1 if it did not suffice."""
        best, value, budget = known, self.rule.worth(known, self.limit), self.budget
        waiting = [hits]
        while waiting:
            subset = waiting.pop()
            runs = runs_of(subset)
            rows, columns = _lengths_through(runs)
            if self.bound(subset, rows, columns) <= value * _EQUAL:
                continue
            if budget == 0:
                return best, -1
            budget -= 1
            doubtful = _doubtful(runs, rows, columns)
            if doubtful is None:
                if (size := self.rule.worth(subset, self.limit)) > value * _EQUAL:
                    best, value = subset, size
                continue
            row, column = doubtful
            waiting.append([hit for hit in subset if hit != doubtful])
            waiting.append([hit for hit in subset if (hit[0] == row) == (hit[1] == column)])
        return best, budget

    def bound(self, hits: Sequence[Hit], rows: Lengths, columns: Lengths) -> float:
        """Return a size that no matching within the hits exceeds.

        No word has a larger value than in the longest run through it, on either side. A word counts as often as on the
        side that has it less often. If no two hits are in conflict, the bound is the size.
        """
        words: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for row, lengths in rows.items():
            words[self.rule.word[row]][0].append(max(lengths))
        word_at = {column: self.rule.word[row] for row, column in hits}
        for column, lengths in columns.items():
            words[word_at[column]][1].append(max(lengths))
        sides: tuple[list[int], list[int]] = ([], [])
        for both in words.values():
            often = min(map(len, both))
            for side, lengths in zip(sides, both, strict=True):
                side.extend(sorted(lengths, reverse=True)[:often])
        return min(map(self.total, sides))

    def total(self, lengths: list[int]) -> float:
        """Return the value of words in runs of these lengths, of the longest runs first up to the limit."""
        if len(lengths) <= self.limit:
            return sum(map(self.rule.share, lengths))
        lengths = sorted(lengths, reverse=True)
        whole = int(self.limit)
        return sum(map(self.rule.share, lengths[:whole])) + (self.limit - whole) * self.rule.share(lengths[whole])


def _lengths_through(runs: Sequence[Sequence[Hit]]) -> tuple[Lengths, Lengths]:
    """Return the lengths of the runs through every row and every column."""
    rows: Lengths = defaultdict(list)
    columns: Lengths = defaultdict(list)
    for run in runs:
        for row, column in run:
            rows[row].append(len(run))
            columns[column].append(len(run))
    return rows, columns


def _doubtful(runs: Sequence[Sequence[Hit]], rows: Lengths, columns: Lengths) -> Hit | None:
    """Return the first hit, in the longest run that has one, with another hit in its row or column."""
    for run in sorted(runs, key=len, reverse=True):
        for row, column in run:
            if len(rows[row]) > 1 or len(columns[column]) > 1:
                return row, column
    return None
