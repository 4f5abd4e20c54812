"""The search for the best matching of one segment whose spans compete for many others.

Spans of one side are taken in reading order. What is known of the spans so far is a set of states: which spans of the
other side are used that a later span may want, and what precision and recall the matching has. F grows with both. So of
the states that use the same spans, only those are kept that no other one exceeds in both.
"""

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe_tagging.confusion_counts import f_score
from qeframe_tagging.spans.overlaps import rises

TOLERANCE = 1e-12  # scores that differ by no more are equal

_ALWAYS_SEARCHED = 12
_MOST_STATES = 2**15
_ROUNDS = 30


@frozen(kw_only=True, eq=False)
class CompetingPairs:
    """The pairs of one segment that compete; spans and starts of overlaps are (m,)."""

    gold: IntArray
    predicted: IntArray
    start: IntArray
    gains: FloatArray  # what each pair adds to precision and to recall, (2, m)
    base: tuple[float, float]  # precision and recall without these pairs

    def point(self, chosen: BoolArray) -> FloatArray:
        """Return precision and recall of a matching, (2,)."""
        return np.asarray(self.base) + self.gains[:, chosen].sum(axis=1)


@frozen(eq=False)
class _States:
    """What is known after some spans: the used spans as bits, precision and recall, and how each state was reached."""

    used: IntArray
    points: FloatArray
    parent: IntArray
    pair: IntArray

    def take(self, rows: IntArray) -> "_States":
        return _States(self.used[rows], self.points[:, rows], self.parent[rows], self.pair[rows])


def best_subset(competing: CompetingPairs) -> tuple[BoolArray, float]:
    """Return the best matching, (m,) bool, and by how much at most its F is below the best: 0 unless given up.

    If both sides have more than 12 spans, a matching that a bound proves to have the best F is taken at once, and the
    search is given up if it has more than 32,768 states.
    """
    guess, gap = _by_assignments(competing)
    if (
        gap <= TOLERANCE
        and min(len(np.unique(side)) for side in (competing.gold, competing.predicted)) > _ALWAYS_SEARCHED
    ):
        return guess, 0.0
    best = _search(competing, float(f_score(*competing.point(guess))))
    return (guess, gap) if best is None else (best, 0.0)


def _search(competing: CompetingPairs, low: float) -> BoolArray | None:
    """Return the best matching; None if the search is given up. Its F is known to be at least `low`."""
    # the side with fewer spans has the bits, so that there are few states
    sides = sorted((competing.gold, competing.predicted), key=lambda side: len(np.unique(side)))
    others, spans = (np.unique(side, return_inverse=True)[1] for side in sides)
    many = int(others.max()) + 1 > _ALWAYS_SEARCHED
    rows, last = _in_reading_order(spans, others, competing.start)
    rest = _still_to_gain(competing.gains, rows)
    states = _States(np.zeros(1, np.int64), np.array(competing.base)[:, None], np.zeros(1, np.int64), np.full(1, -1))
    bits, steps = dict[int, int](), []
    for step, pairs in enumerate(rows):
        for other in others[pairs].tolist():
            bits.setdefault(other, next(bit for bit in range(len(bits) + 1) if bit not in bits.values()))
        # the other spans in use are the bits of an int64; those that are done give theirs back
        if max(bits.values()) > 60:
            return None
        states = _extend(states, [(int(pair), bits[int(others[pair])]) for pair in pairs], competing.gains)
        done = [other for other in others[pairs].tolist() if last[other] == step]
        states = _keep(states, sum(1 << bits.pop(other) for other in done), rest[step + 1], low)
        steps.append(states)
        if many and len(states.used) > _MOST_STATES:
            return None
    return _trace(steps, _first_best(states.points), len(spans))


def _in_reading_order(spans: IntArray, others: IntArray, start: IntArray) -> tuple[list[IntArray], IntArray]:
    """Return the pairs of each span, and for each span of the other side the last of the spans that overlap it."""
    first = np.full(int(spans.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, spans, start)
    order = np.argsort(first, kind="stable")
    step_of = np.argsort(order)
    last = np.zeros(int(others.max()) + 1, dtype=np.int64)
    np.maximum.at(last, others, step_of[spans])
    return [np.flatnonzero(spans == span) for span in order], last


def _still_to_gain(gains: FloatArray, rows: list[IntArray]) -> FloatArray:
    """Return bounds of what the spans from each one on can add to precision and recall, (spans + 1, 2)."""
    most = np.array([gains[:, pairs].max(axis=1) for pairs in rows] + [np.zeros(2)])
    return most[::-1].cumsum(axis=0)[::-1]


def _extend(states: _States, pairs: list[tuple[int, int]], gains: FloatArray) -> _States:
    """Return the states after one more span, which is matched by one of the pairs or not matched."""
    rows = np.arange(len(states.used))
    parts = [(states.used, states.points, rows, np.full(len(rows), -1))]
    for pair, bit in pairs:
        free = rows[(states.used >> bit) & 1 == 0]
        points = states.points[:, free] + gains[:, pair, None]
        parts.append((states.used[free] | (1 << bit), points, free, np.full(len(free), pair)))
    used, points, parent, pair_of = (np.concatenate(part, axis=-1) for part in zip(*parts, strict=True))
    return _States(used, points, parent, pair_of)


def _keep(states: _States, done: int, rest: FloatArray, low: float) -> _States:
    """Leave out states that cannot become the best; forget the spans that no later span overlaps."""
    used = states.used & ~done
    rows = np.flatnonzero(f_score(*(states.points + rest[:, None])) >= low - TOLERANCE)
    rows = rows[np.lexsort((-states.points[1, rows], -states.points[0, rows], used[rows]))]
    rows = rows[rises(used[rows], states.points[1, rows])]
    kept = states.take(rows)
    return _States(used[rows], kept.points, kept.parent, kept.pair)


def _first_best(points: FloatArray) -> int:
    """Return the state with the largest F, then P + R, P and R."""
    precision, recall = points
    possible = np.ones(points.shape[1], dtype=np.bool_)
    for key in (f_score(precision, recall), precision + recall, precision, recall):
        possible &= key >= key[possible].max() - TOLERANCE
    return int(possible.argmax())


def _trace(steps: list[_States], state: int, pairs: int) -> BoolArray:
    """Return the pairs on the way to a state, (m,)."""
    chosen = np.zeros(pairs, dtype=np.bool_)
    for states in reversed(steps):
        if states.pair[state] >= 0:
            chosen[states.pair[state]] = True
        state = int(states.parent[state])
    return chosen


def _by_assignments(competing: CompetingPairs) -> tuple[BoolArray, float]:
    """Return the best of several linear assignments, and by how much at most its F is below the best.

    F is concave in precision and recall. So its tangent at any mixture of matchings bounds F, and the best matching
    under the tangent is a linear assignment (the method of Frank and Wolfe).
    """
    best, low, high = np.zeros(len(competing.gold), dtype=np.bool_), -1.0, np.inf
    mixture: FloatArray | None = None
    for _ in range(_ROUNDS):
        slope = np.array([0.5, 0.5]) if mixture is None else _slope(mixture)
        chosen = _assignment(competing, slope)
        point = competing.point(chosen)
        if mixture is not None:
            high = min(high, float(f_score(*mixture) + slope @ (point - mixture)))
        if float(f_score(*point)) > low:
            best, low = chosen, float(f_score(*point))
        if high - low <= TOLERANCE:
            break
        mixture = point if mixture is None else _best_between(mixture, point)
    return best, max(0.0, high - low)


def _slope(point: FloatArray) -> FloatArray:
    """Return the gradient of F, (2,)."""
    return 2.0 * (point[::-1] / point.sum()) ** 2


def _best_between(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the point between two points, of 1,025 equally spaced ones, where F is largest."""
    share = np.linspace(0.0, 1.0, 1025)
    points = first[:, None] + share * (second - first)[:, None]
    return np.asarray(points[:, f_score(*points).argmax()])


def _assignment(competing: CompetingPairs, slope: FloatArray) -> BoolArray:
    from scipy.optimize import linear_sum_assignment

    gold, predicted = (np.unique(side, return_inverse=True)[1] for side in (competing.gold, competing.predicted))
    worth = np.zeros((int(gold.max()) + 1, int(predicted.max()) + 1))
    worth[gold, predicted] = slope @ competing.gains
    partner = np.full(len(worth), -1)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    partner[rows] = columns
    return np.asarray(partner[gold] == predicted)
