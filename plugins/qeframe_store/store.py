"""A store of results over runs and years: one file of SQLite."""

import hashlib
import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import UnknownNameError
from qeframe.plugin.results import Evaluation, evaluation_from_json


@frozen
class StoredRun:
    """One result in a store."""

    number: int  # from 1, in the order in which results were added
    label: str  # such as "2026-47"; by default the name of the folder
    added: str  # in UTC, as ISO 8601
    profile: str
    primary: str
    signature: str
    submissions: int


def _nan_for_none(number: float | None) -> float:
    return math.nan if number is None else number


@frozen
class StoredScore:
    """One score of a submission in one run of a store."""

    run: int
    label: str
    profile: str
    submission: str
    kind: str
    metric: str
    task: str  # empty for all tasks together
    # NaN if undefined; `low` and `high` also without an interval
    value: float = attrs.field(converter=_nan_for_none)
    low: float = attrs.field(converter=_nan_for_none)
    high: float = attrs.field(converter=_nan_for_none)
    rank: int | None  # of the primary metric over all tasks; None elsewhere
    cluster: int | None


def score_rows(evaluation: Evaluation) -> Iterable[Sequence[object]]:
    """Yield the rows of the table ``score``: of each submission and metric the score over all tasks, and one a task.

    With a single task, the score over all tasks is also that of the task, so that it is found by its name.
    """
    single = next(iter(evaluation.tasks)) if len(evaluation.tasks) == 1 else ""
    for submission in evaluation.submissions:
        for metric, result in submission.scores.items():
            alone = {single: result} if single else {}
            ranked = (submission.rank, submission.cluster) if metric == evaluation.primary else (None, None)
            for task, score in {"": result, **(result.tasks or alone)}.items():
                numbers = (None if math.isnan(x) else x for x in (score.value, score.low, score.high))
                yield (submission.name, submission.kind, metric, task, *numbers, *((None, None) if task else ranked))


_APPLICATION = 0x71656672  # "qefr", which marks a file of SQLite as a store of qeframe
_VERSION = 1
_TABLES = """
create table run (
    number integer primary key,
    digest text not null unique,
    label text not null,
    added text not null,
    profile text not null,
    primary_metric text not null,
    signature text not null,
    evaluation text not null
) strict;
create table score (
    run integer not null references run (number) on delete cascade,
    submission text not null,
    kind text not null,
    metric text not null,
    task text not null,
    value real,
    low real,
    high real,
    rank integer,
    cluster integer,
    primary key (run, submission, metric, task)
) strict, without rowid;
create index score_of_submission on score (submission, metric, task);
"""
_WAIT = 30.0  # seconds to wait for another process that writes the store


class Store:
    """Results of many runs in one file. Use it in a ``with`` statement, which closes the file.

    A run is kept whole, as its canonical JSON, and its scores are kept as rows beside it, so that other programs can
    query them: the tables ``run`` and ``score``. If the disk is full, a file made for the first result is removed
    again.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if path.is_dir():
            raise DataError("is a folder, not a store", path=path, remedy="name a file for --db")
        if not create and not path.exists():
            raise DataError("there is no such store", path=path, remedy="make one with 'qeframe store add'")
        self._made = not path.exists()
        with self._in_one_line():
            self._database = sqlite3.connect(path, timeout=_WAIT)
            try:
                self._open(create=create)
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_error: object) -> None:
        self._database.close()

    def add(self, evaluation: Evaluation, label: str) -> int | None:
        """Return the number of the run of a new result; None if the store already has a result with the same bytes."""
        text = evaluation.to_json()
        added = datetime.now(UTC).isoformat(timespec="seconds")
        rules = (evaluation.profile, evaluation.primary, evaluation.signature.text)
        with self._in_one_line(), self._database:
            cursor = self._database.execute(
                "insert or ignore into run (digest, label, added, profile, primary_metric, signature, evaluation) "
                "values (?, ?, ?, ?, ?, ?, ?)",
                (_digest(text), label, added, *rules, text),
            )
            if not cursor.rowcount:
                return None
            number = cursor.lastrowid
            self._database.executemany(
                "insert into score values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((number, *row) for row in score_rows(evaluation)),
            )
        return number

    def relabel(self, evaluation: Evaluation, label: str) -> int:
        """Give a result that the store has another label, and return the number of its run."""
        with self._in_one_line(), self._database:
            (number,) = self._database.execute(
                "update run set label = ? where digest = ? returning number", (label, _digest(evaluation.to_json()))
            ).fetchone()
        return int(number)

    def runs(self) -> list[StoredRun]:
        """Return all runs, in the order in which they were added."""
        rows = self._rows(
            "select number, label, added, profile, primary_metric, signature, "
            "(select count(distinct submission) from score where run = number) from run order by number"
        )
        return [StoredRun(*row) for row in rows]

    def evaluation(self, number: int) -> Evaluation:
        """Return the result of a run."""
        rows = self._rows("select evaluation from run where number = ?", number)
        if not rows:
            numbers = [str(row[0]) for row in self._rows("select number from run")]
            raise UnknownNameError("run", str(number), numbers, remedy="'qeframe store list' lists the runs")
        return evaluation_from_json(str(rows[0][0]), self.path)

    def history(self, *, submission: str = "", metric: str = "", task: str | None = "") -> list[StoredScore]:
        """Return scores, run by run; without a submission those of all, without a metric those of the primary one.

        The task is empty for the scores over all tasks, and None for the scores of each task.
        """
        for name, column in ((submission, "submission"), (metric, "metric"), (task, "task")):
            if name and not self._rows(f"select 1 from score where {column} = ? limit 1", name):
                raise UnknownNameError(f"{column} in {self.path}", name, self.names(column))
        chosen, values = ["metric = " + ("?" if metric else "primary_metric")], [metric] if metric else []
        if submission:
            chosen, values = [*chosen, "submission = ?"], [*values, submission]
        chosen.append("task <> ''" if task is None else "task = ?")
        values += [] if task is None else [task]
        rows = self._rows(
            "select run, label, profile, submission, kind, metric, task, value, low, high, rank, cluster "
            f"from score join run on run = number where {' and '.join(chosen)} "
            "order by run, task, rank is null, rank, submission",
            *values,
        )
        return [StoredScore(*row) for row in rows]

    def names(self, column: str) -> list[str]:
        """Return what scores have in a column, "submission", "metric" or "task", sorted."""
        return [
            str(row[0]) for row in self._rows(f"select distinct {column} from score where {column} <> '' order by 1")
        ]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._in_one_line(), closing(self._database.execute(query, values)) as cursor:
            return list(cursor.fetchall())

    def _open(self, *, create: bool) -> None:
        """Check that the file is a store, or make it one if it is empty."""
        self._database.execute("pragma foreign_keys = on")
        if not self._database.execute("select count(*) from sqlite_master").fetchone()[0]:
            if not create:
                raise DataError("is empty", path=self.path, remedy="make a store with 'qeframe store add'")
            with self._database:
                self._database.execute("begin immediate")
                if not self._database.execute("select count(*) from sqlite_master").fetchone()[0]:
                    for statement in filter(str.strip, _TABLES.split(";")):
                        self._database.execute(statement)
                    self._database.execute(f"pragma application_id = {_APPLICATION}")
                    self._database.execute(f"pragma user_version = {_VERSION}")
        application, version = (
            self._database.execute(f"pragma {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if application != _APPLICATION:
            raise DataError("is a database of another program", path=self.path, remedy="name another file for --db")
        if version != _VERSION:
            what = f"is a store of version {version}, and this qeframe reads version {_VERSION}"
            raise DataError(what, path=self.path, remedy="install the qeframe that wrote it, or a later one")

    @contextmanager
    def _in_one_line(self) -> Iterator[None]:
        """Turn an error of SQLite, and of a text that is no Unicode, into one line."""
        try:
            yield
        except sqlite3.Error as error:
            what, remedy = f"the store cannot be used: {error}", "check the file, its folder and the space on the disk"
            if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
                what, remedy = "is not a store", "name another file for --db"
            if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_IOERR")):
                what, remedy = f"the store cannot be written: {error}", "free space, or name another file for --db"
                self._remove_if_empty()
            raise DataError(what, path=self.path, remedy=remedy) from error
        except UnicodeError as error:
            what = f"the store, or the result for it, has a text that is not Unicode: {getattr(error, 'reason', error)}"
            raise DataError(what, path=self.path, remedy="check the file, and the names in the result") from error

    def _remove_if_empty(self) -> None:
        """Remove a file that was made for results of which none could be added."""
        try:
            empty = not self._database.execute("select 1 from run limit 1").fetchone()
        except sqlite3.Error:  # its tables could not be made
            empty = not self.path.stat().st_size
        if self._made and empty:
            self._database.close()
            self.path.unlink()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
