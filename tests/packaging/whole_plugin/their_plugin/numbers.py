"""A metric, a tie policy, a test, an aggregation and a reader, for submissions of one number a unit."""

from pathlib import Path

import numpy as np

from qeframe.plugin import (
    Aggregation,
    Best,
    Contest,
    DataError,
    Metric,
    Pairwise,
    Scores,
    Sided,
    SignificanceTest,
    TiePolicy,
    additive,
)
from qeframe.plugin.readers import Reader, Reading, UnitValues, parse_numbers, read_text_lines, split_columns


def errors(batch: Scores):
    """Return rows (n, 2): 1 and the absolute error of each unit."""
    return np.stack([np.ones(len(batch)), np.abs(batch.gold - batch.predicted)], axis=1)


def mean_error(sums):
    """Return the mean error of sums (..., 2); NaN without units."""
    units, total = sums[..., 0], sums[..., 1]
    return np.divide(total, units, out=np.full(units.shape, np.nan), where=units > 0)


metric = Metric(
    name="their_metric",
    summary="Mean absolute error",
    kind=Scores,
    bind=additive(columns=("units", "error"), extract=errors, score=mean_error),
    bounds=(0.0, np.inf),
    higher_is_better=False,
    claims=("monotone",),
)

tie_policy = TiePolicy(
    name="their_ties",
    summary="A tie of the metric counts as half right",
    table=((1.0, 0.5, 0.0), (None, None, None), (0.0, 0.5, 1.0)),
    claims=("tie_neutral",),
)


def their_test(*, draws: int = 200) -> SignificanceTest:
    """Bootstrap test: how often the difference of a draw is far from its mean.

    Parameters
    ----------
    draws : int
        The number of draws.
    """

    def run(contest: Contest, sided: Sided) -> Pairwise:
        first, second = contest.pairs
        scores = contest.resample(draws)
        observed = contest.oriented[first] - contest.oriented[second]
        differences = scores[:, first] - scores[:, second]
        around = differences - differences.mean(axis=0)
        count = (~(np.abs(around) < np.abs(observed) - 1e-12)).sum(axis=0)  # undefined draws count
        return Pairwise(p=np.where(np.isnan(observed), np.nan, (1 + count) / (1 + draws)), statistic=observed)

    return SignificanceTest(name="their_test", summary="Bootstrap test", needs="bind", run=run, sides=("two",))


def mean_of_tasks(scores, weights, higher_is_better):
    """Return the weighted mean over tasks; a task of weight 0 does not count."""
    shares = weights / weights.sum(axis=-1, keepdims=True)
    return np.where(shares > 0, scores * shares, 0.0).sum(axis=-1)


aggregation = Aggregation(name="their_mean", summary="Weighted mean over tasks", aggregate=mean_of_tasks)


def read(path: Path, best: Best) -> list[Reading]:
    """Read one task for each file ``*.csv`` in a folder: the gold, then a column for each submission."""
    tables = [read_text_lines(table) for table in sorted(path.glob("*.csv"))]
    if not tables:
        raise DataError("no table is here", path=path, remedy="name a folder with files *.csv")
    readings = []
    for table in tables:
        header = table.lines[0].split(",")
        columns = split_columns(table, header, separator=",", skip=1)
        gold, *sides = (
            UnitValues(name=name, ids=np.arange(len(column)), values=parse_numbers(column, table, skip=1))
            for name, column in zip(header, columns, strict=True)
        )
        readings.append(Reading(name=table.path.stem, kind=Scores, gold=gold, submissions=tuple(sides), best=best))
    return readings


reader = Reader(name="their_reader", summary="a folder of tables of comma-separated values", kind=Scores, read=read)
