"""Runs of hits of many segments: the greedy matching, and the largest one, for which hits are searched where needed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray
from qeframe_gtm.hits import Hits, Runs


def greedy_runs(hits: Hits) -> Runs:
    """Return the runs of the greedy matching, in no order.

    Longer runs are taken first. Among runs of equal length, the one with the last position in the candidate is first,
    then the one with the last position in the references. The rest of a run that is partly covered stays available.

    A run that comes before all runs with which it shares a row or a column is taken whole in the end, since no run that
    is taken earlier touches it. All such runs are taken in one step, so that a few steps suffice.
    """
    bits = hits.width.bit_length() - 1
    key, row, column = hits.key, (hits.segment << bits) + hits.candidate, (hits.segment << bits) + hits.reference
    best = np.zeros((2, hits.segments << bits), dtype=np.int64)
    taken: list[IntArray] = [np.empty((4, 0), dtype=np.int64)]
    while len(key):
        starts = np.flatnonzero(np.diff(key, prepend=-2) != 1)
        length = np.diff(starts, append=len(key))
        first = row[starts] & hits.width - 1, column[starts] & hits.width - 1
        order = np.repeat((length << 2 * bits) + (first[0] << bits) + first[1], length)
        chosen = np.logical_and.reduceat(_foremost(order, row, best[0]) & _foremost(order, column, best[1]), starts)
        taken.append(np.stack([row[starts] >> bits, *first, length])[:, chosen])
        free = _untouched(np.repeat(chosen, length), row, column, best)
        key, row, column = key[free], row[free], column[free]
    return Runs(*np.concatenate(taken, axis=1))


def _foremost(order: IntArray, cell: IntArray, best: IntArray) -> BoolArray:
    """Return whether each hit's run comes before all others in its row, or its column."""
    best[cell] = 0
    np.maximum.at(best, cell, order)
    return best[cell] == order


def _untouched(chosen: BoolArray, row: IntArray, column: IntArray, marks: IntArray) -> BoolArray:
    """Return which hits are in no row and no column of a chosen one."""
    marks[0, row], marks[1, column] = 0, 0
    marks[0, row[chosen]], marks[1, column[chosen]] = 1, 1
    return (marks[0, row] | marks[1, column]) == 0


Hit = tuple[int, int]  # a position in the candidate and one in the row of references

Lengths = dict[int, list[int]]  # for each row, or column, the lengths of the runs through it

_EQUAL = 1 + 1e-12  # a bound that is not larger than the best known size by more than rounding is pruned


def largest_matching(
    hits: Sequence[Hit], known: Sequence[Hit], *, limit: float, exponent: float, budget: int
) -> Sequence[Hit] | None:
    """Return the hits of a matching of the largest size in a segment, None if the budget did not suffice.

    `known` is a good matching to begin with. A matching may cover `limit` words; the rest is cut from its shortest
    runs. The budget is how many sets of hits may be examined.
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
    """The value of runs."""

    word: dict[int, int]  # a number for the word at each row, the same for equal words
    exponent: float
    longest: int  # the length of the longest run; lengths are divided by it so that no power overflows

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


def exact_runs(hits: Hits, limit: FloatArray, ids: IntArray, *, exponent: float, budget: int) -> Runs:
    """Return the runs of a matching of the largest size in every segment; the limits are (segments,).

    The ids name the segments, (segments,), if the budget does not suffice for one. See `largest_matching`.
    """
    greedy = greedy_runs(hits)
    uncertain = ~_certain(hits, greedy, exponent)
    kept = ~uncertain[greedy.segment]
    parts = [np.stack([greedy.segment, greedy.candidate, greedy.reference, greedy.length])[:, kept]]
    for segment in np.flatnonzero(uncertain):
        part = slice(*np.searchsorted(hits.segment, [segment, segment + 1]))
        cells = list(zip(hits.candidate[part].tolist(), hits.reference[part].tolist(), strict=True))
        known, most = _covered(greedy, segment), float(limit[segment])
        best = largest_matching(cells, known, limit=most, exponent=exponent, budget=budget)
        if best is None:
            what = f"segment {ids[segment]}: no matching of its {len(cells)} hits was proved largest in {budget} steps"
            raise DataError(what, remedy="set a larger budget, or matching=greedy")
        runs = [(segment, *run[0], len(run)) for run in runs_of(best)]
        parts.append(np.array(runs, dtype=np.int64).reshape(-1, 4).T)
    return Runs(*np.concatenate(parts, axis=1))


def _covered(runs: Runs, segment: np.int64) -> list[tuple[int, int]]:
    """Return the hits of the runs of one segment."""
    of = runs.segment == segment
    parts = zip(runs.candidate[of].tolist(), runs.reference[of].tolist(), runs.length[of].tolist(), strict=True)
    return [(i + k, j + k) for i, j, length in parts for k in range(length)]


def _certain(hits: Hits, matched: Runs, exponent: float) -> BoolArray:
    """Return the segments in which every word that has a hit is matched in the longest run that it is in.

    No matching can be larger, since no word has a larger value than in the longest run through it, on either side.
    """
    starts = np.flatnonzero(np.diff(hits.key, prepend=-2) != 1)
    length = np.diff(starts, append=len(hits.key))
    cells = hits.segment * hits.width + np.stack([hits.candidate, hits.reference])
    longest = np.zeros((2, hits.segments * hits.width))
    for side, cell in zip(longest, cells, strict=True):
        np.maximum.at(side, cell, np.repeat(length, length))
    words = longest.reshape(2, hits.segments, hits.width)
    scale = np.maximum(words.max(axis=(0, 2)), 1)
    bound = np.where(words > 0, (words / scale[:, None]) ** (exponent - 1), 0).sum(axis=2).min(axis=0)
    worth = matched.length * (matched.length / scale[matched.segment]) ** (exponent - 1)
    return bound <= np.bincount(matched.segment, worth, minlength=hits.segments) * (1 + 1e-12)
