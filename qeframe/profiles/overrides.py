"""What if: the rules of a profile, changed for one run by settings ``KEY=VALUE``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

import attrs

from qeframe.components.calls import Call, format_call, parse_call, parse_value
from qeframe.components.metric import Metric
from qeframe.components.parametric import Parametric
from qeframe.components.registry import Registry
from qeframe.errors import DataError, UnknownNameError
from qeframe.profiles.load import check_profile
from qeframe.profiles.schema import RULE_KEYS, TOML_TYPES, Profile, mistake_of, wrong_types

__all__ = ["change_profile"]

_LISTS = frozenset(key for key, (kinds, _) in TOML_TYPES.items() if kinds == (list,))
_WORDS = re.compile(r"\[([^\[\]]*)\]|([^\[\]]*)")
"""Words that need no quotes, in square brackets or without."""
_COMMA = re.compile(r",(?![^(]*\))")
"""A comma that is not within the brackets of a name with parameters."""


def change_profile(profile: Profile, settings: Sequence[str], registry: Registry) -> Profile:
    """Return the profile with settings ``KEY=VALUE`` changed, checked.

    A key is one of the profile's, or a parameter of its primary metric: it changes in that metric and in those of its
    family beside it that have the same value, and where they differ in it, as in ties, the former primary stays. Values
    are TOML; a bare word needs no quotes, and a list of words may be words between commas. A setting is one line and
    changes one thing.

    Raises
    ------
    DataError, ProfileError, UnknownNameError
        For a setting of another form, an unknown key, and a value that the rule cannot have.
    """
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise DataError(f"cannot read the setting '{setting}'", remedy="write KEY=VALUE")
        if len(setting.splitlines()) > 1:
            raise DataError(f"the setting '{setting}' has several lines", remedy="write one KEY=VALUE for each rule")
        profile = _change(profile, key.strip(), value.strip(), registry)
    if settings:
        check_profile(profile, registry)
    return profile


def _change(profile: Profile, key: str, text: str, registry: Registry) -> Profile:
    from cattrs import Converter, transform_error
    from cattrs.errors import ClassValidationError

    changed = {**profile.changed, key: text}
    if key not in RULE_KEYS:
        return attrs.evolve(_with_parameter(profile, key, text, registry), changed=changed)
    value = _value(key, text)
    if mistakes := wrong_types({key: value}):
        raise DataError(f"cannot set {mistakes[0]}")
    try:
        new = Converter().structure({"reader": "", "primary": "", key: value}, Profile)
    except ClassValidationError as error:
        raise DataError(f"cannot set {mistake_of(transform_error(error, path='')[0])}") from error
    return attrs.evolve(profile, changed=changed, **{key: getattr(new, key)})


def _value(key: str, text: str) -> Any:
    """Read a value as TOML where the key is not a word, else as it stands (quotes around it are taken off).

    A list of words may also be one word, or words between commas.
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        if key in _LISTS and (words := _WORDS.fullmatch(text)):
            listed = (words[1] or words[2] or "").strip()
            return [word.strip() for word in _COMMA.split(listed)] if listed else []
        return _number(text) if key in TOML_TYPES else text
    if key in _LISTS and isinstance(value, str):
        return [value]
    return text if key not in TOML_TYPES and not isinstance(value, str) else value


def _number(text: str) -> float | str:
    """Return a number that is none in TOML, such as .01, or the text."""
    try:
        return float(text)
    except ValueError:
        return text


def _with_parameter(profile: Profile, key: str, text: str, registry: Registry) -> Profile:
    """Return the profile with one parameter of its metrics changed.

    It changes in the primary metric, and in the secondary ones of the same family that have the same value of it. Where
    they differ in it, as in their ties, the primary metric changes places with the one that it becomes, or stays beside
    the others: no column is lost.
    """
    primary, family = profile.primary, parse_call(profile.primary).name
    if key not in _parameters(primary, registry):
        raise UnknownNameError("profile key", key, [*RULE_KEYS, *_parameters(primary, registry)])
    value, own = _parameter_value(key, text), _stated(primary, key, registry)
    new = _changed(primary, key, value, registry)
    kin = [name for name in profile.secondary if parse_call(name).name == family]
    alike = [name for name in kin if _stated(name, key, registry) == own]
    secondary = [_changed(name, key, value, registry) if name in alike else name for name in profile.secondary]
    if len(alike) < len(kin) and new != primary:
        places = [i for i, name in enumerate(secondary) if str(registry.get(Metric, name)) == new]
        secondary[places[0] if places else 0 : places[0] + 1 if places else 0] = [primary]
    return attrs.evolve(profile, primary=new, secondary=tuple(secondary))


def _parameters(metric: str, registry: Registry) -> list[str]:
    """Return the parameters that a metric of that name takes."""
    found = registry.entry(Metric, parse_call(metric).name).component
    return list(found.parameters) if isinstance(found, Parametric) else []


def _stated(metric: str, key: str, registry: Registry) -> str:
    """Return a metric's value of a parameter in words, its default if the name does not state it."""
    call = parse_call(metric)
    found = registry.entry(Metric, call.name).component
    default = found.parameters[key].default if isinstance(found, Parametric) else None
    return format_call("", {key: call.parameters.get(key, default)})


def _changed(metric: str, key: str, value: Any, registry: Registry) -> str:
    """Return the name of a metric with one parameter changed."""
    call = parse_call(metric)
    return str(registry.get(Metric, Call(call.name, {**call.parameters, key: value})))


def _parameter_value(key: str, text: str) -> Any:
    try:
        return parse_value(text)
    except DataError as error:
        raise DataError(
            f"cannot set {key}: '{text}' is not one value", remedy="write one KEY=VALUE for each rule"
        ) from error
