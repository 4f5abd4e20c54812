"""Values from the tables of a TOML file: for components that a plugin writes as data."""

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import attrs

from qeframe.core.errors import DataError, did_you_mean

T = TypeVar("T")


def toml_tables(file: Traversable) -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file by name.

    Raises DataError if the file cannot be read, is no TOML, or has a key outside a table.
    """
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read as TOML: {error}", path=str(file)) from error
    for name, table in content.items():
        if not isinstance(table, dict):
            raise DataError(f"'{name}' is not a table", path=str(file), remedy=f"begin it with [{name}]")
    return content


def made_of(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    """Return the value of an attrs class whose fields are the keys of a table.

    Raises DataError for an unknown or missing key, or a value that the class refuses. `where` begins the message.
    """
    fields = {field.name: field for field in attrs.fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            raise DataError(f"{where}: unknown key '{key}', {did_you_mean(key, fields)}")
    missing = [name for name, field in fields.items() if field.default is attrs.NOTHING and name not in table]
    if missing:
        raise DataError(f"{where}: the key '{missing[0]}' is missing")
    try:
        return kind(**table)
    except (DataError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{where}: {error}") from error
