"""Published values beside computed ones."""

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import frozen

from qeframe.api.evaluate import evaluate
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.errors import DataError, ResultWarning
from qeframe.core.loader import load
from qeframe.core.registry import Registry
from qeframe.core.result import Evaluation, Result
from qeframe.core.runner import Runner
from qeframe.data.published.published_table import KnownDifference, PublishedColumn, PublishedTable

Verdict = Literal["equal", "known difference", "differs", "not computed", "not in the data"]


@frozen(kw_only=True)
class ReproducedValue:
    """A published value beside the computed one.

    `published`: as it was printed.
    `computed`: NaN if the data have no such value.
    `verdict`: "equal": rounded to the printed digits, the computed value is the published one. "not in the data": the
      data lack the whole row, such as a submission. "not computed": they have the row, and no such value of it.
    `reason`: Why a value with a known difference differs.
    """

    row: str
    column: str
    published: str
    computed: float
    verdict: Verdict
    reason: str = ""

    @property
    def difference(self) -> float:
        """The computed value minus the published one."""
        return self.computed - _number(self.published)

    @property
    def fails(self) -> bool:
        """Whether the value differs, or is not computed, without a known reason."""
        return self.verdict in ("differs", "not computed")


@frozen(kw_only=True)
class ReproducedTable:
    """A published table with the computed value of each of its values."""

    table: PublishedTable
    values: tuple[ReproducedValue, ...]

    def count(self, *verdicts: Verdict) -> int:
        """Return how many values have one of the verdicts."""
        return sum(value.verdict in verdicts for value in self.values)

    @property
    def fails(self) -> bool:
        """Whether a value differs without a known reason, or the data have no row of the table."""
        return any(value.fails for value in self.values) or self.count("not in the data") == len(self.values)


def found_path(table: PublishedTable, own: Sequence[Path], shared: Path | None = None) -> Path | None:
    """Return the first path of a table that exists; None if there is none.

    `own`: Folders of the data of this table alone, which its path "." may name. `shared`: a folder that may hold the
    data of many tables.
    """
    candidates = [folder / path for folder in own for path in table.paths]
    candidates += [shared / path for path in table.paths if path != "."] if shared else []
    return next((path for path in candidates if path.exists()), None)


def reproduce(
    tables: Sequence[tuple[PublishedTable, Path]], registry: Registry | None = None, *, runner: Runner | None = None
) -> Iterator[ReproducedTable]:
    """Compute the values of published tables, one table after the other.

    `tables` (PublishedTable, Path): each with the path that its profile reads. Tables next to each other
      with equal profile, settings and path are evaluated once.
    `registry`: by default all installed plugins.
    `runner`: Runs the computations.

    Raises QeframeError if the data cannot be read, or the profile of a table does not exist.
    """
    loaded = registry or load()
    last: tuple[object, Evaluation] | None = None
    for table, path in tables:
        key = (table.profile, table.settings, path)
        if last is None or last[0] != key:
            last = (key, _evaluation(table, path, loaded, runner))
        yield _compared(table, _computed(table, last[1]))


def _evaluation(table: PublishedTable, path: Path, registry: Registry, runner: Runner | None) -> Evaluation:
    rules = choose_profile(table.profile, ["interval=", "test=", *table.settings], registry)
    tasks = read_tasks(rules, path, registry, runner=runner)
    with warnings.catch_warnings(action="ignore", category=ResultWarning):  # what is compared are the numbers
        return evaluate(rules, tasks, registry=registry, runner=runner or Runner())


def _computed(table: PublishedTable, evaluation: Evaluation) -> dict[tuple[str, str], float]:
    """Return the values of an evaluation by row and column of a table, without those that it lacks."""
    scores = {submission.name: submission.scores for submission in evaluation.submissions}
    computed: dict[tuple[str, str], float] = {}
    for row in table.rows:
        name = table.names.get(row, row)
        for column in table.columns:
            if column.count:
                value = evaluation.tasks.get(row, {}).get(column.count, math.nan if row in evaluation.tasks else None)
            else:
                value = _score(scores[name], column, evaluation) if name in scores else None
            if value is not None:
                computed[row, column.title] = float(value)
    return computed


def _score(scores: Mapping[str, Result], column: PublishedColumn, evaluation: Evaluation) -> float:
    """Return the score of a column, NaN if there is none."""
    result = scores.get(column.metric)
    if result is None:
        return math.nan
    if not column.task or list(evaluation.tasks) == [column.task]:
        return result.value
    return result.tasks[column.task].value if column.task in result.tasks else math.nan


def _compared(table: PublishedTable, computed: Mapping[tuple[str, str], float]) -> ReproducedTable:
    values: list[ReproducedValue] = []
    for row, texts in table.rows.items():
        for column, text in zip(table.columns, texts, strict=True):
            if not text:
                continue
            value = computed.get((row, column.title), math.nan)
            exception = table.known_difference(row, column.title)
            verdict = verdict_of(text, value, exception) if (row, column.title) in computed else "not in the data"
            values.append(
                ReproducedValue(
                    row=row,
                    column=column.title,
                    published=text,
                    computed=value,
                    verdict=verdict,
                    reason=exception.reason if exception and verdict == "known difference" else "",
                )
            )
    if not values:
        raise DataError(f"the published table '{table.name}' has no values")
    return ReproducedTable(table=table, values=tuple(values))


def verdict_of(published: str, computed: float, known: KnownDifference | None = None) -> Verdict:
    """Return whether a computed value, rounded to the printed digits, is the published one.

    A difference is known if it is not larger than `known` explains. Half a unit of the last digit is rounded as Python
    does, to the nearest even digit of the binary number.
    """
    if math.isnan(computed):
        return "known difference" if known else "not computed"
    decimals = len(published.partition(".")[2]) if re.fullmatch(r"[-+]?[0-9,]*\.?[0-9]*", published) else 12
    if float(f"{computed:.{decimals}f}") == _number(published):
        return "equal"
    explained = known is not None and abs(computed - _number(published)) <= known.within
    return "known difference" if explained else "differs"


def _number(text: str) -> float:
    return float(text.replace(",", ""))
