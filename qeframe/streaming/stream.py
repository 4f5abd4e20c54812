"""Evaluate submissions of any size: scores, intervals, comparisons and ranks from two passes over chunks."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import Batch, Best
from qeframe.core.components.checks.metric import check_repeatable
from qeframe.core.components.loading.loader import load
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import CapabilityError, DataError, counted
from qeframe.core.evaluation.result import Evaluation
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import DEFAULT, Profile
from qeframe.core.resampling.draws import checked_seed, seed_key
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.statistic import Additive
from qeframe.kinds.plain_files import submission_names
from qeframe.streaming.additive_rows import ChunkRows, check_additive
from qeframe.streaming.assembly import Rules, assembled, rules_of
from qeframe.streaming.chunk_counts import UNITS_IN_CHUNK
from qeframe.streaming.first_pass import Survey, survey
from qeframe.streaming.second_pass import Sums, SumTree, seconds_of_draws, sum_chunks
from qeframe.streaming.sides import Sides
from qeframe.streaming.sources.lines import open_source

_BYTES_OF_VALUE = 160
"""How much memory a value takes where plain files are read and scored as a whole, numbers of seven characters.

Measured on a gold and two submissions of 1,000,000 units: 120 bytes by Spearman's correlation, 155 by Kendall's tau.
"""


def memory_in_words(units: int, sides: int) -> str:
    """Return about how much memory a corpus takes as a whole, with a metric that is no function of sums.

    `sides`: the gold and the submissions.
    """
    size = units * sides * _BYTES_OF_VALUE
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{max(1, round(size / 2**20))} MiB"


def duration_in_words(seconds: float) -> str:
    """Return a duration, rounded as an estimate is: seconds, minutes or hours."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


Where = str | PathLike[str]
_TOLD_FROM = 5.0
"""From this estimate on, in seconds, the user is told how long the work takes."""


def stream(
    metrics: str | Sequence[str],
    gold: Where | Any,
    submissions: Sequence[Where] | Mapping[str, Any],
    *,
    test: str = "bootstrap(draws=1000)",
    interval: str = DEFAULT,
    correction: str = DEFAULT,
    alpha: float = 0.05,
    confidence: float = 0.95,
    best: Best = "low",
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Evaluation:
    """Evaluate submissions of more units than memory holds, under additive metrics.

    The files are read twice, in chunks of 16,384 units. Memory does not depend on the number of units.

    Parameters
    ----------
    metrics : str or sequence of str
        The metric that ranks the submissions, then those that are reported beside it. All must be functions of sums
        over units, such as pearson, mae, rmse, detection_mcc or f1_mult, and score one kind of batch.
    gold : path, or array of numbers
        A plain file, as `qeframe score` reads it, which may be compressed with gzip; or a Parquet file, with
        ``::COLUMN`` after its path if it has several columns. An array may be mapped from a file.
    submissions : sequence of paths, or mapping of str to path or array
        With the same units in the same order. Ids, where files state them, must rise from line to line.
    test, interval : str
        The test of all pairs under the first metric, and the test that gives intervals, by default the same; empty for
        none. They must need nothing but draws: ``"bootstrap(draws=10000, p=percentile)"``. With ``scheme=poisson`` the
        draws of a unit depend on the seed and its id alone: scores of draws are those of `qeframe.compare` with this
        test, up to rounding.
    correction : str
        Of the p-values of all pairs; "default" is holm.
    alpha, confidence : float
        A difference is significant if its adjusted p is below `alpha`; the level of the intervals.
    best : {"low", "high"}
        Which end of the gold scale is good.
    seed : int
        Equal seeds give equal results, for any number of workers.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Its threads compute blocks of draws. It is told of progress, and how long the work takes if that is more than a
        few seconds.

    Returns
    -------
    Evaluation
        The scores are those of the same data in memory up to rounding, 1e-12. With a single submission there is no
        comparison. A single unit has no interval, and the test is undefined.

    Raises
    ------
    CapabilityError
        If a metric is not a function of sums, or the test needs more than draws; before any pass.
    DataError
        If a value or a file cannot be used: with the file and the line. If files have different numbers of units, or
        one changes between the two passes.
    UnknownNameError, ProfileError
        If there is no such metric or test, or `alpha` or `confidence` is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> gold = np.arange(100.0)
    >>> evaluation = qeframe.stream("pearson", gold, {"mine": gold + np.tile([0, 9], 50)}, test="", interval="")
    >>> round(evaluation.submissions[0].scores["pearson"].value, 3)
    0.988
    """
    runs = runner or Runner()
    plan = planned(
        metrics,
        gold,
        submissions,
        test=test,
        interval=interval,
        correction=correction,
        alpha=alpha,
        confidence=confidence,
        best=best,
        seed=seed,
        registry=registry,
    )
    rows, seconds = begin(plan, runs)
    if sum(seconds) >= _TOLD_FROM:
        runs.on_notice(_told(plan.sides, plan.rules, sum(seconds)))
    share = max(1, round(seconds[1] / max(seconds[0], 1e-9)))
    expected = _chunks(plan.sides.gold.expected_units())
    surveyed = survey(plan.sides, lambda done: runs.on_progress(min(done, expected), expected * (1 + share)))
    chunks = _chunks(surveyed.units)
    tree = plan.sums(rows, surveyed, runs, lambda done: runs.on_progress(chunks + done * share, chunks * (1 + share)))
    return plan.assembled(rows, surveyed, tree.whole())


@frozen(kw_only=True, eq=False)
class Plan:
    """What is asked for: a corpus, the rules by which it is evaluated, and the seed."""

    name: str
    sides: Sides
    rules: Rules
    seed: int
    registry: Registry

    def sums(
        self,
        rows: ChunkRows,
        survey: Survey,
        runner: Runner,
        on_chunk: Callable[[int], None],
        part: tuple[int, int] | None = None,
    ) -> SumTree[Sums]:
        """Return the sums over chunks, as `sum_chunks` does."""
        key, rules = seed_key(np.random.default_rng(self.seed)), self.rules
        return sum_chunks(self.sides, rules.resolved.metrics, rows, survey, rules.drawings, key, runner, on_chunk, part)

    def assembled(self, rows: ChunkRows, survey: Survey, sums: Sums) -> Evaluation:
        """Return the evaluation from the sums over all chunks."""
        return assembled(
            self.sides, self.rules, survey, sums, rows.scores, name=self.name, seed=self.seed, registry=self.registry
        )


def planned(
    metrics: str | Sequence[str],
    gold: Where | Any,
    submissions: Sequence[Where] | Mapping[str, Any],
    *,
    test: str,
    interval: str,
    correction: str,
    alpha: float,
    confidence: float,
    best: Best,
    seed: int,
    registry: Registry | None = None,
) -> Plan:
    """Return what the arguments of `stream` ask for; no value is read yet."""
    loaded = registry or load()
    seed = checked_seed(seed)
    named = [metrics] if isinstance(metrics, str) else list(metrics)
    if not named:
        raise DataError("no metric is given", remedy="name at least one")
    for metric in named:
        loaded.get(Metric, metric)  # an unknown metric is refused by its own message, not as a mistake of a profile
    name = Path(fspath(gold)).name.partition(".")[0] if isinstance(gold, (str, PathLike)) else "gold"
    profile = Profile(
        name="stream",
        title=name,
        reader="",
        primary=named[0],
        secondary=tuple(named[1:]),
        best=best,
        test=test,
        interval=_interval(interval, test, loaded),
        correction=correction,
        alpha=alpha,
        confidence=confidence,
    )
    resolved = resolve(profile, loaded, reads=False)
    given = _named(submissions)
    rules = rules_of(resolved, len(given))
    kind = _common_kind(resolved.metrics)
    sides = Sides(
        kind=kind,
        gold=open_source(kind, gold, "gold"),
        submissions={name: open_source(kind, source, name) for name, source in given.items()},
        best=best,
    )
    return Plan(name=name, sides=sides, rules=rules, seed=seed, registry=loaded)


def _interval(interval: str, test: str, registry: Registry) -> str:
    """Return the test that gives intervals: by default the significance test, if it does, else the bootstrap."""
    if interval != DEFAULT:
        return interval
    return test if test and registry.get(SignificanceTest, test).interval is not None else "bootstrap(draws=1000)"


def _named(submissions: Sequence[Where] | Mapping[str, Any]) -> dict[str, Any]:
    """Return the submissions by name: by the stems of their files, or the columns of Parquet."""
    if isinstance(submissions, Mapping):
        named = dict(submissions)
    else:
        if isinstance(submissions, (str, PathLike)):
            raise DataError("submissions are a single path", remedy="give a list of paths")
        paths = [fspath(path) for path in submissions]
        submission_names(paths)  # refuses a path that is given twice, as it was given
        named = dict(zip(submission_names([_shown(path) for path in paths]), paths, strict=True))
    if not named:
        raise DataError("there is no submission to evaluate", remedy="give at least one")
    return named


def _shown(path: str) -> str:
    """Return a path whose stem is the name of its submission: the column that was named, the file without ``.gz``."""
    file, mark, column = path.rpartition("::")
    return path.removesuffix(".gz") if not (mark and file) else f"{file}/{column}"


def _common_kind(metrics: Sequence[Metric]) -> type[Batch]:
    """Return the kind of batch that all metrics score: the most special one of theirs."""
    kind = max((metric.kind for metric in metrics), key=lambda kind: len(kind.__mro__))
    for metric in metrics:
        if not issubclass(kind, metric.kind):
            what = f"metrics '{metrics[0].name}' and '{metric.name}' score different kinds of batches"
            raise DataError(what, remedy="evaluate them one after the other")
    return kind


def begin(plan: Plan, runner: Runner) -> tuple[ChunkRows, tuple[float, float]]:
    """Check on the first chunk that all metrics are additive, and estimate the seconds of the first and second pass."""
    sides, rules = plan.sides, plan.rules
    chunks = sides.chunks(UNITS_IN_CHUNK)
    pieces = next(chunks)
    batches, metrics = sides.batches(pieces), rules.resolved.metrics
    units = sides.gold.expected_units()
    bound: list[Additive] = []
    for metric in metrics:
        try:
            bound.append(check_additive(metric, batches[0]))
        except CapabilityError as error:
            what = f"{error}: about {units:,} units and {counted(len(batches), 'submission')} cannot be read in chunks"
            memory = memory_in_words(units, 1 + len(batches))
            remedy = f"'qeframe score' and 'qeframe compare' need about {memory} of memory for them"
            raise CapabilityError(f"{what}; {remedy}") from None
        check_repeatable(metric, batches[0])
    rows = ChunkRows(tuple(additive.score for additive in bound))
    columns, _ = ChunkRows(rows.scores).bind(metrics, batches)
    drawing = seconds_of_draws(columns, pieces[0].ids, units, rules.drawings, runner)
    begun = perf_counter()  # of the second chunk: with the first one, files are opened and modules are imported
    second = next(chunks, None)
    reading = (perf_counter() - begun) * units / len(pieces[0].ids) if second else 0.0
    return rows, (reading, reading + drawing)


def _told(sides: Sides, rules: Rules, seconds: float) -> str:
    """Return the line that says how long the work takes."""
    draws = sum(drawing.draws for drawing in rules.drawings)
    return (
        f"about {sides.gold.expected_units():,} units and {counted(len(sides.submissions), 'submission')}, "
        f"{counted(draws, 'draw')}: about {duration_in_words(seconds)} on this machine"
    ) + ("; fewer draws take less" if draws else "")


def _chunks(units: int) -> int:
    return -(-units // UNITS_IN_CHUNK)
