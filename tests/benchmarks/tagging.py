"""Rows 8, 9 and 10 of the formulations: SeqCor and phrase counts against plain loops in Python, and their memory.

Run as ``python tests/benchmarks/tagging.py [SENTENCES]``; the default is a million sentences for the vectorized side.
The plain loops run on 20,000 sentences and are taken to be proportional beyond.
"""

import itertools
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import qeframe
from qeframe.core.metric import Metric
from qeframe.core.ragged import Ragged
from qeframe.kinds.tags.batch import Tags
from qeframe_tagging import phrase_f1_mult, seqcor
from qeframe_tagging.phrase_metrics import phrase_rows
from qeframe_tagging.span_matching import ROWS

LIMIT_SECONDS = 400

LOOPED = 20_000
LEAST_SHARE = 0.4
"""The share of the bound, reading the lists and the kernel, that is to be reached from plain lists."""
MOST_MEGABYTES = 100.0


def corpus(sentences: int, seed: int = 7) -> Tags:
    """Draw gold with .18 BAD in runs of mean 2.2, lengths N(20, 7), and a submission that errs in its own runs."""
    rng = np.random.default_rng(seed)
    lengths = np.maximum(1, np.rint(rng.normal(20, 7, sentences))).astype(np.int64)
    gold, noise = (_runs_of_bad(rng, int(lengths.sum()), rate) for rate in (0.18, 0.25))
    predicted = np.where(rng.random(len(gold)) < 0.85, gold, noise).astype(np.int8)
    sides = {"gold": gold, "predicted": predicted}
    return Tags(ids=np.arange(sentences), **{name: Ragged.from_lengths(of, lengths) for name, of in sides.items()})


def _runs_of_bad(rng: np.random.Generator, tokens: int, rate: float, mean: float = 2.2) -> np.ndarray:
    count = int(1.5 * tokens * rate / mean) + 100
    lengths = [rng.geometric(p, count) for p in (rate / (mean * (1 - rate)), 1 / mean)]
    flat = np.repeat(np.tile(np.array([0, 1], dtype=np.int8), count), np.stack(lengths, axis=1).ravel())
    return np.resize(flat, tokens)


def as_lists(side: Ragged, sentences: int) -> list[list[str]]:
    """Return the first sentences as plain lists of names."""
    names = np.array(["OK", "BAD"], dtype=object)
    return [names[row].tolist() for row in itertools.islice(side, sentences)]


def spans(tags: list[str]) -> list[tuple[str, int, int]]:
    """List the spans of a sentence: tag, start, end."""
    found, start = [], 0
    for position in range(1, len(tags) + 1):
        if position == len(tags) or tags[position] != tags[start]:
            found.append((tags[start], start, position))
            start = position
    return found


def loop_seqcor(gold: list[list[str]], predicted: list[list[str]]) -> float:
    """Compute SeqCor as one would at first."""
    scores = []
    for truth, said in zip(gold, predicted, strict=True):
        sides, credit = (spans(truth), spans(said)), 0.0
        for tag in ("OK", "BAD"):
            mine, theirs = ([span for span in side if span[0] == tag] for side in sides)
            edges = [
                (min(b, d) - max(a, c), -i, -j)
                for i, (_, a, b) in enumerate(mine)
                for j, (_, c, d) in enumerate(theirs)
                if min(b, d) > max(a, c)
            ]
            used: tuple[set[int], set[int]] = (set(), set())
            for overlap, i, j in sorted(edges, reverse=True):
                if i not in used[0] and j not in used[1]:
                    used[0].add(i)
                    used[1].add(j)
                    credit += overlap / (2 * truth.count(tag))
        counts = [len(side) for side in sides]
        scores.append(credit * min(counts) / max(counts))
    return sum(scores) / len(scores)


def loop_phrases(gold: list[list[str]], predicted: list[list[str]]) -> float:
    """Compute literal phrase F1-mult as one would at first: the F1 of either class, from its definition."""
    return loop_phrase_f1(gold, predicted, "OK") * loop_phrase_f1(gold, predicted, "BAD")


def loop_phrase_f1(gold: list[list[str]], predicted: list[list[str]], tag: str) -> float:
    hits, in_gold, in_predicted = 0.0, 0, 0
    for truth, said in zip(gold, predicted, strict=True):
        for of, start, end in spans(truth):
            if of == tag:
                in_gold += 1
                hits += sum(1 for position in range(start, end) if said[position] == tag) / (end - start)
        in_predicted += sum(1 for of, _, _ in spans(said) if of == tag)
    return 2 * hits / (in_gold + in_predicted)


def best_of(*runs: Callable[[], object], times: int = 3) -> list[float]:
    """Return the least processor time of several runs of each, in seconds, measured in turns."""
    best = [float("inf")] * len(runs)
    for _ in range(times):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - start)
    return best


def read(*sides: list[list[str]]) -> None:
    """Do only what no way from plain lists can leave out: look at every tag of either side, and at every length."""
    for side in sides:
        np.fromiter(map("BAD".__eq__, itertools.chain.from_iterable(side)), np.bool_)
        np.fromiter(map(len, side), np.int64, len(side))


def fresh(batch: Tags) -> Tags:
    """Return the batch without what was extracted from it before."""
    return Tags(ids=batch.ids, gold=batch.gold, predicted=batch.predicted)


def megabytes_above_input(run: Callable[[], object]) -> float:
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def compare_with_loop(name: str, metric: Metric, loop: Callable[..., float]) -> bool:
    """Print the ratios on the sentences that the loop can bear; true if they are high enough."""
    batch = corpus(LOOPED)
    gold, predicted = (as_lists(side, LOOPED) for side in (batch.gold, batch.predicted))
    looped, kernel, whole, reading = best_of(
        lambda: loop(gold, predicted),
        lambda: metric.bind(fresh(batch))(np.ones(LOOPED)),
        lambda: qeframe.score(metric, gold, predicted),
        lambda: read(gold, predicted),
        times=7,
    )
    share = (kernel + reading) / whole
    difference = abs(loop(gold, predicted) - qeframe.score(metric, gold, predicted))
    show(
        f"{name:<24} {LOOPED:>9,} sentences: loop {looped:.3f} s, kernel {kernel:.4f} s ({looped / kernel:.0f}x), "
        f"from lists {whole:.4f} s ({looped / whole:.1f}x; reading the lists alone {reading:.4f} s, with the kernel "
        f"{looped / (kernel + reading):.0f}x: {share:.2f} of this bound), difference {difference:.1e}"
    )
    return share >= LEAST_SHARE and difference < 1e-9


def measure_large(sentences: int) -> bool:
    """Print time and memory of the kernels, and of a score; true if all stay within the memory that is allowed."""
    batch = corpus(sentences)
    kernels = {"seqcor greedy": ROWS["greedy"], "seqcor exact": ROWS["exact"], "phrase shares": phrase_rows}
    peaks = []
    for name, extract in kernels.items():
        (seconds,) = best_of(lambda extract=extract: extract(batch))
        peaks.append(megabytes_above_input(lambda extract=extract: extract(batch)))
        show(f"{name:<24} {sentences:>9,} sentences: {seconds:.2f} s, peak {peaks[-1]:.0f} MB above the input")
    for metric in (seqcor(), phrase_f1_mult()):
        peak = megabytes_above_input(lambda metric=metric: qeframe.score(metric, fresh(batch), None))
        show(f"{metric.name + ' by score':<24} {sentences:>9,} sentences: peak {peak:.0f} MB above the input")
    return max(peaks) <= MOST_MEGABYTES


def measure_lists(
    name: str, sentences: int, metric: Metric, loop: Callable[..., float], most_megabytes: float = float("inf")
) -> bool:
    """Print time and memory of a score from plain lists at full size, the time beside a loop over the first of them."""
    batch = corpus(sentences)
    gold, predicted = (as_lists(side, sentences) for side in (batch.gold, batch.predicted))
    some = gold[:LOOPED], predicted[:LOOPED]
    whole, looped, reading = best_of(
        lambda: qeframe.score(metric, gold, predicted), lambda: loop(*some), lambda: read(gold, predicted), times=2
    )
    ratio = looped * sentences / len(some[0]) / whole
    peak = megabytes_above_input(lambda: qeframe.score(metric, gold, predicted))
    show(
        f"{name:<24} {sentences:>9,} sentences: from lists {whole:.2f} s, {ratio:.1f}x the loop, "
        f"reading the lists alone {reading:.2f} s, peak {peak:.0f} MB above the lists"
    )
    return peak <= most_megabytes


def show(line: str) -> None:
    """Write one line of results."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Measure everything; 1 if a target is missed."""
    sentences = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    qeframe.load()
    met = [
        compare_with_loop("phrase counts", phrase_f1_mult(), loop_phrases),
        compare_with_loop("seqcor (row 8)", seqcor(), loop_seqcor),
        measure_large(sentences),
        measure_lists("seqcor (row 9)", sentences, seqcor(), loop_seqcor, MOST_MEGABYTES),
        measure_lists("phrase counts (row 10)", sentences, phrase_f1_mult(), loop_phrases),
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
