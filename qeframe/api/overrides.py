"""The rules of a profile and parameters of its reader, changed for one run by settings ``KEY=VALUE``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs

from qeframe.core.calls import Call, Parametric, format_call, parse_call
from qeframe.core.errors import DataError, QeframeError, UnknownNameError
from qeframe.core.loader import load
from qeframe.core.metric import Metric
from qeframe.core.profile import REQUIRED_KEYS, RULE_KEYS, SUPPLEMENTS, VALID, Profile, as_profile
from qeframe.core.profile_checks import by_valid_rules, check_profile, find_supplement
from qeframe.core.profile_tables import LISTS, NO_WORDS, part_rules, wrong_keys
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry

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
    given = parse_call(profile.reader).parameters
    value = _value_of_parameter(reader, key, text)
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


def _value_of_parameter(reader: Parametric[Reader], key: str, text: str) -> Any:
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
    if not re.search(r"[\[\]{}()\"]", re.sub(r"\{\w+\}", "", text)):  # {words} of a pattern of names stay
        yield text
    if not re.search(r"[{}]", text) and (words := listed_words(text)) is not None:
        yield [word.strip("\"'") for word in words]


_NUMBERS = frozenset({"year", "alpha", "confidence", "weights"})
_JOINED = re.compile(r"(?:^|[=:,])\s*[+-]?[0-9][0-9.]*_[0-9]")
"""A number with an underscore in it, which TOML and Python read, alone or after an equals sign."""


def change_profile(profile: Profile, settings: Sequence[str], registry: Registry | None = None) -> Profile:
    """Return the profile with settings ``KEY=VALUE`` changed, and check it.

    A key is a key of the profile, a parameter of its primary metric, of its reader, or of a supplement; the first of
    these that there is. The keys that only describe the profile, `gold` and `level`, come after the parameters of the
    reader. The parameters of a profile with parts are those of the metrics of its parts; one changes in all parts that
    have it. A parameter changes in the primary metric, and in each secondary metric of the same name that has the same
    value of it. Where these metrics differ in the parameter, as in their treatment of ties, the former primary metric
    stays as a secondary one.

    Values are TOML, but a word needs no quotes, and a list of words may be written as words between commas.
    ``KEY+=VALUE`` adds to a list. A setting is one line and changes one key, but ``test=valid`` also the side and the
    correction: see `by_valid_rules`.

    Raises
    ------
    DataError
        If a setting is not ``KEY=VALUE``, or its value has a wrong type; if `profile` is no `Profile`, such as a name,
        or `settings` are no sequence of texts.
    UnknownNameError
        If the key is unknown.
    ProfileError
        If the changed rules contradict each other, or name a component that is not registered.
    CapabilityError
        If the test cannot be run on the primary metric.

    Examples
    --------
    >>> import qeframe
    >>> registry = qeframe.load()
    >>> profile = qeframe.find_profile("qe_sentence", registry)
    >>> qeframe.change_profile(profile, ["primary=spearman", "alpha=.01"], registry).primary
    'spearman'
    """
    if not isinstance(profile, Profile):
        what = f"a Profile is changed, and a value of type {type(profile).__name__} was given"
        raise DataError(what, remedy="choose_profile takes a name or a path, and settings too")
    check_settings(settings)
    registry = registry or load()
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise DataError(f"cannot read the setting '{setting}'", remedy="write KEY=VALUE")
        if len(setting.splitlines()) > 1:
            raise DataError(f"the setting '{setting}' has several lines", remedy="write one KEY=VALUE for each rule")
        adds = key.rstrip().endswith("+")
        profile = _change(profile, key.strip().removesuffix("+").rstrip(), value.strip(), registry, adds=adds)
    if profile.test == VALID:
        profile = by_valid_rules(profile, registry)
    if settings:
        check_profile(profile, registry)
    return profile


def check_settings(settings: Any) -> None:
    """Refuse settings that are no sequence of texts: a text alone, or a mapping."""
    if isinstance(settings, str):
        raise DataError(f"the settings are the string '{settings}'", remedy="give a list of KEY=VALUE")
    if not isinstance(settings, Sequence) or not all(isinstance(setting, str) for setting in settings):
        what = f"the settings are of type {type(settings).__name__}, not a list of texts"
        raise DataError(what, remedy="give a list of KEY=VALUE")


def _change(profile: Profile, key: str, text: str, registry: Registry, *, adds: bool) -> Profile:
    if key in {*RULE_KEYS, SUPPLEMENTS} - DESCRIBED_BY_READER:
        return _with_rule(profile, key, text, adds=adds)
    reader = parametric_reader(profile, registry)
    metrics = [rule.metric for rule in part_rules(profile)] or [profile.primary]
    parameters = [name for metric in dict.fromkeys(metrics) for name in parameters_of(metric, registry)]
    if key in parameters and key not in RULE_KEYS:
        _refuse_addition(key, adds=adds)
        change = _with_part_parameter if profile.parts else _with_parameter
        return _recorded(change(profile, key, _parameter_value(key, text), registry), key, text)
    if reader is not None and key in reader.parameters:
        return with_reader_parameter(profile, reader, key, text, adds=adds)
    if key in RULE_KEYS:
        return _with_rule(profile, key, text, adds=adds)
    if (changed := _with_supplement(profile, key, text)) is not None:
        _refuse_addition(key, adds=adds)
        return changed
    raise UnknownNameError("profile key", key, [*RULE_KEYS, *parameters, *(reader.parameters if reader else ())])


def _with_supplement(profile: Profile, key: str, text: str) -> Profile | None:
    """Return the profile with one parameter of a supplement changed; None if no supplement has such a parameter."""
    for position, name in enumerate(profile.supplements):
        function, call = find_supplement(name)
        if key in function.parameters:
            value = function.checked(key, _parameter_value(key, text))
            changed = str(Call(call.name, {**call.parameters, key: value}))
            named = (*profile.supplements[:position], changed, *profile.supplements[position + 1 :])
            return _recorded(attrs.evolve(profile, supplements=named), key, text)
    return None


def _with_rule(profile: Profile, key: str, text: str, *, adds: bool) -> Profile:
    """Return the profile with one of its own keys changed."""
    value = _value(key, text)
    if mistakes := wrong_keys({key: value}):
        raise DataError(f"cannot set {mistakes[0]}")
    converted = getattr(as_profile({**dict.fromkeys(REQUIRED_KEYS, ""), key: value}), key)
    if adds:
        _refuse_addition(key, adds=key not in LISTS)
        converted = tuple(dict.fromkeys((*getattr(profile, key), *converted)))
        text = ", ".join(converted)
    return _recorded(attrs.evolve(profile, **{key: converted}), key, text)


def _recorded(profile: Profile, key: str, text: str) -> Profile:
    return attrs.evolve(profile, changed={**profile.changed, key: text})


def _refuse_addition(key: str, *, adds: bool) -> None:
    if adds:
        raise DataError(f"cannot add to {key}: it is not a list", remedy=f"write {key}=VALUE")


def _value(key: str, text: str) -> Any:
    """Return the value of a setting for a key.

    A text is taken as it is, without the quotes around it; other values are read as TOML. A list may also be written as
    one word, or as words between commas.
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        if key in LISTS and (words := listed_words(text)) is not None:
            return words
        return _number(text) if key in NO_WORDS else text
    if key in _NUMBERS and _JOINED.search(text):
        raise DataError(f"cannot set {key}: '{text}' is not a plain number", remedy="write digits 0 to 9 without _")
    if key in LISTS and isinstance(value, str):
        return [value]
    return text if key in RULE_KEYS and key not in NO_WORDS and not isinstance(value, str) else value


def _number(text: str) -> float | str:
    """Return the number that the text is in Python, although not in TOML, such as .01; otherwise the text."""
    try:
        return float(text) if text.isascii() and "_" not in text else text
    except ValueError:
        return text


def _with_parameter(profile: Profile, key: str, value: Any, registry: Registry) -> Profile:
    """Return the profile with one parameter of its metrics changed.

    The parameter changes in the primary metric, and in the secondary metrics of the same name that have the same value
    of it. If some secondary metrics of that name have another value, as in their treatment of ties, no column is lost:
    the former primary metric takes the position of the secondary metric that the primary one becomes, or the first
    position if there is no such metric.
    """
    primary, name = profile.primary, parse_call(profile.primary).name
    present, new = _value_in(primary, key, registry), with_value(primary, key, value, registry)
    same_name = [other for other in profile.secondary if parse_call(other).name == name]
    same_value = [other for other in same_name if _value_in(other, key, registry) == present]
    secondary = [with_value(m, key, value, registry) if m in same_value else m for m in profile.secondary]
    if len(same_value) < len(same_name) and new != primary:
        positions = [i for i, metric in enumerate(secondary) if str(registry.get(Metric, metric)) == new]
        start, end = (positions[0], positions[0] + 1) if positions else (0, 0)
        secondary[start:end] = [primary]
    return attrs.evolve(profile, primary=new, secondary=tuple(secondary))


def _with_part_parameter(profile: Profile, key: str, value: Any, registry: Registry) -> Profile:
    """Return the profile with one parameter changed in the metrics of all parts that have it, `official` ones too."""
    tables: list[Mapping[str, Any]] = []
    for table in profile.parts:
        changed = _with_value_in_table(table, table["metric"], key, value, registry)
        if "official" in table:
            replaced = table["official"]
            changed["official"] = _with_value_in_table(
                replaced, replaced.get("metric", table["metric"]), key, value, registry
            )
        tables.append(changed)
    return attrs.evolve(profile, parts=tuple(tables))


def _with_value_in_table(
    table: Mapping[str, Any], metrics: str | Sequence[str], key: str, value: Any, registry: Registry
) -> dict[str, Any]:
    """Return a table of parts, or its table `official`, with another value of one parameter in the metrics it states.

    `metrics` are those that its parameters belong to.
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    having = [name for name in names if key in parameters_of(name, registry)]
    changed = dict(table)
    if "metric" in table:
        changed["metric"] = [with_value(name, key, value, registry) if name in having else name for name in names]
    if "parameters" in table:
        changed["parameters"] = {name: v for name, v in table["parameters"].items() if name != key or not having}
    return changed


def parameters_of(metric: str, registry: Registry) -> list[str]:
    """Return the parameters of a metric."""
    component = registry.entry(Metric, parse_call(metric).name).component
    return list(component.parameters) if isinstance(component, Parametric) else []


def _value_in(metric: str, key: str, registry: Registry) -> str:
    """Return the value of a parameter in a metric, as text; the default if the metric's name does not state it."""
    call = parse_call(metric)
    component = registry.entry(Metric, call.name).component
    default = component.parameters[key].default if isinstance(component, Parametric) else None
    return format_call("", {key: call.parameters.get(key, default)})


def with_value(metric: str, key: str, value: Any, registry: Registry) -> str:
    """Return the name of a metric with another value of one parameter."""
    call = parse_call(metric)
    return str(registry.get(Metric, Call(call.name, {**call.parameters, key: value})))


def _parameter_value(key: str, text: str) -> Any:
    try:
        return parse_value(text)
    except DataError as error:
        raise DataError(
            f"cannot set {key}: '{text}' is not one value", remedy="write one KEY=VALUE for each rule"
        ) from error


def parse_value(text: str) -> Any:
    """Read one value of a parameter.

    Raises
    ------
    DataError
        If the text is not of that form, or is more than one value.
    """
    parameters = parse_call(f"x(value={text})").parameters
    if list(parameters) != ["value"]:
        raise DataError(f"'{text[:200]}' is more than one value", remedy="give one value for each parameter")
    return parameters["value"]
