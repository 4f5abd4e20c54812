"""The first pass over a corpus: every value is checked, units are counted, and means are taken.

What a submission is is noticed as far as sums over chunks tell it: constant, a copy, its sign turned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from qeframe.additions.notices import LEAST, flat_values, is_numeric, on_constant, on_equal, on_equal_to_gold, on_turned
from qeframe.core.batches.base import Batch, FloatArray
from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import counted
from qeframe.core.tasks.task import Input
from qeframe.kinds.registered import kind_of
from qeframe.streaming.chunk_counts import UNITS_IN_CHUNK
from qeframe.streaming.sides import Sides

NOT_LOOKED_FOR = "answers that are shifted, almost constant, or a copy on another scale"
"""What a notice of `qeframe.evaluate` says and sums over chunks do not tell."""


@define(eq=False)
class _Sums:
    """Of pairs of numbers: counts, and sums of their distances from the first pair and of products of these."""

    count: int = 0
    first: FloatArray = field(factory=lambda: np.zeros(2))
    sums: FloatArray = field(factory=lambda: np.zeros(2))
    products: FloatArray = field(factory=lambda: np.zeros((2, 2)))

    def add(self, pairs: FloatArray) -> None:
        if not self.count:
            self.first = pairs[:, :1].copy()
        away = pairs - self.first
        self.count += away.shape[1]
        self.sums = self.sums + away.sum(axis=1)
        self.products = self.products + away @ away.T

    def correlation(self) -> float:
        """Return Pearson's correlation; NaN if a side is constant."""
        covariances = self.products - np.outer(self.sums, self.sums) / max(1, self.count)
        scale = np.sqrt(max(0.0, covariances[0, 0]) * max(0.0, covariances[1, 1]))
        return float(covariances[0, 1] / scale) if scale > 0 else np.nan


@define(eq=False)
class Noticed:
    """What is known of a submission after some chunks.

    `low`, `high`: the ends of its answers. `has_gold`, `equals_gold`: whether there is a gold of numbers, and all
    answers so far equal it.
    """

    low: float = np.inf
    high: float = -np.inf
    values: int = 0
    has_gold: bool = True
    equals_gold: bool = True
    _with_gold: _Sums = field(factory=_Sums)

    def update(self, batch: Batch) -> None:
        """Take the next chunk."""
        answers, gold = flat_values(batch, "predicted"), flat_values(batch, "gold")
        if not is_numeric(answers) or not len(answers):
            return
        self.values += len(answers)
        self.low, self.high = min(self.low, float(answers.min())), max(self.high, float(answers.max()))
        self.has_gold = self.has_gold and is_numeric(gold) and len(gold) == len(answers)
        if self.has_gold:
            self.equals_gold = self.equals_gold and bool((gold == answers).all())
            self._with_gold.add(np.array([gold, answers], dtype=np.float64))

    @property
    def is_constant(self) -> bool:
        """Whether all answers are equal."""
        return self.low == self.high

    def correlation(self) -> float:
        """Return the correlation with the gold; NaN without a gold of numbers, or for a constant."""
        return self._with_gold.correlation() if self.has_gold and not self.is_constant else np.nan


def plain_noticed(noticed: Noticed) -> dict[str, Any]:
    """Return what is known of a submission as values of JSON."""
    plain = attrs.asdict(noticed, value_serializer=lambda _own, _name, value: _listed(value))
    return {name.removeprefix("_"): value for name, value in plain.items()}


def noticed_of(plain: Mapping[str, Any]) -> Noticed:
    """Return what `plain_noticed` made plain."""
    count, *sums = plain["with_gold"].values()
    return Noticed(**{**plain, "with_gold": _Sums(count, *map(np.array, sums))})


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def notices_of_chunks(
    noticed: Mapping[str, Noticed], digests: Sequence[str], units: int, unit: str, *, signs: bool
) -> Iterator[str]:
    """Yield what is remarkable about the answers of submissions, in the words of notices on data in memory.

    `noticed`: by submission.
    `digests`: of the values of each submission.
    `unit`: what a unit is called.
    `signs`: whether signs are looked at: not where a metric on vectors does it.
    """
    if units < LEAST:
        return
    yield from (
        on_constant(name, seen_answers.low, counted(units, unit))
        for name, seen_answers in noticed.items()
        if seen_answers.is_constant
    )
    alike: dict[str, list[str]] = {}
    for (name, side), digest in zip(noticed.items(), digests, strict=True):
        if side.values and not side.is_constant:
            alike.setdefault(digest, []).append(name)
            if side.has_gold and side.equals_gold:
                yield on_equal_to_gold(name, side.values)
    for names in alike.values():
        if len(names) > 1:
            yield on_equal(names, noticed[names[0]].values)
    if signs:
        yield from on_turned({name: seen_answers.correlation() for name, seen_answers in noticed.items()}, units)


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
