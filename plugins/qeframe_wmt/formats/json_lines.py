"""Files with one JSON object a line, read strictly: every mistake is an error with its file and line.

Python's own parser takes more than JSON: it keeps the last of two equal keys, and reads NaN and Infinity. Both are
errors here.
"""

import gc
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from typing import Any

from attrs import define, frozen

from qeframe.plugin import DataError
from qeframe.plugin.kinds import LARGEST
from qeframe.plugin.readers import TextFile

_SURROGATE = re.compile("[\ud800-\udfff]")
_TYPES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


@frozen
class _NotStrictError(ValueError):
    """A mistake that Python's parser accepts."""

    what: str
    remedy: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _NotStrictError(f"the key '{twice}' occurs twice in an object", "write each key once")
    return values


def _constant(name: str) -> Any:
    raise _NotStrictError(f"{name} is no number of JSON", "write numbers with digits")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


@define(eq=False)  # not frozen, which takes several times as long: there are millions
class Fields:
    """A JSON object, and where it is."""

    file: TextFile
    line: int
    values: Mapping[str, Any]
    steps: tuple[Any, ...] = ()  # those to the object around it, a key, and the position in a list or None

    @property
    def where(self) -> str:
        """The keys that lead to it, ``task1_pred.SYSTEM.``, empty for the object of the line."""
        found, steps = "", self.steps
        while steps:
            steps, key, position = steps
            found = f"{key}.{found}" if position is None else f"{key}[{position}].{found}"
        return found

    def error(self, what: str, *, remedy: str) -> DataError:
        """Return an error that names the file and the line."""
        return self.file.error(what, line=self.line, remedy=remedy)

    def check_keys(self, known: Collection[str]) -> None:
        """Raise a `DataError` for the first key that is not known."""
        if not all(map(known.__contains__, self.values)):
            unknown = next(key for key in self.values if key not in known)
            raise self.error(f"unknown key '{self.where}{unknown}'", remedy=f"the keys are {', '.join(known)}")

    def get(self, key: str, *types: type) -> Any:
        """Return the value of a key that must be there, of one of the types of JSON."""
        value = self.values.get(key)
        if type(value) not in types or (value is None and key not in self.values):
            wanted = " or ".join(_TYPES[kind] for kind in types if kind is not int or float not in types)
            if key not in self.values:
                raise self.error(f"the key '{self.where}{key}' is missing", remedy=f"give {wanted}")
            fraction = isinstance(value, float) and int in types
            given = f"{value!r:.40}, a number with a decimal point" if fraction else _TYPES[type(value)]
            raise self.error(f"'{self.where}{key}' is {given}", remedy=f"give {wanted}")
        return value

    def text(self, key: str) -> str:
        """Return a text."""
        text: str = self.get(key, str)
        if not _is_encodable(text):
            raise self.error(f"half of a surrogate pair in '{self.where}{key}'", remedy="write the character in UTF-8")
        return text

    def name(self, key: str) -> str:
        """Return a text that names something: neither empty nor with characters that cannot be seen."""
        return self.checked_name(self.text(key), f"'{self.where}{key}'")

    def checked_name(self, name: str, what: str) -> str:
        """Return a name; raise a `DataError` if it is empty, or has blanks at its ends or characters not seen."""
        if (known := _name(name)) is None:
            remedy = "write a name of visible characters, without blanks at its ends"
            raise self.error(f"{what} is {name!a}, which is no name", remedy=remedy)
        return known

    def choice(self, key: str, known: tuple[str | None, ...], what: str) -> Any:
        """Return the value of a key that must be there, one of those that are known; `what` names it in messages."""
        value = self.values.get(key, key)
        if value not in known:
            self.get(key, str, *(type(None) for each in known if each is None))
            *names, last = ("null" if each is None else each for each in known)
            raise self.error(
                f"unknown {what} {value!a} in '{self.where}{key}'", remedy=f"give {', '.join(names)} or {last}"
            )
        return known[known.index(value)]

    def number(self, key: str) -> float:
        """Return a finite number."""
        number = self.get(key, int, float)
        if not (isinstance(number, int) or isfinite(number)) or abs(number) > LARGEST:
            remedy = f"magnitudes up to {LARGEST:g} are accepted"
            raise self.error(f"'{self.where}{key}' is too large to compute with", remedy=remedy)
        return float(number)

    def object(self, key: str) -> "Fields":
        """Return an object within this one."""
        return Fields(self.file, self.line, self.get(key, dict), (self.steps, key, None))

    def objects(self, key: str) -> "list[Fields]":
        """Return the objects of a list."""
        listed = self.get(key, list)
        for position, value in enumerate(listed):
            if not isinstance(value, dict):
                raise self.error(f"'{self.where}{key}[{position}]' is {_TYPES[type(value)]}", remedy="give an object")
        return [
            Fields(self.file, self.line, value, (self.steps, key, position)) for position, value in enumerate(listed)
        ]


@contextmanager
def without_collection() -> Iterator[None]:
    """Let Python look for no cycles: parsed JSON has none, and millions of objects are walked again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def json_objects(file: TextFile) -> Iterator[Fields]:
    """Yield the object of every line; an empty line is an error, and so is an object with two equal keys."""
    return (Fields(file, line, _parsed(text, file, line)) for line, text in enumerate(file.lines, 1))


def parse_object(text: str, file: TextFile, line: int) -> Fields:
    """Return the object of a text that is a part of a line; raise a `DataError` if it is none."""
    return Fields(file, line, _parsed(text, file, line))


def parse_value(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at a place of a text, and the place after it.

    Raises ValueError or RecursionError for what is not JSON, or is not read: see `explain`.
    """
    return _DECODER.raw_decode(text, start)


def explain(error: ValueError | RecursionError) -> tuple[str, str]:
    """Return what is wrong with a text that the parser refused, and the remedy; that of other shapes is empty."""
    if isinstance(error, json.JSONDecodeError):
        return f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}", ""
    if isinstance(error, _NotStrictError):
        return error.what, error.remedy
    if isinstance(error, RecursionError):
        return "objects are nested too deeply", ""
    return "a number has too many digits", "write it shorter"


_REMEDY = "every line is one JSON object"


def _parsed(text: str, file: TextFile, line: int) -> dict[str, Any]:
    if not text.strip(" \t\r"):
        raise file.error("an empty line", line=line, remedy=f"remove it: {_REMEDY}")
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        what, remedy = explain(error)
        if isinstance(error, json.JSONDecodeError):
            if line == 1 < len(file.lines) and error.pos == len(text):
                raise file.error("the JSON object of line 1 goes on after the line", remedy=_REMEDY) from None
            what += f", at character {error.pos + 1}"
        raise file.error(what, line=line, remedy=remedy or _REMEDY) from None
    if not isinstance(value, dict):
        raise file.error(f"the line is {_TYPES[type(value)]}", line=line, remedy=_REMEDY)
    return value


def _is_encodable(text: str) -> bool:
    return text.isascii() or _SURROGATE.search(text) is None


@lru_cache(maxsize=4096)
def _name(text: str) -> str | None:
    """Return a text if it is a name, the same object for equal ones: there are millions of names of few systems."""
    return text if text and text == text.strip() and text.isprintable() and _is_encodable(text) else None
