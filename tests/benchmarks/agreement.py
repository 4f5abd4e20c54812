"""Rows 3 to 7 of the formulations: Kendall cells, tie calibration, permutation of agreement, SPA, against plain loops.

Run as ``python tests/benchmarks/agreement.py``. The loops do what is in use today: over items and pairs of systems in
Python, and for tests over draws, pairs of metrics and items, with numpy inside an item. Where one would take minutes, a
part of it is run and its time is scaled up. Exit status 1 if a ratio falls short of its target.
"""

import sys
import time
from collections.abc import Callable
from itertools import combinations

import attrs
import numpy as np

from qeframe.core.draws import DrawBlock, exchange_masks
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe_agreement import acc_eq, calibrate, confusion, count_outcomes, spa
from qeframe_agreement.grids import ACC23
from qeframe_agreement.soft_accuracy.statistic import SoftAccuracy
from qeframe_significance import sign_p_values

LIMIT_SECONDS = 300

ITEMS, SYSTEMS, METRICS, DRAWS = 1500, 15, 20, 1000
TARGETS = {3: 100, 4: 50, 5: 10_000, 6: 100_000, 7: 3}
"""Those of FORMULATIONS.md. The loops are ours; that of row 4 is leaner than the program in use."""


def grids(metrics: int = METRICS, seed: int = 11) -> list[Grid]:
    """Draw a gold of small whole numbers (a fifth of the pairs tied) and metrics of falling quality."""
    rng = np.random.default_rng(seed)
    gold = -rng.poisson(3.0, (ITEMS, SYSTEMS)).astype(np.float64)
    return [Grid.from_plain(gold, gold + rng.normal(0, 2 + k / 4, gold.shape)) for k in range(metrics)]


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the best time of several runs."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def looped_cells(batch: Grid, items: int) -> np.ndarray:
    """Count the nine cells by plain loops."""
    cells = np.zeros((3, 3))
    for gold, metric in zip(batch.gold[:items].tolist(), batch.predicted[:items].tolist(), strict=True):
        for i, j in combinations(range(len(gold)), 2):
            human, said = ((a > b) - (a < b) for a, b in ((gold[i], gold[j]), (metric[i], metric[j])))
            cells[1 - human, 1 - said] += 1
    return cells


def as_judgments(batch: Grid) -> Judgments:
    """Return all pairs of systems within items as judgments."""
    i, j = np.triu_indices(SYSTEMS, 1)
    human = np.sign(batch.gold[:, i] - batch.gold[:, j]).ravel().astype(np.int8)
    scores = np.stack([batch.predicted[:, i].ravel(), batch.predicted[:, j].ravel()], axis=1)
    return Judgments(ids=np.arange(len(human)), human=human, predicted=scores)


def row_3(found: list[Grid]) -> tuple[float, float]:
    judged = [as_judgments(batch) for batch in found]
    assert (confusion(judged[0]) == looped_cells(found[0], ITEMS)).all()
    ours = seconds(lambda: [confusion(batch) for batch in judged])
    return ours, seconds(lambda: looped_cells(found[0], ITEMS), 2) * METRICS


def looped_calibration(batch: Grid) -> float:
    """Sort all pairs by their difference and pass them one by one, keeping the counts of every item."""
    pairs = []
    for item, (gold, metric) in enumerate(zip(batch.gold.tolist(), batch.predicted.tolist(), strict=True)):
        for i, j in combinations(range(len(gold)), 2):
            pairs.append((abs(metric[i] - metric[j]), item, gold[i] - gold[j], metric[i] - metric[j]))
    pairs.sort()
    size = SYSTEMS * (SYSTEMS - 1) / 2
    total = sum((human > 0) == (said > 0) and human != 0 for _, _, human, said in pairs) / size
    best = total
    for _, _, human, said in pairs:
        total += (1 if human == 0 else -1 if (human > 0) == (said > 0) else 0) / size
        best = max(best, total)
    return best / len(batch)


def row_4(found: list[Grid]) -> tuple[float, float]:
    assert abs(looped_calibration(found[0]) - calibrate(found[0], ACC23)[1]) < 1e-9
    metric = acc_eq()
    # a batch keeps what was made of it: a new one for each time
    ours = seconds(lambda: metric.bind(attrs.evolve(found[0]))(np.ones(ITEMS)))
    return ours, seconds(lambda: looped_calibration(found[0]), 2)


def right_pairs(gold: np.ndarray, predicted: np.ndarray, epsilon: float) -> np.ndarray:
    """Return which pairs of one item the metric gets right."""
    i, j = np.triu_indices(SYSTEMS, 1)
    difference = predicted[i] - predicted[j]
    return np.asarray(np.where(np.abs(difference) <= epsilon, 0, np.sign(difference)) == np.sign(gold[i] - gold[j]))


def accuracy(gold: np.ndarray, predicted: np.ndarray, epsilon: float) -> float:
    """Return the accuracy at a threshold, item after item."""
    return float(np.mean([right_pairs(g, m, epsilon).mean() for g, m in zip(gold, predicted, strict=True)]))


def row_5(found: list[Grid]) -> tuple[float, float]:
    first, second = np.triu_indices(METRICS, 1)
    masks = exchange_masks(DrawBlock((1,), 0, 0, DRAWS), ITEMS * SYSTEMS)
    metric = acc_eq(epsilon=0.5)

    def ours() -> np.ndarray:
        return metric.exchange(found).along("cell")(masks, first, second)

    def loop(draws: int = 4) -> list[float]:
        a, b = found[0].predicted, found[1].predicted
        swaps = (mask.reshape(a.shape).astype(bool) for mask in masks[:draws])
        return [
            accuracy(found[0].gold, np.where(swap, b, a), 0.5) - accuracy(found[0].gold, np.where(swap, a, b), 0.5)
            for swap in swaps
        ]

    assert np.allclose(ours()[:4, 0], loop(), atol=1e-12)
    return seconds(ours, 3), seconds(loop, 2) / 4 * DRAWS * len(first)


def row_6(found: list[Grid]) -> tuple[float, float]:
    thresholds = [calibrate(batch, ACC23)[0] for batch in found]

    def ours() -> np.ndarray:
        counts = count_outcomes(found, epsilon=thresholds)
        return sign_p_values(counts, counts.T)

    right = [
        [right_pairs(*rows, epsilon) for rows in zip(batch.gold, batch.predicted, strict=True)]
        for batch, epsilon in zip(found, thresholds, strict=True)
    ]
    rng = np.random.default_rng(0)

    def loop(draws: int = 4) -> list[float]:
        differences = []
        for _ in range(draws):
            mine, theirs = [], []
            for a, b in zip(*right[:2], strict=True):
                swap = rng.random(len(a)) < 0.5
                mine.append(np.where(swap, b, a).mean())
                theirs.append(np.where(swap, a, b).mean())
            differences.append(float(np.mean(mine) - np.mean(theirs)))
        return differences

    return seconds(ours), seconds(loop, 2) / 4 * DRAWS * METRICS * (METRICS - 1) / 2


def row_7(found: list[Grid]) -> tuple[float, float]:
    statistics = [spa().bind(batch) for batch in found]

    def p_values(scores: np.ndarray, signs: np.ndarray) -> list[float]:
        drawn, observed = signs @ scores.astype(np.float32), scores.sum(axis=0)
        return [
            float(np.mean(drawn[:, i] - drawn[:, j] >= observed[i] - observed[j]))
            for i, j in combinations(range(SYSTEMS), 2)
        ]

    def loop() -> list[float]:
        scores = []
        for batch in found:
            signs = [np.rint(np.random.default_rng(4).random((DRAWS, ITEMS), dtype=np.float32)) * 2 - 1] * 2
            sides = zip((batch.gold, batch.predicted), signs, strict=True)
            gold, metric = (np.array(p_values(side, drawn)) for side, drawn in sides)
            scores.append(1 - float(np.abs(gold - metric).mean()))
        return scores

    ours = SoftAccuracy.jointly(statistics)
    assert np.abs(ours(np.ones(ITEMS)) - loop()).max() < 0.05
    return seconds(lambda: ours(np.ones(ITEMS))), seconds(loop, 2)


def main() -> int:
    """Print times and ratios; return 1 if a target is missed."""
    found, short = grids(), 0
    sys.stdout.write(f"{ITEMS} items x {SYSTEMS} systems, {METRICS} metrics, {DRAWS} draws\n")
    for number, row in {3: row_3, 4: row_4, 5: row_5, 6: row_6, 7: row_7}.items():
        ours, theirs = row(found)
        ratio = theirs / ours
        short += ratio < TARGETS[number]
        told = f"{ours:8.4f} s, loop {theirs:12.2f} s, {ratio:12,.0f} times (target {TARGETS[number]:,})"
        sys.stdout.write(f"row {number}: {told}\n")
    return int(short > 0)


if __name__ == "__main__":
    sys.exit(main())
