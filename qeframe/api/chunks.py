"""Scores of a corpus that is read in chunks: sums over chunks under weights that hang on the id of each unit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache, reduce
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import numpy as np
from attrs import frozen

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, FloatArray, IntArray
from qeframe.core.display import Brief
from qeframe.core.draws import DrawBlock, Key, bounded_slices, checked_seed, mix_bits, named_key, poisson_counts
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.loader import load
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.result import Result
from qeframe.core.runner import Runner
from qeframe.core.significance import MOST_UNDEFINED
from qeframe.core.statistic import Additive

Chunk: TypeAlias = "str | os.PathLike[str] | Callable[[], Any]"
"""A path, or a function without arguments that returns columns by name: a mapping or a data frame."""

_OF_ALL = ("pivot", "moment_unit")
"""The constants of a batch that its rows are measured by: all chunks take those of the first."""

_SMALL = 15_000
"""How many weights are drawn at once: less than 128 KB. A worker of dask asks the system for each larger array anew, in
twice the time for all."""


@frozen(kw_only=True)
class Difference:
    """The difference of two submissions, `a` less `b`, with its interval; NaN ends where there is none."""

    a: str
    b: str
    difference: float
    low: float
    high: float


@frozen(kw_only=True, repr=False, eq=False)
class ChunkScores(Brief):
    """The scores of a corpus in chunks.

    `metric`: its name. `units`, `chunks`: how many there are.
    `scores`: of each submission, with a bootstrap interval.
    `differences`: of every pair of submissions, the better one first.
    `draws` (draws, submissions): the scores in each draw.
    """

    metric: str
    units: int
    chunks: int
    scores: Mapping[str, Result]
    differences: Sequence[Difference]
    draws: FloatArray


def score_chunks(
    metric: str | Metric,
    chunks: Sequence[Chunk],
    *,
    ids: str = "id",
    gold: str = "gold",
    draws: int = 200,
    seed: int = 0,
    confidence: float = 0.95,
    executor: Executor | None = None,
    registry: Registry | None = None,
) -> ChunkScores:
    """Score submissions to a corpus that is read in chunks, with bootstrap intervals of scores and of differences.

    Each chunk is read, summed and forgotten, by this process or by the workers of an executor, so that memory does not
    grow with the number of units.

    Parameters
    ----------
    metric : str or Metric
        An additive metric: a function of sums over units, such as ``pearson``, ``mae``, ``mcc`` or ``f1_bad``. Workers
        that are processes find a name themselves.
    chunks : sequence of path or callable
        Each has some of the units: as a function that returns columns by name (a mapping or a data frame), or as the
        path of a Parquet file, each row group of which is a chunk, or of a table of numbers in text with the names in
        its first line, which may be compressed by gzip. Workers read paths and call functions themselves. The first
        chunk is read once more, before all others.
    ids, gold : str
        The names of the column of ids, whole numbers or texts (a number is the same unit as its digits), and of the
        gold. All other columns are submissions, the same ones in every chunk.
    draws : int
        How many bootstrap draws there are. A unit has a weight in each, a Poisson count with mean 1 that depends on the
        seed and on its id alone: however a corpus is cut into chunks, the draws are the same.
    seed : int
        Equal seeds give equal draws.
    confidence : float
        The level of the intervals, in (0, 1).
    executor : concurrent.futures.Executor, optional
        Such as that of a dask client, ``client.get_executor()``, which computes the chunk of a worker that died again.
        It stays open. None: this process does the work.
    registry : Registry, optional
        By default all installed plugins.

    Returns
    -------
    ChunkScores
        The same bits for any executor and any number of workers. Another cut into chunks changes rounding alone, as
        long as the first chunk is like the others: numbers are measured from its means. Ends
        of intervals are percentiles of the draws; NaN where the score is undefined in more than 5 % of them.

    Raises
    ------
    CapabilityError
        If the score is no function of sums over units, such as a rank correlation.
    DataError
        If there is no chunk, a chunk cannot be read or lacks a column, its submissions are not those of the first one,
        an id is twice in it, or a value cannot be used. An id that is in two chunks is not noticed: both units then
        have the same weights.

    Notes
    -----
    Sums are added in pairs, then pairs of pairs, in the order of the chunks. Memory: draws x columns numbers for each
    of about log2(chunks) partial sums, and the chunks that are at work.

    References
    ----------
    Chamandy, Muralidharan, Najmi and Naidu (2012), Estimating uncertainty for massive data streams.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> def chunk(start):
    ...     ids = np.arange(start, start + 500)
    ...     gold = np.sin(ids)
    ...     return {"id": ids, "gold": gold, "good": gold + np.cos(7 * ids) / 2, "poor": gold + np.cos(5 * ids)}
    >>> from functools import partial
    >>> found = qeframe.score_chunks("pearson", [partial(chunk, start) for start in range(0, 2000, 500)])
    >>> round(found.scores["good"].value, 3), found.units
    (0.894, 2000)
    >>> (pair,) = found.differences
    >>> pair.a, pair.low > 0
    ('good', True)
    """
    chosen = (registry or load()).get(Metric, metric)
    by_name = isinstance(metric, str) and registry is None
    if not 0 < confidence < 1:
        raise DataError(f"confidence must lie between 0 and 1, not {confidence}", remedy="a common value is 0.95")
    if isinstance(draws, bool) or not isinstance(draws, (int, np.integer)) or draws < 1:
        raise DataError(f"draws must be a whole number from 1 on, not {draws!r}", remedy="a common value is 200")
    if isinstance(chunks, (str, os.PathLike)) or callable(chunks):
        raise DataError("chunks must be a sequence", remedy="give a list of paths or functions")
    parts = [part for chunk in chunks for part in _parts(chunk)]
    if not parts:
        raise DataError("there is no chunk", remedy="give at least one")
    work = _Work(
        metric=metric if by_name else chosen,
        ids=ids,
        gold=gold,
        draws=draws,
        key=named_key(checked_seed(seed), "chunks"),
    )
    first = _read(0, parts[0], ids)
    work = attrs.evolve(work, names=tuple(name for name in first if name not in {ids, gold}))
    constants = [{name: getattr(b, name) for name in _OF_ALL if hasattr(b, name)} for b in work.batches(0, first)[1]]
    work = attrs.evolve(work, constants=constants)
    statistics = [work.bind(batch) for batch in work.batches(0, first)[1]]
    units, sums = _add_all(Runner(executor).imap(work, list(enumerate(parts))))
    columns = np.split(sums, np.cumsum([statistic.rows.shape[1] for statistic in statistics])[:-1], axis=1)
    scores = np.stack(
        [
            checked.scores(chosen, statistic.score, of_submission, "sums")
            for statistic, of_submission in zip(statistics, columns, strict=True)
        ],
        axis=1,
    )
    return _result(chosen, work.names, units, len(parts), scores, confidence)


def _parts(chunk: Chunk) -> list[Chunk | tuple[Path, int]]:
    """Return the chunks of a path: the row groups of a Parquet file, or the file; a function is one chunk."""
    if callable(chunk):
        return [chunk]
    if not isinstance(chunk, (str, os.PathLike)):
        what = f"a chunk is of the type {type(chunk).__name__}"
        raise DataError(what, remedy="give a path, or a function that returns columns")
    path = Path(chunk)
    if path.suffix != ".parquet":
        return [path]
    return [(path, group) for group in range(_parquet(path).num_row_groups)]


def _parquet(path: Path, group: int | None = None) -> Any:
    """Return a Parquet file, or one of its row groups."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        what = "row groups of Parquet files are read by pyarrow"
        raise DataError(what, path=path, remedy='pip install "pyarrow"') from None
    try:
        file = ParquetFile(path)
        return file if group is None else file.read_row_group(group)
    except (OSError, ValueError) as error:
        reason = (str(error).splitlines() or [""])[0]
        raise DataError(
            f"cannot be read as Parquet: {reason}", path=path, remedy="give the path of a whole file"
        ) from None


def _read(nth: int, part: Chunk | tuple[Path, int], ids: str) -> dict[str, Any]:
    """Return the columns of a chunk: arrays of numbers, or lists."""
    import narwhals.stable.v2 as nw

    from qeframe.data.tables import Layout, columns_in
    from qeframe.data.text_lines import read_text_lines

    if isinstance(part, tuple):
        given: Any = _parquet(*part)
    elif isinstance(part, Path):
        table = columns_in(read_text_lines(part, texts=True, packed=True), Layout())
        return {name: table.labels(name) if name == ids else table.numbers(name) for name in table.names}
    else:
        assert callable(part)
        given = part()
    if isinstance(given, Mapping):
        return dict(given)
    frame: Any = nw.from_native(given, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        what = f"chunk {nth} returned {type(given).__name__}"
        raise DataError(what, remedy="return a mapping of columns by name, or a data frame")
    columns = frame.to_dict(as_series=True)
    return {name: side.to_numpy() if side.dtype.is_numeric() else side.to_list() for name, side in columns.items()}


@lru_cache
def _installed(name: str) -> Metric:
    return load().get(Metric, name)


@frozen(kw_only=True, eq=False)
class _Work:
    """What a worker does with a chunk: from its number and itself to the number of its units and its sums.

    `metric`: by its name, if it is known by one: it need not be sent. `names`: the submissions. `constants`: of their
    batches, those of the first chunk.
    """

    metric: str | Metric
    ids: str
    gold: str
    draws: int
    key: Key
    names: tuple[str, ...] = ()
    constants: Sequence[Mapping[str, Any]] = ()

    def __call__(self, numbered: tuple[int, Chunk | tuple[Path, int]]) -> tuple[int, FloatArray]:
        """Return how many units there are, and the sums of all columns, (1 + draws, columns): of all, then of draws."""
        nth, part = numbered
        numbers, batches = self.batches(nth, _read(nth, part, self.ids))
        rows = np.hstack([self.bind(batch).rows for batch in batches])
        sums = np.zeros((1 + self.draws, rows.shape[1]))
        sums[0] = rows.sum(axis=0)
        block = DrawBlock(self.key, 0, 0, self.draws)
        for units in bounded_slices(len(numbers), self.draws, most=_SMALL):
            sums[1:] += poisson_counts(block, numbers[units]).astype(np.float64) @ rows[units]
        return len(numbers), sums

    @property
    def scorer(self) -> Metric:
        """The metric."""
        return _installed(self.metric) if isinstance(self.metric, str) else self.metric

    def bind(self, batch: Batch) -> Additive:
        """Return the additive statistic of a batch."""
        statistic = checked.bind(self.scorer, batch)
        if not isinstance(statistic, Additive):
            what = f"metric '{self.scorer.name}' is no function of sums over units, so that chunks do not add up"
            raise CapabilityError(f"{what}; choose an additive metric, or score the whole with qeframe.score")
        rows: Any = statistic.rows
        return attrs.evolve(statistic, rows=rows.toarray()) if hasattr(rows, "toarray") else statistic

    def batches(self, nth: int, columns: Mapping[str, Any]) -> tuple[IntArray, list[Batch]]:
        """Return the ids of a chunk as numbers, and the batch of each submission."""
        lacking = [name for name in (self.ids, self.gold, *self.names) if name not in columns]
        others = [name for name in columns if name not in {self.ids, self.gold, *self.names}]
        if lacking or (self.names and others) or len(columns) < 3:
            wrong = f"no column '{lacking[0]}'" if lacking else f"the columns {', '.join(map(str, columns))}"
            wanted = ", ".join([self.ids, self.gold, *(self.names or ("one for each submission",))])
            raise DataError(f"chunk {nth} has {wrong}", remedy=f"give {wanted}; ids= and gold= name columns")
        numbers = _numbers_of(columns[self.ids], nth)
        return numbers, [self._batch(nth, columns, position) for position in range(len(self.names))]

    def _batch(self, nth: int, columns: Mapping[str, Any], position: int) -> Batch:
        try:
            batch: Batch = self.scorer.kind.from_plain(columns[self.gold], columns[self.names[position]])
        except DataError as error:
            raise DataError(f"chunk {nth}, {self.names[position]}: {error.what}", remedy=error.remedy) from None
        if len(batch) != len(columns[self.ids]):
            what = f"chunk {nth} has {len(columns[self.ids])} ids and {len(batch)} units"
            raise DataError(what, remedy="give columns of one length")
        return attrs.evolve(batch, **self.constants[position]) if self.constants else batch


def _numbers_of(ids: Any, nth: int) -> IntArray:
    """Return ids as whole numbers of 64 bits: whole numbers, also as texts, as they are; other texts scrambled."""
    array = np.asarray(ids)
    if not array.size:
        raise DataError(f"chunk {nth} has no unit", remedy="leave it out")
    if array.dtype.kind == "O" and {*map(type, array.flat)} == {str}:
        array = array.astype(str)
    if array.ndim != 1 or array.dtype.kind not in "iuU":
        what = f"the ids of chunk {nth} are {array.dtype} of shape {array.shape}"
        raise DataError(what, remedy="give a list of whole numbers or texts, one for each unit")
    values, counts = np.unique(array, return_counts=True)
    if len(values) < len(array):
        what = f"chunk {nth} has the id {values[counts > 1][0]} more than once"
        raise DataError(what, remedy="give each unit one id")
    if array.dtype.kind != "U":
        return array.astype(np.int64)
    encoded, mixed = np.char.encode(array, "utf-8"), np.zeros(len(array), dtype=np.uint64)
    for column in encoded.view(np.uint8).reshape(len(array), -1).T:
        mixed = np.where(column > 0, mix_bits(mixed ^ column), mixed)
    # 007 is a text, and so is a number of more than 18 digits
    plain = np.char.isdigit(encoded) & (np.char.str_len(encoded) <= 18)
    plain &= ~np.char.startswith(encoded, b"0") | (encoded == b"0")
    numbers = mixed.view(np.int64)
    numbers[plain] = array[plain].astype(np.int64)
    return numbers


def _add_all(results: Iterator[tuple[int, FloatArray]]) -> tuple[int, FloatArray]:
    """Add the sums of chunks in a tree that their number alone determines: pairs, pairs of pairs, ..."""
    waiting: list[tuple[int, FloatArray]] = []
    units = 0
    for count, total in results:
        units += count
        level = 0
        while waiting and waiting[-1][0] == level:
            total = waiting.pop()[1] + total
            level += 1
        waiting.append((level, total))
    return units, reduce(lambda right, left: left + right, [total for _, total in reversed(waiting)])


def _result(
    metric: Metric, names: Sequence[str], units: int, chunks: int, scores: FloatArray, confidence: float
) -> ChunkScores:
    """Return the scores and differences of submissions from those of all units and of draws, (1 + draws, S)."""
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]

    def ends(drawn: FloatArray) -> tuple[float, float]:
        if np.isnan(drawn).mean() > MOST_UNDEFINED:
            return np.nan, np.nan
        low, high = np.nanquantile(drawn, tails)
        return float(low), float(high)

    of_names = zip(names, scores[0].tolist(), map(ends, scores[1:].T), strict=True)
    found = {name: Result(value=value, low=low, high=high) for name, value, (low, high) in of_names}
    oriented = scores[0] if metric.higher_is_better else -scores[0]
    order = np.argsort(-oriented, kind="stable").tolist()  # NaN last
    differences = []
    for a, b in combinations(order, 2):
        apart = scores[:, a] - scores[:, b]
        low, high = ends(apart[1:])
        differences.append(Difference(a=names[a], b=names[b], difference=float(apart[0]), low=low, high=high))
    return ChunkScores(
        metric=metric.name, units=units, chunks=chunks, scores=found, differences=differences, draws=scores[1:]
    )
