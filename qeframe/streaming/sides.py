"""The gold and the submissions of a corpus, read together chunk by chunk."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import Batch, Best
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import UnitValues
from qeframe.kinds.registered import kind_of
from qeframe.streaming.sources.source import Source

Part = tuple[int, int, Sequence[Sequence[int]]]
"""Some chunks of a corpus: the first, the one after the last, and the `offsets` of every source."""


@frozen(kw_only=True, eq=False)
class Sides:
    """The sources of a corpus.

    `kind`: the kind of batch.
    `submissions`: by name.
    `best`: which end of the gold scale is good.
    """

    kind: type[Batch]
    gold: Source
    submissions: Mapping[str, Source]
    best: Best = "low"

    @property
    def sources(self) -> tuple[Source, ...]:
        """The gold, then the submissions."""
        return (self.gold, *self.submissions.values())

    def chunks(self, units: int, part: Part | None = None) -> Iterator[tuple[UnitValues, ...]]:
        """Yield so many units at a time: those of the gold, then the same units of every submission.

        `part`: the chunks that are read; by default all. Raises DataError for what cannot be read; at the end of the
        first file that ends before the gold, and of the gold if another one goes on; for ids that differ from those of
        the gold, or do not rise from line to line.
        """
        before: int | None = None
        for pieces in zip_longest(*self._read(units, part)):
            whole = self._of_one_length(pieces)
            for source in self.submissions.values() if before is None else ():
                if source.has_ids != self.gold.has_ids:
                    what = f"this file and {self.gold.path} do not both have a column of ids"
                    raise DataError(what, path=source.path, line=1, remedy="give ids to both or to neither")
            before = -1 if before is None else before
            if self.gold.has_ids:
                before = _check_ids(whole, before)
            check = kind_of(self.kind).plain_format
            for piece in whole[1:]:
                if check is not None:
                    check.check_sides(whole[0], piece)
            yield whole

    def _read(self, units: int, part: Part | None) -> Iterator[Iterator[UnitValues]]:
        if part is None:
            yield from (source.chunks(units) for source in self.sources)
            return
        first, last, offsets = part
        for source, begins in zip(self.sources, offsets, strict=True):
            if begins and first < last:
                yield source.chunks_at(units, first, begins[first : last + 1], is_end=last + 1 == len(begins))
            else:
                yield islice(source.chunks(units), first, last)

    def batches(self, pieces: Sequence[UnitValues]) -> tuple[Batch, ...]:
        """Return the batch of every submission."""
        gold, *others = pieces
        return tuple(
            self.kind.pair(ids=gold.ids, gold=gold.values, predicted=other.values, best=self.best) for other in others
        )

    def _of_one_length(self, pieces: Sequence[UnitValues | None]) -> tuple[UnitValues, ...]:
        """Return pieces of equal lengths, or raise the error of the file that ends first."""
        sizes = [0 if piece is None else len(piece.ids) for piece in pieces]
        for source, size in zip(self.sources[1:], sizes[1:], strict=True):
            if size == sizes[0]:
                continue
            ended, longer = (source, self.gold) if size < sizes[0] else (self.gold, source)
            lines: Any = next(piece.lines for piece in pieces if piece is not None)
            count = int(lines[0]) - 1 + min(size, sizes[0])
            what = f"the file ends after {count} units, but {longer.path} goes on"
            line = count if isinstance(ended.path, str) and Path(ended.path).is_file() else None
            remedy = "give both the same units in the same order"
            raise DataError(what, path=ended.path, line=line, remedy=remedy)
        return tuple(piece for piece in pieces if piece is not None)


def _check_ids(pieces: Sequence[UnitValues], before: int) -> int:
    """Check that ids are equal on all sides and rise from line to line; return the last one."""
    gold, *others = pieces
    falls = np.flatnonzero(np.diff(gold.ids, prepend=before) <= 0)
    if len(falls):
        what = f"id {gold.ids[falls[0]]} is not larger than the one before"
        remedy = "sort all files by id: they are read in parts"
        raise DataError(what, path=gold.path, line=gold.line(int(falls[0])), remedy=remedy)
    for other in others:
        differ = np.flatnonzero(other.ids != gold.ids)
        if len(differ):
            at = int(differ[0])
            what = f"id {other.ids[at]}, but {gold.ids[at]} in {gold.path} on this line"
            remedy = "give both the same units in the same order: they are read in parts"
            raise DataError(what, path=other.path, line=other.line(at), remedy=remedy)
    return int(gold.ids[-1])
