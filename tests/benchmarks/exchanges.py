"""Rows 17 to 19 of the formulations: exchanges of cells under soft pairwise accuracy and tau-b, against plain loops.

Run as ``python tests/benchmarks/exchanges.py [ROW ...]``. Where either side would take minutes, a part of the draws is
run and its time is scaled up. Times are of the processor, so that other work on the machine changes the ratios less.
Exit status 1 if a target is missed. The memory is the peak of the process, so that a row is best run alone.
"""

import os
import resource
import sys
import time
from collections.abc import Callable
from itertools import combinations

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does

import numpy as np
from scipy.stats import kendalltau

from qeframe.core.draws import DrawBlock, exchange_masks
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement import spa, tau_b
from qeframe_agreement.exchanges.axes import make_stacked

LIMIT_SECONDS = 600

DRAWS = 1000
PAIR = np.array([0]), np.array([1])


def grids(items: int, systems: int, metrics: int, *, continuous: bool = False) -> list[Grid]:
    """Draw a gold of whole numbers, as MQM, or without ties, and metrics of falling quality; every eighth one ties.

    The worst system has twice the errors of the best one, about as in the tasks.
    """
    rng = np.random.default_rng(items)
    errors = rng.exponential(np.linspace(2.5, 5.0, systems), (items, systems))
    gold = rng.normal(size=(items, systems)) if continuous else -np.round(errors)
    noise = (rng.normal(0, 2 + k / 4, gold.shape) for k in range(metrics))
    return [Grid.from_plain(gold, np.round(gold + each, 0 if k % 8 == 7 else 6)) for k, each in enumerate(noise)]


def masks_of(batch: Grid, draws: int = DRAWS) -> np.ndarray:
    return exchange_masks(DrawBlock((1,), 0, 0, draws), batch.gold.size)


def seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """Return the best time of several runs."""
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def looped_spa(gold: np.ndarray, metric: np.ndarray, signs: np.ndarray) -> float:
    """Compute soft pairwise accuracy pair by pair; draws equal to the observed difference count half."""
    apart = []
    for i, j in combinations(range(gold.shape[1]), 2):
        p = []
        for side in (gold, metric):
            difference = side[:, i] - side[:, j]
            drawn, observed, slack = signs @ difference, difference.sum(), 1e-12 * np.abs(side).sum(axis=0).max()
            above = (drawn > observed + slack).mean() + (-drawn > observed + slack).mean()
            reached = (drawn >= observed - slack).mean() + (-drawn >= observed - slack).mean()
            p.append((above + reached) / 4)
        apart.append(abs(p[0] - p[1]))
    return 1 - float(np.mean(apart))


def row_17(draws: int = 10) -> tuple[str, bool]:
    """All 496 pairs of 32 metrics, 460 x 12 and 820 x 13 cells, 1000 exchanges of 1000 permutations.

    Blocks of draws are given to worker processes, so that two cores take half of the time.
    """
    first, second = np.triu_indices(32, 1)
    ours = loop = 0.0
    for items, systems in ((460, 12), (820, 13)):
        found = grids(items, systems, 32)
        exchange, masks = spa().exchange(found).along("cell"), masks_of(found[0])
        signs = spa().bind(found[0]).signs
        exchange(masks[:1], first, second)

        def plain(found=found, masks=masks, signs=signs) -> float:
            swap = masks[0].reshape(found[0].gold.shape).astype(bool)
            one, other = found[0].predicted, found[1].predicted
            mixed = np.where(swap, other, one), np.where(swap, one, other)
            mine, theirs = (looped_spa(found[0].gold, side, signs) for side in mixed)
            return mine - theirs

        assert abs(exchange(masks[:1], *PAIR)[0, 0] - plain()) < 1e-12
        ours += seconds(lambda e=exchange, m=masks: e(m[:draws], first, second), 5) * DRAWS / draws
        loop += seconds(plain) * DRAWS * len(first)
    told = f"{ours:8.1f} s on one core, loop {loop:12,.0f} s, {loop / ours:8,.0f} times (target 120 s on two cores)"
    return told, ours <= 240


def row_18(draws: int = 40) -> tuple[str, bool]:
    """A pair of metrics, tau-b by item, 1500 x 15 cells."""
    found = grids(1500, 15, 2)
    masks, metric = masks_of(found[0]), tau_b(grouping="item")
    exchange, again = metric.exchange(found).along("cell"), make_stacked(found, metric.bind, "cell", False)
    assert np.abs(exchange(masks[:4], *PAIR) - again(masks[:4], *PAIR)).max() < 1e-14
    ours = seconds(lambda: exchange(masks, *PAIR), 5)

    def least() -> None:
        signs, total = np.ones((3, 16, DRAWS), np.int8), np.zeros((16, DRAWS), np.int8)
        for _ in range(15 * 14 // 2 * -(-1500 // 16)):  # pairs of systems, blocks of items
            np.multiply(signs[0], signs[1], out=signs[2])
            np.add(total, signs[2], out=total)

    loop = seconds(lambda: again(masks[:draws], *PAIR), 2) * DRAWS / draws

    def plain() -> float:
        sides = zip(found[0].gold, found[0].predicted, strict=True)
        return float(np.nanmean([kendalltau(gold, scores).statistic for gold, scores in sides]))

    scipy = seconds(plain) * 2 * DRAWS
    bound = seconds(least, 3)
    told = (
        f"{ours:8.3f} s, bound again {loop:8.2f} s, {loop / ours:6.0f} times, scipy {scipy / ours:9,.0f}; one "
        f"multiplication and addition of int8 for each pair of cells and draw {bound:.3f} s: {bound / ours:.2f} of it "
        "(target .3)"
    )
    return told, bound / ours >= 0.3


def row_19(draws: int = 12) -> tuple[str, bool]:
    """A pair of metrics, tau-b over 1250 x 12 cells, with MQM gold and without ties."""
    told, reached = [], True
    for name, continuous, target in (("MQM", False, 8), ("no ties", True, 5)):
        found = grids(1250, 12, 2, continuous=continuous)
        masks, exchange = masks_of(found[0]), tau_b().exchange(found).along("cell")

        def plain(found=found, masks=masks) -> list[float]:
            one, other = (each.predicted.ravel() for each in found)
            gold, differences = found[0].gold.ravel(), []
            for swap in masks[:draws].astype(bool):
                mixed = np.where(swap, other, one), np.where(swap, one, other)
                mine, theirs = (kendalltau(gold, side).statistic for side in mixed)
                differences.append(mine - theirs)
            return differences

        assert np.abs(exchange(masks[:draws], *PAIR)[:, 0] - plain()).max() < 1e-14
        ours = seconds(lambda e=exchange, m=masks: e(m, *PAIR), 2)
        loop = seconds(plain, 2) * DRAWS / draws
        told.append(f"{name}: {ours:6.2f} s, scipy {loop:6.2f} s, {loop / ours:5.1f} times (target {target})")
        reached &= loop / ours >= target
    return "; ".join(told), reached


def main(chosen: list[str]) -> int:
    """Print times, ratios and peak memory; return 1 if a target is missed."""
    rows, short = {17: row_17, 18: row_18, 19: row_19}, 0
    for number, row in rows.items():
        if chosen and str(number) not in chosen:
            continue
        told, reached = row()
        short += not reached
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(f"row {number}: {told}, peak {peak:.0f} MB\n")
    return int(short > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
