"""The files that make up a profile: its own, and those that it extends."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Any

from attrs import field, frozen

from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import ProfileError, UnknownNameError
from qeframe.core.profiles.schema import shown

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""Where a mistake is, at the end of a message of the TOML parser."""


@frozen(kw_only=True)
class Layer:
    """The table of one file.

    Parameters
    ----------
    table : dict
        The keys and values of the TOML file, without `extends`.
    extends : str or None
        The name of the registered profile that the file extends.
    where : str
        The file or the profile, as messages call it.
    name : str
        The registered name; empty for a file that is given by its path.
    distribution : str
        The installed distribution that brings the profile; empty if none does.
    """

    table: dict[str, Any] = field(repr=False)
    extends: str | None = None
    where: str
    name: str = ""
    distribution: str = ""


def registered_layer(name: str, registry: Registry) -> Layer:
    """Return the file of a registered profile.

    Raises
    ------
    UnknownNameError
        If no profile has that name.
    ProfileError
        If the file cannot be read or is not TOML.
    """
    if name not in registry.profiles:
        raise registry.unknown("profile", name, registry.profiles, "'qeframe profiles' lists them")
    file, origin = registry.profiles[name]
    distribution = origin.distribution if origin.version else ""  # else the name is a placeholder
    where = f"profile '{name}'" + (f" of distribution '{distribution} {origin.version}'" if distribution else "")
    return layer_from_toml(_read(file, where), where, name=name, distribution=distribution)


def layer_from_toml(text: str, where: str, *, name: str = "", distribution: str = "") -> Layer:
    """Return the table that a TOML text describes."""
    table = _parse(text, where)
    extends = table.pop("extends", None)
    if not isinstance(extends, str | None):
        raise ProfileError(f"{where}: extends: must be the name of one profile in quotes, not {shown(extends)}")
    return Layer(table=table, extends=extends, where=where, name=name, distribution=distribution)


def extended_layers(own: Layer, registry: Registry) -> list[Layer]:
    """Return a file and the files that it extends, directly or through others: the outermost first, `own` last.

    Raises
    ------
    ProfileError
        If a profile extends itself, directly or through others, or an unknown profile.
    """
    layers = [own]
    while (extends := layers[-1].extends) is not None:
        names = [layer.name for layer in layers]
        if extends and extends in names:
            circle = " -> ".join([*names[names.index(extends) :], extends])
            raise ProfileError(f"{own.where}: extends: {circle} is a circle; remove one 'extends'")
        if extends.endswith(".toml") and extends not in registry.profiles:
            what = f"extends: '{extends}' is the name of a file, and only registered profiles can be extended"
            raise ProfileError(f"{layers[-1].where}: {what}; 'qeframe profiles' lists them")
        try:
            layers.append(registered_layer(extends, registry))
        except UnknownNameError as error:
            raise ProfileError(f"{layers[-1].where}: extends: {error}") from error
    return layers[::-1]


def _read(file: Traversable, where: str) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{where} cannot be read: {error}") from error


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(_not_toml(text, where, str(error))) from error
    except (RecursionError, ValueError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
        raise ProfileError(f"{where} cannot be read: {reason}; a profile is a table of flat keys") from error


def _not_toml(text: str, where: str, message: str) -> str:
    """Return the message on a mistake in a file: where, what, and a remedy."""
    place, lines = _PLACE.search(message), text.splitlines()
    line = int(place[1]) if place and place[1] else len(lines)
    what = message[: place.start()] if place else message
    if place and place[2]:
        what += f" in column {place[2]}"
    if "Cannot overwrite a value" in message:
        line, what = _stated_twice(lines, line) or (line, what)
    return f"{where}:{line}: not TOML: {what}; write one KEY = VALUE a line, each key once, texts in quotes"


_MOST_LINES = 100
"""How many lines of a text over several lines are searched for the key that it belongs to."""


def _stated_twice(lines: Sequence[str], end: int) -> tuple[int, str] | None:
    """Return the line of the statement that ends at a line, and that its key is stated twice."""
    for number in range(end, max(0, end - _MOST_LINES), -1):
        key = re.match(r"\s*([\w.\"'-]+)\s*=", lines[number - 1])
        if key and _is_toml("\n".join(lines[: number - 1])):
            return number, f"the key {key[1]} is stated twice"
    return None


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
