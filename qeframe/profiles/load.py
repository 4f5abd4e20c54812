"""Profiles: the rules of one shared task as data.

A profile is a TOML file of flat keys, checked as a whole: every mistake is reported at once. It may extend one other
profile, says of every rule how certain it is and where it was read, and can be changed for a what-if.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any

from qeframe.batches.texts import Texts
from qeframe.components.aggregation import Aggregation
from qeframe.components.component import Component
from qeframe.components.metric import Metric
from qeframe.components.ranking import RankingRule
from qeframe.components.reader import Reader
from qeframe.components.registry import Registry
from qeframe.components.significance import Correction, SignificanceTest
from qeframe.errors import ProfileError, QeframeError, UnknownNameError
from qeframe.profiles.schema import (
    RULE_KEYS,
    Certainty,
    Profile,
    Provenance,
    mistake_of,
    unknown_keys,
    wrong_provenance,
    wrong_types,
)

__all__ = [
    "NAMED",
    "RULE_KEYS",
    "Certainty",
    "Profile",
    "Provenance",
    "check_profile",
    "differences",
    "find_profile",
    "profile_from_toml",
]

NAMED: Mapping[str, type[Component]] = {
    "reader": Reader,
    "primary": Metric,
    "within": Aggregation,
    "across": Aggregation,
    "interval": SignificanceTest,
    "test": SignificanceTest,
    "correction": Correction,
    "ranking": RankingRule,
}
"""The keys whose value is the name of a component."""

_FREE = frozenset({"interval", "test"})
"""Those of them that may be empty."""


def find_profile(name: str, registry: Registry) -> Profile:
    """Return a registered profile by name, checked against the registry."""
    profile = _structure(_registered(name, registry), f"profile '{name}'", name, registry)
    check_profile(profile, registry)
    return profile


def profile_from_toml(text: str, where: str, name: str, registry: Registry) -> Profile:
    """Return the profile that a TOML text describes; `where` is how messages call it."""
    profile = _structure(_parse(text, where), where, name, registry)
    check_profile(profile, registry, where)
    return profile


def _registered(name: str, registry: Registry) -> dict[str, Any]:
    if name not in registry.profiles:
        raise registry.unknown("profile", name, registry.profiles, "'qeframe profiles' lists them")
    file, _ = registry.profiles[name]
    return _read(file, f"profile '{name}'")


def _read(file: Traversable, where: str) -> dict[str, Any]:
    try:
        return _parse(file.read_text("utf-8"), where)
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{where} cannot be read: {error}") from error


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{where} is not TOML: {error}") from error
    except (RecursionError, ValueError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
        raise ProfileError(f"{where} cannot be read: {reason}; a profile is a table of flat keys") from error


def _structure(table: dict[str, Any], where: str, name: str, registry: Registry) -> Profile:
    """Merge the profile that is extended and build the frozen value; report every mistake at once."""
    from cattrs import Converter, transform_error
    from cattrs.errors import ClassValidationError

    own = dict(table)
    extended = own.pop("extends", None)
    if extended is not None:
        try:
            base = _registered(str(extended), registry)
        except UnknownNameError as error:
            raise ProfileError(f"{where}: extends: {error}") from error
        if "extends" in base:
            raise ProfileError(f"{where}: extends '{extended}', which extends another; a profile extends once")
        own = {**base, **own, "provenance": {**base.get("provenance", {}), **own.get("provenance", {})}}
    mistakes = [*unknown_keys(own), *wrong_types(own), *wrong_provenance(own)]
    unsound = {mistake.partition(":")[0] for mistake in mistakes}
    unsound |= {key.partition(".")[0] for key in unsound}
    sound = {key: value for key, value in own.items() if key not in unsound}
    mistakes += _wrong_rules(sound, registry)
    try:
        profile = Converter(forbid_extra_keys=True).structure(
            {**sound, "name": name, "stated": list(own), "changed": {}}, Profile
        )
    except ClassValidationError as error:
        mistakes += [m for m in map(mistake_of, transform_error(error, path="")) if m.partition(":")[0] not in unsound]
    if mistakes:
        raise ProfileError(f"{where}: " + "; ".join(sorted(set(mistakes))))
    return profile


def _wrong_rules(table: Mapping[str, Any], registry: Registry) -> list[str]:
    """Find names that nobody answers to, and shares that are none, in a table whose types are right."""
    wrong = [_unresolved(key, table[key], kind, registry) for key, kind in NAMED.items() if key in table]
    for key in ("secondary", "computed"):
        wrong += [_unresolved(key, name, Metric, registry) for name in table.get(key, ())]
    wrong += [
        f"{key}: must lie between 0 and 1, not {table[key]}"
        for key in ("alpha", "confidence")
        if key in table and not 0 < table[key] < 1
    ]
    return [mistake for mistake in wrong if mistake]


def check_profile(profile: Profile, registry: Registry, where: str = "", *, reads: bool = True) -> None:
    """Raise a `ProfileError` that lists every rule that does not hold together.

    Names must be registered, with parameters that they have; alpha and the interval's level lie between 0 and 1.

    Parameters
    ----------
    where : str
        How the message calls the profile; by default by its name.
    reads : bool
        Whether its reader counts: where tasks are given, nobody asks for it.
    """
    rules = {key: _as_in_toml(getattr(profile, key)) for key in RULE_KEYS if reads or key != "reader"}
    mistakes = wrong_types(rules) or _wrong_rules(rules, registry) or _incompatible(profile, registry)
    if mistakes:
        named = f"profile '{profile.name}'"
        raise ProfileError(f"{where or named}: " + "; ".join(mistakes))


def _as_in_toml(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def _unresolved(key: str, name: str, kind: type[Component], registry: Registry) -> str:
    if not name and key in _FREE:
        return ""
    try:
        registry.get(kind, name)
    except QeframeError as error:
        return f"{key}: {error}"
    return ""


def _incompatible(profile: Profile, registry: Registry) -> list[str]:
    mistakes = []
    if profile.interval and registry.get(SignificanceTest, profile.interval).interval is None:
        mistakes.append(f"interval: '{profile.interval}' gives no intervals")
    if profile.test and profile.sided:
        test = registry.get(SignificanceTest, profile.test)
        if profile.sided not in test.sides:
            mistakes.append(f"sided: '{test.name}' is {' or '.join(sorted(test.sides))}-sided")
    within, across = (registry.get(Aggregation, name) for name in (profile.within, profile.across))
    if not (within.by or within.pools):
        mistakes.append(f"within: '{within.name}' combines tasks, not groups of units; {_such(registry, tasks=False)}")
    if across.by or across.pools:
        mistakes.append(f"across: '{across.name}' combines groups of units, not tasks; {_such(registry, tasks=True)}")
    elif profile.weights and across.weighting != "declared":
        what = f"weights: '{across.name}' weighs all tasks alike and has no use for them"
        mistakes.append(f"{what}; choose another across, or weights = {{}}")
    mistakes += [
        f"computed: '{name}' is not computed from texts"
        for name in profile.computed
        if not issubclass(Texts, registry.get(Metric, name).kind)
    ]
    return mistakes


def _such(registry: Registry, *, tasks: bool) -> str:
    """Say which aggregations there are over tasks, or over groups of units."""
    names = [a.name for a in registry.all(Aggregation) if tasks is not bool(a.by or a.pools)]
    return f"there are: {', '.join(names)}" if names else "there are none"


def differences(first: Profile, second: Profile) -> list[tuple[str, Any, Any]]:
    """Return (key, value in the first, value in the second) of every rule in which two profiles differ."""
    pairs = [(key, getattr(first, key), getattr(second, key)) for key in RULE_KEYS]
    return [(key, a, b) for key, a, b in pairs if a != b]
