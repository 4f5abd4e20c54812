"""MPP of many segments with three spans a side, against a plain loop, and its memory.

Run as ``python tests/benchmarks/spans.py [SEGMENTS]``; the default is a million segments. The plain loop runs on 3,000
segments and is taken to be proportional beyond.
"""

import sys
import time
import tracemalloc

import numpy as np

from qeframe.core.ragged import Ragged
from qeframe.kinds.spans import Spans
from qeframe_tagging.spans.matching import PartialCredit
from qeframe_tagging.spans.overlaps import Credit
from qeframe_tagging.spans.selection import Selection

LOOPED = 3_000
MOST_SECONDS = 30.0
MOST_MEGABYTES = 200.0
SUMS = PartialCredit(Credit(), "best", Selection())


def corpus(segments: int, spans: int = 3, seed: int = 7) -> Spans:
    """Draw segments of 120 characters with spans of mean length 12; 2 of 3 predicted spans are near a gold one."""
    rng = np.random.default_rng(seed)
    sides = []
    near = None
    for _ in range(2):
        length = np.minimum(rng.geometric(1 / 12, segments * spans), 60)
        start = rng.integers(0, 121 - length)
        if near is not None:
            moved = np.clip(near + rng.integers(-3, 4, len(near)), 0, 120 - length)
            start = np.where(rng.random(len(start)) < 2 / 3, moved, start)
        near = start
        values = np.stack([start, start + length, (rng.random(len(start)) < 0.35).astype(np.int64)], axis=1)
        sides.append(Ragged.from_lengths(values, np.full(segments, spans)))
    return Spans(ids=np.arange(segments), gold=sides[0], predicted=sides[1], text=np.full(segments, 120))


def best_credits(pairs: list[tuple[int, int, float, float]], sizes: tuple[int, int]) -> tuple[float, float]:
    """Try every matching of a segment, as one would at first: precision credit and recall credit of the best one."""
    best = ((0.0, 0.0, 0.0), 0.0, 0.0)
    stack = [(0, frozenset[int](), frozenset[int](), 0.0, 0.0)]
    while stack:
        at, gold, predicted, a, b = stack.pop()
        if at == len(pairs):
            p, r = a / sizes[0], b / sizes[1]
            f = 2 * p * r / (p + r) if p + r else 0.0
            best = max(best, ((round(f, 12), round(p + r, 12), round(p, 12)), a, b))
            continue
        j, i, more_a, more_b = pairs[at]
        stack.append((at + 1, gold, predicted, a, b))
        if j not in gold and i not in predicted:
            stack.append((at + 1, gold | {j}, predicted | {i}, a + more_a, b + more_b))
    return best[1:]


def loop(batch: Spans) -> float:
    """Compute the micro F of MPP segment by segment."""
    sums = [0.0, 0.0, 0.0, 0.0]
    for gold, predicted in zip(batch.gold, batch.predicted, strict=True):
        pairs = []
        for i, (s, e, _) in enumerate(predicted.tolist()):
            for j, (gs, ge, _) in enumerate(gold.tolist()):
                overlap = min(e, ge) - max(s, gs)
                if overlap > 0:
                    pairs.append((j, i, overlap / (e - s), overlap / (ge - gs)))
        a, b = best_credits(pairs, (len(predicted), len(gold)))
        sums = [x + y for x, y in zip(sums, (a, len(predicted), b, len(gold)), strict=True)]
    p, r = sums[0] / sums[1], sums[2] / sums[3]
    return 2 * p * r / (p + r)


def score(batch: Spans) -> float:
    """Compute the same by whole arrays."""
    a, m, b, n, _ = SUMS(batch).sum(axis=0)
    return float(2 * (a / m) * (b / n) / (a / m + b / n))


def main(segments: int) -> None:
    """Print seconds, megabytes and the ratio to the loop; fail if they are too large."""
    part = corpus(LOOPED)
    start = time.perf_counter()
    slow = loop(part)
    per_segment = (time.perf_counter() - start) / LOOPED
    assert abs(score(part) - slow) < 1e-12
    batch = corpus(segments)
    start = time.perf_counter()
    value = score(batch)
    seconds = time.perf_counter() - start
    tracemalloc.start()
    score(batch)
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6 - 40e-6 * segments
    ratio = per_segment * segments / seconds
    found = f"{segments} segments: F {value:.6f}, {seconds:.1f} s, {megabytes:.0f} MB beside the sums"
    sys.stdout.write(f"{found}, {ratio:.0f} x the loop\n")
    assert seconds < MOST_SECONDS * max(1.0, segments / 1e6)
    assert megabytes < MOST_MEGABYTES


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
