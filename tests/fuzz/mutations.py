"""Random mutations of the bytes, lines and cells of any file, and of the columns of any data frame."""

import datetime
import decimal
import random
import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

__all__ = ["COLUMN_EDITS", "LIBRARIES", "Columns", "mutated", "mutated_columns"]

Columns = dict[str, Any]

_TOKEN = re.compile(rb'"[^"\n]*"|[^\s,;:"{}\[\]|<>=]+')
_NASTY = (
    b"nan", b"inf", b"-inf", b"1e999", b"1e308", b"1e-320", b"-1", b"0", b"-0.0", b"1.5", b"9" * 30, b"1" + b"0" * 5000,
    b"", b" ", b'""', b"null", b"true", b"[]", b"{}", b"[[1]]", b'{"a": 1}', b"[" * 2000, b"x", b"\xd9\xa3", b"1_0",
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\x1b[31m", b'"', b"\\", b"\\ud800", b'"\\ud800"', b"../../x",
    b"0.123",
)  # fmt: skip


def _slice(content: bytes, chosen: random.Random, longest: int = 40) -> tuple[int, int]:
    start = chosen.randrange(len(content) + 1)
    return start, min(len(content), start + chosen.randrange(1, longest))


def _without(content: bytes, chosen: random.Random) -> bytes:
    start, end = _slice(content, chosen)
    return content[:start] + content[end:]


def _repeated(content: bytes, chosen: random.Random) -> bytes:
    start, end = _slice(content, chosen)
    return content[:end] + content[start:]


def _flipped(content: bytes, chosen: random.Random) -> bytes:
    at = chosen.randrange(max(1, len(content)))
    return content[:at] + bytes([chosen.randrange(256)]) + content[at + 1 :]


def _token(content: bytes, chosen: random.Random) -> bytes:
    tokens = list(_TOKEN.finditer(content))
    if not tokens:
        return chosen.choice(_NASTY)
    token = chosen.choice(tokens)
    return content[: token.start()] + chosen.choice(_NASTY) + content[token.end() :]


def _exchanged_tokens(content: bytes, chosen: random.Random) -> bytes:
    tokens = list(_TOKEN.finditer(content))
    if len(tokens) < 2:
        return content[::-1]
    one, other = sorted(chosen.sample(tokens, 2), key=lambda token: token.start())
    return b"".join(
        (content[: one.start()], other[0], content[one.end() : other.start()], one[0], content[other.end() :])
    )


def _of_lines(
    edit: Callable[[list[bytes], int, random.Random], list[bytes]],
) -> Callable[[bytes, random.Random], bytes]:
    def apply(content: bytes, chosen: random.Random) -> bytes:
        lines = content.split(b"\n")
        return b"\n".join(edit(lines, chosen.randrange(len(lines)), chosen))

    return apply


def _column(line: bytes, k: int, new: Callable[[bytes], list[bytes]]) -> bytes:
    separator = next((mark for mark in (b"\t", b",", b" ") if mark in line), b"\t")
    cells = line.split(separator)
    return separator.join([*cells[:k], *new(cells[k]), *cells[k + 1 :]]) if k < len(cells) else line


_EDITS: Mapping[str, Callable[[bytes, random.Random], bytes]] = {
    "cut": lambda content, chosen: content[: chosen.randrange(len(content) + 1)],
    "head cut": lambda content, chosen: content[chosen.randrange(len(content) + 1) :],
    "bytes lost": _without,
    "bytes twice": _repeated,
    "a byte": _flipped,
    "a token": _token,
    "another token": _token,
    "tokens exchanged": _exchanged_tokens,
    "a BOM": lambda content, chosen: b"\xef\xbb\xbf" * chosen.randrange(1, 3) + content,
    "UTF-16": lambda content, chosen: content.decode("utf-8", "replace").encode("utf-16"),
    "Latin-1": lambda content, chosen: content.decode("utf-8", "replace").encode("latin-1", "replace"),
    "CR": lambda content, chosen: content.replace(b"\n", chosen.choice([b"\r", b"\r\n", b"\n\n", b"\x0b", b"\x1e"])),
    "twice": lambda content, chosen: content * 2,
    "a line lost": _of_lines(lambda lines, i, _: lines[:i] + lines[i + 1 :]),
    "a line twice": _of_lines(lambda lines, i, _: lines[: i + 1] + lines[i:]),
    "lines exchanged": _of_lines(lambda lines, i, chosen: [*lines[:i], chosen.choice(lines), *lines[i + 1 :]]),
    "lines sorted": _of_lines(lambda lines, i, _: sorted(lines)),
    "a cell lost": _of_lines(lambda lines, i, _: [*lines[:i], _column(lines[i], i % 4, lambda _: []), *lines[i + 1 :]]),
    "a column lost": _of_lines(lambda lines, i, _: [_column(line, i % 4, lambda _: []) for line in lines]),
    "a column twice": _of_lines(lambda lines, i, _: [_column(line, i % 4, lambda c: [c, c]) for line in lines]),
    "a column empty": _of_lines(lambda lines, i, _: [_column(line, i % 4, lambda _: [b""]) for line in lines]),
}


def mutated(content: bytes, chosen: random.Random) -> tuple[str, bytes]:
    """Return the name of a mutation, and the mutated bytes."""
    name = chosen.choice(list(_EDITS))
    return name, _EDITS[name](content, chosen)


def _cell(value: Any) -> Callable[[list[Any], random.Random], list[Any]]:
    def apply(values: list[Any], chosen: random.Random) -> list[Any]:
        at = chosen.randrange(max(1, len(values)))
        return [*values[:at], value, *values[at + 1 :]]

    return apply


def _code(value: Any) -> int:
    return zlib.crc32(repr(value).encode())


COLUMN_EDITS: Mapping[str, Callable[[list[Any], random.Random], Any]] = {
    **{
        f"a cell {value!r}"[:40]: _cell(value)
        for value in (None, float("nan"), float("inf"), 1e308, -1.0, 10**400, "x", "")
    },
    **{f"a cell {value!r}"[:40]: _cell(value) for value in (True, 1j, b"1", [1.0], {"a": 1}, object, "0.5", "\ud800")},
    "texts": lambda values, chosen: [str(value) for value in values],
    "whole numbers": lambda values, chosen: [_code(value) % 7 for value in values],
    "large whole numbers": lambda values, chosen: [2**63 + _code(value) % 7 for value in values],
    "booleans": lambda values, chosen: [bool(_code(value) % 2) for value in values],
    "nulls": lambda values, chosen: [None] * len(values),
    "lists": lambda values, chosen: [[value] for value in values],
    "dictionaries": lambda values, chosen: [{"value": value} for value in values],
    "decimals": lambda values, chosen: [decimal.Decimal(_code(value) % 100) / 8 for value in values],
    "times": lambda values, chosen: [datetime.datetime(2026, 1, 1 + _code(value) % 20) for value in values],
    "durations": lambda values, chosen: [datetime.timedelta(_code(value) % 20) for value in values],
    "bytes": lambda values, chosen: [str(value).encode() for value in values],
    "complex": lambda values, chosen: [complex(_code(value) % 9, 1) for value in values],
    "one value": lambda values, chosen: [chosen.choice(values)] * len(values) if values else [],
    "float32": lambda values, chosen: _array(values, np.float32),
    "float16": lambda values, chosen: _array(values, np.float16),
    "a masked array": lambda values, chosen: np.ma.masked_equal(_array(values, np.float64), 0.5),
    "two dimensions": lambda values, chosen: np.ones((len(values), 2)),
    "shuffled": lambda values, chosen: chosen.sample(list(values), len(values)),
    "one less": lambda values, chosen: list(values)[:-1],
    "one more": lambda values, chosen: [*values, *list(values)[:1]],
    "empty": lambda values, chosen: [],
}
"""What may be done to the values of a column."""


def _array(values: Any, kind: Any) -> Any:
    try:
        return np.array(values, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        return np.arange(len(values)).astype(kind)


def mutated_columns(columns: Columns, chosen: random.Random) -> tuple[str, Columns]:
    """Return the name of a mutation, and the mutated columns of a frame."""
    name = chosen.choice(list(columns))
    edit = chosen.choice([*COLUMN_EDITS, *("lost", "renamed", "no rows", "rows twice", "a column more")])
    changed = dict(columns)
    if edit == "lost":
        del changed[name]
    elif edit == "renamed":
        changed = {
            chosen.choice([name.upper(), "", name + " ", "e\u0301"]) if key == name else key: value
            for key, value in changed.items()
        }
    elif edit == "no rows":
        changed = {key: value[:0] for key, value in columns.items()}
    elif edit == "rows twice":
        changed = {key: [*value, *value] for key, value in columns.items()}
    elif edit == "a column more":
        changed["more"] = COLUMN_EDITS[chosen.choice(list(COLUMN_EDITS))](list(columns[name]), chosen)
    else:
        changed[name] = COLUMN_EDITS[edit](list(columns[name]), chosen)
    return f"{name}: {edit}", changed


def _multi_index(columns: Columns) -> Any:
    frame = pd.DataFrame(columns)
    frame.index = pd.MultiIndex.from_product([["a"], range(len(frame))])
    return frame


def _chunked(columns: Columns) -> Any:
    table = pa.table(columns)
    return pa.concat_tables([table[:3], table[3:]])


def _named_twice(columns: Columns) -> Any:
    frame = pd.DataFrame(columns)
    return pd.concat([frame, frame[frame.columns[:1]]], axis=1)


LIBRARIES: Mapping[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "pandas with a MultiIndex": _multi_index,
    "pandas with MultiIndex columns": lambda columns: pd.concat({"x": pd.DataFrame(columns)}, axis=1),
    "pandas with a column twice": _named_twice,
    "pandas of nullable types": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas of Arrow types": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas of categories": lambda columns: pd.DataFrame(columns).astype("category"),
    "pandas of objects": lambda columns: pd.DataFrame(columns).astype(object),
    "pandas, sparse": lambda columns: pd.DataFrame(
        {k: pd.arrays.SparseArray(v) if k != "task" else v for k, v in columns.items()}
    ),
    "pandas, transposed": lambda columns: pd.DataFrame(columns).T,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "polars, lazy": lambda columns: pl.LazyFrame(columns, strict=False),
    "polars, lazy, with a mistake": lambda columns: pl.LazyFrame(columns, strict=False).with_columns(pl.col("nowhere")),
    "polars of categories": lambda columns: pl.DataFrame(columns, strict=False).with_columns(
        pl.col(pl.String).cast(pl.Categorical)
    ),
    "pyarrow": pa.table,
    "pyarrow in chunks": _chunked,
    "pyarrow of dictionaries": lambda columns: pa.table(
        {k: pa.array(v).dictionary_encode() for k, v in columns.items()}
    ),
    "a dictionary": dict,
    "an array": lambda columns: np.array(list(columns.values()), dtype=object),
}
"""Ways in which columns become a data frame; the last ones are none."""
