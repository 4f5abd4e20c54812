"""The second pass over a corpus: sums over chunks, under weights of 1 and under the weights of every draw.

They go up a binary tree over the chunks, so that they have the same bits however the chunks are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import FloatArray, IntArray, is_sparse
from qeframe.core.components.checks import metric as checked
from qeframe.core.components.comparable import Scheme
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.resampling.draws import DrawBlock, Key, poisson_counts
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.statistic import Score
from qeframe.streaming.additive_rows import ChunkRows, centered, weighted_sums
from qeframe.streaming.chunk_counts import DRAWS_AT_ONCE, UNITS_IN_CHUNK, chunk_rng, chunk_totals, multinomial_counts
from qeframe.streaming.first_pass import Survey, chunk_digest
from qeframe.streaming.sides import Sides

S = TypeVar("S", bound=Any)
"""What is added, by ``+``."""


@frozen(eq=False)
class Node(Generic[S]):
    """The sum over the chunks from ``index << height`` up to, and without, ``(index + 1) << height``, if they exist."""

    height: int
    index: int
    sums: S

    def is_left_of(self, right: Node[S]) -> bool:
        """Return whether this and another node are the halves of one."""
        return self.height == right.height and not self.index % 2 and right.index == self.index + 1


@define(eq=False)
class SumTree(Generic[S]):
    """The sums over chunks that follow each other: of the largest nodes that they fill, from left to right.

    Two halves of a node are added as soon as both are there, the left one first.
    """

    nodes: list[Node[S]] = field(factory=list)

    def add(self, nodes: Iterable[Node[S]]) -> SumTree[S]:
        """Add nodes that follow those that are there; return the tree."""
        for node in nodes:
            self.nodes.append(node)
            while len(self.nodes) > 1 and self.nodes[-2].is_left_of(self.nodes[-1]):
                left, right = self.nodes[-2:]
                self.nodes[-2:] = [Node(left.height + 1, left.index // 2, left.sums + right.sums)]
        return self

    def whole(self) -> S:
        """Return the sum over all chunks; the nodes begin with the first chunk, and the last one may be a part."""
        *before, total = [node.sums for node in self.nodes]
        for left in reversed(before):
            total = left + total
        return total


_POISSON_AT_ONCE = 8
"""How many draws are computed at once where each count is computed from the id of its unit, in 64-bit numbers."""

_TRIED = 4
"""How many blocks of draws are computed to estimate the time of all."""


@frozen
class Drawing:
    """How many draws are asked for, and how their counts are drawn."""

    draws: int
    scheme: Scheme = "multinomial"


@frozen(eq=False)
class Sums:
    """The sums of the rows of every metric and submission over some units. Sums over other units can be added.

    `totals` (k,): for each metric and submission, metric by metric: all weights 1. `drawn` (draws, k): under the
    weights of every draw.
    """

    units: int
    totals: tuple[FloatArray, ...]
    drawn: dict[Drawing, tuple[FloatArray, ...]]

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over the units of both."""
        return Sums(
            self.units + other.units,
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            {
                drawing: tuple(a + b for a, b in zip(mine, other.drawn[drawing], strict=True))
                for drawing, mine in self.drawn.items()
            },
        )

    def scores(self, functions: Sequence[Score], metrics: Sequence[Metric]) -> FloatArray:
        """Return the scores of all units, (metrics, submissions)."""
        return self._scored(self.totals, functions, metrics)

    def drawn_scores(self, drawing: Drawing, functions: Sequence[Score], metrics: Sequence[Metric]) -> FloatArray:
        """Return the scores of every draw, (metrics, submissions, draws)."""
        return self._scored(self.drawn[drawing], functions, metrics)

    def _scored(self, sums: Sequence[FloatArray], functions: Sequence[Score], metrics: Sequence[Metric]) -> FloatArray:
        submissions = len(sums) // len(metrics)
        scores = []
        for nth, (function, metric) in enumerate(zip(functions, metrics, strict=True)):
            of_metric = np.stack(sums[nth * submissions : (nth + 1) * submissions])
            scores.append(checked.scores(metric, function, of_metric, "sums"))
        return np.stack(scores)


def sum_chunks(
    sides: Sides,
    metrics: Sequence[Metric],
    rows: ChunkRows,
    survey: Survey,
    drawings: Sequence[Drawing],
    key: Key,
    runner: Runner,
    on_chunk: Callable[[int], None],
    part: tuple[int, int] | None = None,
) -> SumTree[Sums]:
    """Add up the rows of every metric and submission over chunks.

    `metrics`: all of them additive.
    `survey`: what the first pass found.
    `key`: the key of the stream of draws.
    `runner`: Computes the blocks of draws of a chunk.
    `on_chunk`: is given the number of chunks that were added, after each.
    `part`: the first chunk, and the one after the last; by default all.

    Raises DataError if a file has changed since the first pass.
    """
    first, last = part or (0, survey.chunk_digests.shape[1])
    if part is None:
        _check_unchanged(sides, survey.stamps, [source.stamp() for source in sides.sources])
    totals = {
        d: chunk_totals(key, d.draws, survey.units, size=UNITS_IN_CHUNK, first=first, last=last) for d in drawings
    }
    tree, nth = SumTree[Sums](), first
    for nth, pieces in enumerate(sides.chunks(UNITS_IN_CHUNK, part and (first, last, survey.offsets)), start=first):
        digests = [chunk_digest(piece.values) for piece in pieces]
        _check_unchanged(
            sides, survey.chunk_digests[:, nth : nth + 1].ravel().tolist() or [None] * len(digests), digests
        )
        columns, where = rows.bind(metrics, centered(sides.batches(pieces), survey.centers))
        of_chunk = np.asarray(columns.sum(axis=1)).ravel()
        whole = not is_sparse(columns) and bool((columns == np.rint(columns)).all())
        drawn = {}
        for drawing in drawings:
            work = partial(_block, columns, whole, drawing, key, nth, next(totals[drawing]), pieces[0].ids)
            blocks = list(_mapped(runner, work, range(0, drawing.draws, _width(drawing))))
            of_draws = np.ascontiguousarray(np.concatenate(blocks, axis=1).T)
            drawn[drawing] = tuple(of_draws[:, positions] for positions in where)
        sums = Sums(len(pieces[0].ids), tuple(of_chunk[positions] for positions in where), drawn)
        tree.add([Node(0, nth, sums)])
        on_chunk(nth + 1 - first)
    if nth + 1 < last:
        raise _changed(sides.gold.path)
    return tree


def seconds_of_draws(
    columns: FloatArray, ids: IntArray, units: int, drawings: Sequence[Drawing], runner: Runner
) -> float:
    """Return about how long the draws of a corpus of so many units take, from a few blocks of a chunk."""
    whole, seconds = not is_sparse(columns) and bool((columns == np.rint(columns)).all()), 0.0
    for drawing in drawings:
        totals = np.full(drawing.draws, len(ids))
        starts = range(0, drawing.draws, _width(drawing))
        work = partial(_block, columns, whole, drawing, (0,), 0, totals, ids)
        list(_mapped(runner, work, starts[:1]))  # the first block also makes tables and threads
        begun = perf_counter()
        tried = len(list(_mapped(runner, work, starts[:_TRIED])))
        seconds += (perf_counter() - begun) / tried * len(starts) * units / len(ids)
    return seconds


def _mapped(runner: Runner, work: Callable[[int], FloatArray], starts: Sequence[int]) -> Iterator[FloatArray]:
    """Return the results of the blocks of a chunk: by threads, or one by one."""
    return iter(Runner(runner.executor).map(work, starts))


def _width(drawing: Drawing) -> int:
    return DRAWS_AT_ONCE if drawing.scheme == "multinomial" else _POISSON_AT_ONCE


def _block(
    columns: FloatArray,
    whole: bool,
    drawing: Drawing,
    key: Key,
    chunk: int,
    totals: IntArray,
    ids: IntArray,
    start: int,
) -> FloatArray:
    """Return the sums (C, draws) of a chunk under the draws from `start` on."""
    draws = min(_width(drawing), drawing.draws - start)
    counts: NDArray[np.integer]
    if drawing.scheme == "poisson":
        counts = poisson_counts(DrawBlock((*key, 1), 0, start, draws), ids)
    else:
        counts = multinomial_counts(chunk_rng(key, chunk, start), totals[start : start + draws], len(ids))
    return weighted_sums(columns, counts, whole=whole)


def _check_unchanged(sides: Sides, before: Sequence[object], now: Sequence[object]) -> None:
    for source, first, second in zip(sides.sources, before, now, strict=True):
        if first != second:
            raise _changed(source.path)


def _changed(path: str) -> DataError:
    what = "the file has changed while it was read for the second time"
    return DataError(what, path=path, remedy="start again when nothing writes to it")
