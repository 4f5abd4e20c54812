"""Rows 11 and 21 of the formulations: GTM with exponent 2 on pairs of about 30 words, against plain Python.

Run as ``python tests/benchmarks/texts.py [PAIRS]``; the default is 100,000. The textbook loop runs on the first 200
pairs and is taken to be proportional beyond. All of them begin with strings, so that the time of splitting them is in
all, but for the line of row 21: there the words are split, and numbered, before.
"""

import heapq
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

import qeframe
from qeframe.core.metric import Metric, segment_scores
from qeframe.kinds.texts.batch import Texts
from qeframe_gtm.matching import Blocks, matching_sizes

LIMIT_SECONDS = 300

TEXTBOOK_PAIRS = 200
LEAST_OF_INDEX, LEAST_OF_TEXTBOOK = 2.5, 30.0


def corpus(pairs: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Draw references of N(30, 8) Zipf words over 5,000 types; candidates have a third replaced and are turned."""
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(5000)])
    shares = 1 / np.arange(1, 5001)
    cumulative = np.cumsum(shares / shares.sum())

    def draw(count: int) -> np.ndarray:
        return np.minimum(np.searchsorted(cumulative, rng.random(count)), 4999)

    references, candidates = [], []
    for length in np.maximum(1, np.rint(rng.normal(30, 8, pairs))).astype(int):
        reference = draw(length)
        candidate = np.where(rng.random(length) < 1 / 3, draw(length), reference)
        references.append(" ".join(words[reference]))
        candidates.append(" ".join(words[np.roll(candidate, rng.integers(length))]))
    return references, candidates


def size_by_index(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """Return the size with exponent 2 as a good program in plain Python has it: an index, runs, a heap."""
    index = defaultdict(list)
    for j, word in enumerate(reference):
        index[word].append(j)
    runs, growing = [], {}
    for i, word in enumerate(candidate):
        now = {}
        for j in index.get(word, ()):
            run = growing.pop(j - 1, None)
            if run is None:
                run = [0, i, j]
            run[0] -= 1
            now[j] = run
        runs.extend(growing.values())
        growing = now
    runs.extend(growing.values())
    heap = [(length, -i, -j) for length, i, j in runs]
    heapq.heapify(heap)
    covered, known, total = bytearray(len(candidate)), bytearray(len(reference)), 0
    while heap:
        length, i, j = (-number for number in heapq.heappop(heap))
        start = 0
        while start < length and (covered[i + start] or known[j + start]):
            start += 1
        end = start
        while end < length and not (covered[i + end] or known[j + end]):
            end += 1
        if end - start == length:
            covered[i : i + length] = known[j : j + length] = b"\1" * length
            total += length**2
        elif end > start:
            heapq.heappush(heap, (start - end, -i - start, -j - start))
    return total**0.5


def size_by_textbook(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """Return the size with exponent 2 as one would write it at first: look for the longest free run, over and over."""
    used: tuple[set[int], set[int]] = (set(), set())
    total = 0
    while True:
        best = (0, 0, 0)
        for i in range(len(candidate)):
            for j in range(len(reference)):
                length = 0
                while (
                    i + length < len(candidate)
                    and j + length < len(reference)
                    and candidate[i + length] == reference[j + length]
                    and i + length not in used[0]
                    and j + length not in used[1]
                ):
                    length += 1
                best = max(best, (length, i, j))
        length, i, j = best
        if not length:
            return total**0.5
        used[0].update(range(i, i + length))
        used[1].update(range(j, j + length))
        total += length**2


def score_by(size: Callable[..., float], references: Sequence[str], candidates: Sequence[str]) -> float:
    """Return the F-measure of a document by a plain function of one pair."""
    return score_of_words(size, [known.split() for known in references], [said.split() for said in candidates])


def score_of_words(size: Callable[..., float], references: Sequence[list], candidates: Sequence[list]) -> float:
    """Return the F-measure of a document whose words are split."""
    total = lengths = 0.0
    for reference, candidate in zip(references, candidates, strict=True):
        total += size(candidate, reference)
        lengths += len(candidate) + len(reference)
    return 2 * total / lengths


def best_of(*runs: Callable[[], object], times: int) -> list[float]:
    """Return the least processor time of several runs of each, in seconds, measured in turns."""
    best = [float("inf")] * len(runs)
    for _ in range(times):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - start)
    return best


def main() -> int:
    """Measure; 1 if a target is missed."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    metric = qeframe.load().get(Metric, "gtm_f(exponent=2)")
    references, candidates = corpus(pairs)
    some = references[:TEXTBOOK_PAIRS], candidates[:TEXTBOOK_PAIRS]
    fresh = Texts.from_plain(references, candidates)
    numbered = Texts.from_plain(references, candidates)
    split = [[text.split() for text in side] for side in (references, candidates)]
    assert numbered.tokens.vocabulary
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    matched, plain = best_of(
        lambda: matching_sizes(Blocks()(numbered), pairs, 2), lambda: score_of_words(size_by_index, *split), times=3
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    indexed, batched, whole, textbook = best_of(
        lambda: score_by(size_by_index, references, candidates),
        lambda: segment_scores(metric, fresh.take(np.arange(pairs))),
        lambda: qeframe.score(metric, references, candidates),
        lambda: score_by(size_by_textbook, *some),
        times=5 if pairs <= 20_000 else 3,
    )
    found = qeframe.score(metric, references, candidates)
    differences = [
        abs(found - score_by(size_by_index, references, candidates)),
        abs(qeframe.score(metric, *some) - score_by(size_by_textbook, *some)),
    ]
    textbook *= pairs / len(some[0])
    sys.stdout.write(
        f"gtm_f(exponent=2), {pairs:,} pairs: batched {batched:.2f} s, from lists {whole:.2f} s\n"
        f"  index in plain Python {indexed:.2f} s: {indexed / batched:.1f} x batched, {indexed / whole:.1f} x lists\n"
        f"  textbook loop {textbook:.0f} s: {textbook / whole:.0f} x lists\n"
        f"  row 21, words numbered: {matched:.2f} s, index in plain Python {plain:.2f} s: {plain / matched:.1f} times, "
        f"peak {peak:.0f} MB, {before:.0f} MB before\n"
        f"  largest difference {max(differences):.1e}\n"
    )
    met = indexed / batched >= LEAST_OF_INDEX and textbook / whole >= LEAST_OF_TEXTBOOK and max(differences) < 1e-9
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
