"""`PublishedTable`: the values that a paper or a shared task printed, and how they are computed from the data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from attrs import field, frozen

from qeframe.core.component import Component, as_names
from qeframe.core.errors import DataError
from qeframe.data.published.data_source import made_of, toml_tables


@frozen(kw_only=True)
class PublishedColumn:
    """A column of a published table, and the value of an evaluation that it is compared with.

    Parameters
    ----------
    title : str
        As it is shown; no two columns of a table share one.
    metric : str
        The metric of the column. The rows are submissions.
    task : str
        The task of the column, such as a language pair; empty: the value over all tasks.
    count : str
        What the reader counted, such as "decided". The rows are tasks then, and `metric` is empty.
    """

    title: str
    metric: str = ""
    task: str = ""
    count: str = ""


@frozen(kw_only=True)
class KnownDifference:
    """Why values differ: of one cell, of a row or a column, or, if both are empty, of the whole table.

    Parameters
    ----------
    reason : str
    row, column : str
        Empty: all.
    within : float
        The largest difference that the reason explains. A larger one is a failure.
    """

    reason: str
    row: str = ""
    column: str = ""
    within: float = math.inf

    def covers(self, row: str, column: str) -> bool:
        """Return whether the reason is of this cell."""
        return self.row in ("", row) and self.column in ("", column)


def _columns(columns: Iterable[PublishedColumn | Mapping[str, Any]]) -> tuple[PublishedColumn, ...]:
    return tuple(c if isinstance(c, PublishedColumn) else made_of(PublishedColumn, c, "columns") for c in columns)


def _known(known: Iterable[KnownDifference | Mapping[str, Any]]) -> tuple[KnownDifference, ...]:
    return tuple(k if isinstance(k, KnownDifference) else made_of(KnownDifference, k, "known") for k in known)


def _rows(rows: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(texts) for name, texts in rows.items()}


@frozen(kw_only=True, repr=False)
class PublishedTable(Component):
    """Published values, which ``qeframe reproduce`` compares with what it computes from the data.

    `summary` says what the table shows, `source` where it was printed.

    Parameters
    ----------
    data : str
        The name of the `DataSource`; empty if the data cannot be fetched.
    paths : sequence of str
        What is read: paths inside the folder of the data, of which the first that exists is taken. Data can be
        arranged in several ways.
    columns : sequence of PublishedColumn
    rows : mapping of str to sequence of str
        By row, a text for each column: the value as it was printed, such as ".550". Empty: not printed.
    names : mapping of str to str
        The submissions of rows that the data call by another name.
    profile : str
        The profile that computes the values.
    settings : sequence of str
        Changed rules, ``key=value``. Tests and intervals are not computed.
    known : sequence of KnownDifference
        Why computed values differ from printed ones. A difference without a reason is a failure.
    """

    data: str = ""
    paths: tuple[str, ...] = field(converter=as_names)
    columns: tuple[PublishedColumn, ...] = field(converter=_columns)
    rows: Mapping[str, tuple[str, ...]] = field(converter=_rows)
    names: Mapping[str, str] = field(factory=dict)
    profile: str
    settings: tuple[str, ...] = field(default=(), converter=as_names)
    known: tuple[KnownDifference, ...] = field(default=(), converter=_known)

    def __attrs_post_init__(self) -> None:
        titles = [column.title for column in self.columns]
        if len(set(titles)) < len(titles):
            raise DataError(f"two columns of '{self.name}' have one title")
        for row, texts in self.rows.items():
            if len(texts) != len(titles):
                raise DataError(f"row '{row}' of '{self.name}' has {len(texts)} values for {len(titles)} columns")
            for text in filter(None, texts):
                _check_number(text, row, self.name)

    def known_difference(self, row: str, column: str) -> KnownDifference | None:
        """Return why the value of a cell differs, None if it should not."""
        return next((known for known in self.known if known.covers(row, column)), None)


def _check_number(text: str, row: str, table: str) -> None:
    try:
        float(text.replace(",", ""))
    except (AttributeError, ValueError):
        raise DataError(f"row '{row}' of '{table}': '{text}' is not a number in quotes") from None


def published_tables_from_toml(folder: Traversable, name: str) -> list[PublishedTable]:
    """Return the published tables of a TOML file, one for each table of it.

    Raises DataError if the file cannot be read, or a table is no `PublishedTable`.
    """
    tables = toml_tables(folder.joinpath(name))
    return [made_of(PublishedTable, {"name": key, **table}, f"{name}: {key}") for key, table in tables.items()]
