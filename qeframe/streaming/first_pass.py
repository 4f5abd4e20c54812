"""The first pass over a corpus: every value is checked, units are counted, and means are taken."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import Batch
from qeframe.core.batches.ragged import Ragged
from qeframe.core.tasks.task import Input
from qeframe.kinds.registered import kind_of
from qeframe.streaming.chunk_counts import UNITS_IN_CHUNK
from qeframe.streaming.noticed import Noticed
from qeframe.streaming.sides import Sides


@frozen(kw_only=True, eq=False)
class Survey:
    """What the first pass found.

    `centers`: of numbers: the mean of the gold, then of each submission; it is exact for a constant. Empty for other
      values.
    `chunk_digests` (sides, chunks): of the values of each chunk.
    `offsets` (chunks + 1,): where the chunks of each side begin in its file, and where the last one ends; empty where
      that is not known.
    `inputs`: the records of the files.
    `stamps`: what each source says changes if its file is written to.
    `gold_warning`: what limits scores on this gold; empty if nothing does.
    `noticed`: what the answers of each submission are.
    """

    units: int
    centers: tuple[float, ...]
    chunk_digests: NDArray[np.uint64]
    offsets: tuple[tuple[int, ...], ...]
    inputs: tuple[Input, ...]
    stamps: tuple[object, ...]
    gold_warning: str
    noticed: Mapping[str, Noticed]

    @property
    def digests(self) -> tuple[str, ...]:
        """The digest of the values of each side."""
        return tuple(hashlib.blake2b(of_side.tobytes(), digest_size=16).hexdigest() for of_side in self.chunk_digests)


def chunk_digest(values: Any) -> int:
    """Return a number of 64 bits that tells the values of one side of a chunk from others."""
    digest = hashlib.blake2b(digest_size=8)
    for part in (values.values, values.lengths) if isinstance(values, Ragged) else (values,):
        digest.update(np.ascontiguousarray(part).data)
    return int.from_bytes(digest.digest(), "little")


@define(eq=False)
class _Center:
    """The mean of a side, from the sum of its distances from the first value."""

    first: float = 0.0
    away: float = 0.0
    units: int = 0
    low: float = field(default=np.inf)
    high: float = field(default=-np.inf)

    def update(self, values: Any) -> None:
        if not self.units:
            self.first = float(values[0])
        self.away += float(np.sum(values - self.first))
        self.units += len(values)
        self.low, self.high = min(self.low, float(values.min())), max(self.high, float(values.max()))

    def mean(self) -> float:
        return self.first + self.away / self.units


def survey(sides: Sides, on_chunk: Callable[[int], None]) -> Survey:
    """Read a corpus from the start to the end.

    `on_chunk`: is given the number of chunks that were read, after each. Raises DataError for the first value that
    cannot be used, with the file and the line.
    """
    stamps = tuple(source.stamp() for source in sides.sources)
    digests, units = list[list[int]](), 0
    plain = kind_of(sides.kind).plain_format
    centers = [_Center() for _ in sides.sources] if plain is not None and plain.one_number else []
    noticed = {name: Noticed() for name in sides.submissions}
    warnings: set[str] = set()
    for nth, pieces in enumerate(sides.chunks(UNITS_IN_CHUNK), start=1):
        digests.append([chunk_digest(piece.values) for piece in pieces])
        for center, piece in zip(centers, pieces, strict=False):
            center.update(piece.values)
        batches = sides.batches(pieces)
        for notices, batch in zip(noticed.values(), batches, strict=True):
            notices.update(batch)
        warnings.add(batches[0].gold_warning())
        units += len(pieces[0].ids)
        on_chunk(nth)
    return Survey(
        units=units,
        centers=tuple(center.mean() for center in centers),
        chunk_digests=np.array(digests, dtype=np.uint64).T,
        offsets=tuple(source.offsets() for source in sides.sources),
        inputs=tuple(dict.fromkeys(record for source in sides.sources if (record := source.record()))),
        stamps=stamps,
        gold_warning=_gold_warning(sides.kind, centers, warnings),
        noticed=noticed,
    )


def _gold_warning(kind: type[Batch], centers: Sequence[_Center], of_chunks: set[str]) -> str:
    """Return the warning on the whole gold: of numbers by their range, else the one that all chunks share."""
    if not centers:
        return next(iter(of_chunks)) if len(of_chunks) == 1 else ""
    ends = np.array([centers[0].low, centers[0].high])
    if len(of_chunks) == 1 and centers[0].units <= UNITS_IN_CHUNK:
        return next(iter(of_chunks))
    return kind.pair(ids=np.arange(2), gold=ends, predicted=ends, best="low").gold_warning()
