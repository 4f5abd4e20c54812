"""YAML, written: mappings, lists, texts, numbers and times; no more than a platform's settings need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def yaml_text(values: Mapping[str, Any]) -> str:
    """Return a mapping as YAML. Texts are in quotes, so that none is taken for a number, a truth value or a comment.

    Parameters
    ----------
    values : mapping
        Keys are plain words. Values are texts, whole numbers, truth values, times, lists or mappings, neither of the
        last two empty.
    """
    return "\n".join(_lines(values)) + "\n"


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, (Mapping, list)):
                yield f"{key}:"
                yield from (f"  {line}" for line in _lines(item))
            else:
                yield f"{key}: {_scalar(item)}"
        return
    for item in value:
        first, *others = _lines(item) if isinstance(item, Mapping) else [_scalar(item)]
        yield f"- {first}"
        yield from (f"  {line}" for line in others)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, int):
        return str(value)
    return '"' + "".join(map(_character, value)) + '"'


def _character(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    return f"\\U{ord(char):08x}" if ord(char) > 0xFFFF else f"\\u{ord(char):04x}"
