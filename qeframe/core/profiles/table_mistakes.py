"""The mistakes in the table of a profile: unknown keys, and values of a wrong type or out of their choices."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, Literal

from qeframe.core.errors import did_you_mean
from qeframe.core.profiles.schema import KNOWN_KEYS, Profile


def unknown_keys(table: Mapping[str, Any]) -> list[str]:
    """Find keys that a profile does not have, each with the nearest one that it has."""
    return [f"{key}: unknown key, {did_you_mean(key, KNOWN_KEYS)}" for key in table if key not in KNOWN_KEYS]


TOML_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "year": ((int,), "a whole number"),
    "confidence": ((int, float), "a number"),
    "alpha": ((int, float), "a number"),
    "strict": ((bool,), "true or false"),
    "baselines": ((list,), "a list of words"),
    "secondary": ((list,), "a list of words"),
    "computed": ((list,), "a list of words"),
    "columns": ((list,), "a list of words"),
    "task_order": ((list,), "a list of words"),
    "divide": ((list,), "a list of words"),
    "supplements": ((list,), "a list of words"),
    "parts": ((list,), "an array of tables"),
    "weights": ((dict,), "a table of numbers"),
    "valid": ((dict,), "a table"),
    "provenance": ((dict,), "a table"),
}


def wrong_types(table: Mapping[str, Any]) -> list[str]:
    """Find values of a wrong TOML type, which a converter would accept: it turns the number 1 into the text '1'."""
    return [mistake for key, value in table.items() if key in KNOWN_KEYS for mistake in _wrong_type(key, value)]


def _wrong_type(key: str, value: Any) -> list[str]:
    if isinstance(value, int) and abs(value) > _LARGEST:
        return [f"{key}: the number has too many digits"]
    kinds, word = TOML_TYPES.get(key, ((str,), "a word in quotes"))
    right = isinstance(value, kinds) and (isinstance(value, bool) == (kinds == (bool,)))
    if right and kinds == (list,):
        right = all(isinstance(item, Mapping if key == "parts" else str) for item in value)
    if right and key in _CHOICES:
        right, word = value in _CHOICES[key], " or ".join(filter(None, _CHOICES[key]))
    if not right:
        return [f"{key}: must be {word}, not {shown(value)}"]
    if key == "valid":
        return [f"valid.{name}: {why}" for name, part in value.items() if (why := _wrong_of_valid(name, part))]
    return _wrong_weights(value) if key == "weights" else []


def _wrong_of_valid(name: str, value: Any) -> str:
    if name not in _OF_VALID:
        return f"unknown key, {did_you_mean(name, _OF_VALID)}"
    kind, word = _OF_VALID[name]
    return "" if isinstance(value, kind) else f"must be {word}, not {shown(value)}"


_OF_VALID: Mapping[str, tuple[type, str]] = {
    "test": (str, "a word in quotes"),
    "correction": (str, "a word in quotes"),
    "shown": (bool, "true or false"),
}
"""The keys of the rule that is valid, with what their values are."""


def _wrong_weights(weights: Mapping[str, Any]) -> list[str]:
    return [
        f"weights.{task}: must be a finite number that is not negative, not {shown(weight)}"
        for task, weight in weights.items()
        if not _is_weight(weight)
    ]


_CHOICES: Mapping[str, tuple[str, ...]] = {
    key: typing.get_args(hint)
    for key, hint in typing.get_type_hints(Profile).items()
    if typing.get_origin(hint) is Literal
}
"""The keys whose value is one of a few words, with these words."""


_LARGEST = 2**63 - 1
"""The largest whole number that TOML guarantees; Python refuses to print very large ones."""


def _is_weight(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 <= value <= _LARGEST


def shown(value: Any) -> str:
    """Return a value as it is printed in a message, cut if long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"this {type(value).__name__}"
    return text if len(text) <= 80 else text[:80] + "..."
