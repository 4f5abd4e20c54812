"""Files with one JSON object a line, and the values in them by path."""

import json
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.kinds import LARGEST
from qeframe.plugin.readers import TextFile


class _Beyond:
    """The class of the value of an element beyond the end of a list."""

    def __repr__(self) -> str:
        return "BEYOND"


BEYOND: Any = _Beyond()  # the value of a path whose index lies beyond the end of a list

_LONGEST = 200
_REMEDY = "write one JSON object a line"


@frozen(eq=False)
class JsonLines:
    """The objects of a file; object i is from line i + 1."""

    file: TextFile
    records: tuple[dict[str, Any], ...]

    @classmethod
    def parse(cls, file: TextFile) -> "JsonLines":
        """Read the objects of a file; refused are keys that are written twice, NaN and Infinity."""
        return cls(file, tuple(_object(file, line, text) for line, text in enumerate(file.lines, 1)))

    def has(self, record: int, path: str) -> bool:
        """Return whether an object has the first key of a path."""
        return path.split(".")[0] in self.records[record]

    def value(self, record: int, path: str) -> Any:
        """Return the value at a path: keys of objects and indices of lists with dots between, ``judgments.0.decision``.

        It is None where a part of the path is null, and `BEYOND` where a list is too short.
        """
        value: Any = self.records[record]
        for part in path.split("."):
            if value is None:
                return None
            if isinstance(value, list) and part.isdecimal():
                if int(part) >= len(value):
                    return BEYOND
                value = value[int(part)]
            elif isinstance(value, dict) and part in value:
                value = value[part]
            else:
                raise self.error(record, f"there is no value '{path}'", remedy=_missing_remedy(value, part))
        return value

    def text(self, record: int, path: str) -> str:
        """Return a text at a path; raise a `DataError` for another type."""
        value = self.value(record, path)
        if not isinstance(value, str):
            raise self.error(record, f"'{path}' is {shown(value)}, not text", remedy="put the text in double quotes")
        return value

    def name(self, record: int, path: str) -> str:
        """Return a name at a path: a printable text, or a whole number; raise a `DataError` for anything else."""
        value = self.value(record, path)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        name = self.text(record, path)
        if not name or not name.isprintable() or len(name) > _LONGEST:
            what = f"'{path}' is {name[:40]!a}, not a name"
            raise self.error(record, what, remedy=f"write 1 to {_LONGEST} characters that can be printed")
        return name

    def number(self, record: int, path: str) -> float:
        """Return a finite number at a path; raise a `DataError` for anything else."""
        value = self.value(record, path)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.error(record, f"'{path}' is {shown(value)}, not a number", remedy="write a number")
        if abs(value) > LARGEST:
            what = f"'{path}' is too large to compute with"
            raise self.error(record, what, remedy=f"magnitudes up to {LARGEST:g} are accepted")
        return float(value)

    def error(self, record: int, what: str, *, remedy: str) -> DataError:
        """Return an error that names the file and the line of an object."""
        return self.file.error(what, line=record + 1, remedy=remedy)


def shown(value: Any) -> str:
    """Return a value of JSON for a message, in ASCII and at most 40 characters."""
    if value is BEYOND:
        return "missing"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _missing_remedy(value: Any, part: str) -> str:
    keys: Sequence[str] = [key for key in value if key.isprintable()] if isinstance(value, dict) else ()
    listed = f", its keys are {', '.join(keys[:8])}" if keys else ""
    return f"add '{part}', or name another column in the reader{listed}"


def _object(file: TextFile, line: int, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg} at column {error.colno}" if text.strip() else "an empty line"
        raise file.error(what, line=line, remedy=_REMEDY) from None
    except RecursionError:
        raise file.error("JSON that is nested too deeply", line=line, remedy=_REMEDY) from None
    except ValueError as error:
        what = str(error) if isinstance(error, _NotAllowedError) else "a number with too many digits"
        raise file.error(what, line=line, remedy=_REMEDY) from None
    if not isinstance(value, dict):
        raise file.error(f"{shown(value)} is no JSON object", line=line, remedy=_REMEDY)
    return value


class _NotAllowedError(ValueError):
    """What JSON or Python's reader of it allows, but a file of data must not have."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _NotAllowedError(f"the key {twice[:40]!a} is written twice")
    return record


def _no_constant(name: str) -> float:
    raise _NotAllowedError(f"{name} is no number of JSON")
