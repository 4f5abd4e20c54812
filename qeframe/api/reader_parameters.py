"""Parameters of the reader of a profile, changed for one run by settings ``KEY=VALUE`` and ``KEY+=VALUE``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import attrs

from qeframe.core.components.calls import Call, format_call, parse_call, parse_value
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.parametric import Parametric
from qeframe.core.components.reader import Reader
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.profiles.schema import Profile

DESCRIBED_BY_READER = frozenset({"gold", "level"})
"""Keys that only describe a profile: where its reader has a parameter of that name, a setting is of the parameter."""

_WORDS = re.compile(r"\[([^\[\]]*)\]|([^\[\]]*)")
"""Words without quotes, in square brackets or not."""
_COMMA = re.compile(r",(?![^(]*\))")
"""A comma outside the brackets of a name with parameters."""


def listed_words(text: str) -> list[str] | None:
    """Return the words between commas, with or without square brackets around them; None for another text."""
    words = _WORDS.fullmatch(text)
    if words is None:
        return None
    listed = (words[1] or words[2] or "").strip()
    return [word.strip() for word in _COMMA.split(listed)] if listed else []


def parametric_reader(profile: Profile, registry: Registry) -> Parametric[Reader] | None:
    """Return the reader of a profile if it has parameters, otherwise None."""
    try:
        component = registry.entry(Reader, parse_call(profile.reader).name).component
    except QeframeError:
        return None
    return component if isinstance(component, Parametric) else None


def with_reader_parameter(profile: Profile, reader: Parametric[Reader], key: str, text: str, *, adds: bool) -> Profile:
    """Return the profile with one parameter of its reader changed.

    `adds`: whether the values are added to those of a list. Raises DataError if the text is no value of that parameter,
    or if something is added to what is no list.
    """
    given = reader.present_spelling(parse_call(profile.reader).parameters)
    value = _value(reader, key, text)
    if adds:
        before = reader.checked(key, given.get(key, reader.parameters[key].default))
        if not (isinstance(before, tuple) and isinstance(value, tuple)):
            what = f"cannot add to {key}: it is {format_call('', {key: before})[1:-1]}, not a list"
            raise DataError(what, remedy=f"write {key}=[VALUE, ...]")
        value = tuple(dict.fromkeys((*before, *value)))
    changed = {**profile.changed, key: format_call("", {key: value})[len(key) + 2 : -1]}
    return attrs.evolve(
        profile,
        reader=str(Call(reader.name, {**given, key: value})),
        changed=changed,
        adjusted=profile.adjusted | {"reader"},
    )


def _value(reader: Parametric[Reader], key: str, text: str) -> Any:
    """Return the value of a setting, in the first reading of the text that the parameter accepts."""
    wrong: list[DataError] = []
    for value in _readings(text):
        try:
            return reader.checked(key, value)
        except DataError as error:
            wrong.append(error)
    remedy = "write one KEY=VALUE for each rule"
    raise wrong[0] if wrong else DataError(f"cannot set {key}: '{text}' is not one value", remedy=remedy)


def _readings(text: str) -> Iterator[Any]:
    """Yield the value as in the name of a component, then as a word without quotes, then as words between commas."""
    with suppress(DataError):
        yield parse_value(text)
    if not re.search(r"[\[\]{}()\"]", text):
        yield text
    if not re.search(r"[{}]", text) and (words := listed_words(text)) is not None:
        yield [word.strip("\"'") for word in words]
