"""Which assembler a profile asks for, and what it says of the profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qeframe.core.components.assembler import Assembler
from qeframe.core.components.checks.work import at_work, full_name
from qeframe.core.components.component import is_foreign
from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import PluginError
from qeframe.core.profiles.schema import OVERALL, RULE_KEYS, PartRule, Profile
from qeframe.core.resampling.return_checks import WrongReturnError, describe

_OWN = "parts"
"""The key of all profiles that asks for an assembler."""


def _assemblers(registry: Registry) -> dict[str, Assembler]:
    """Return the assemblers by their keys; raise a `PluginError` if one has the key of others."""
    by_key: dict[str, Assembler] = {}
    for assembler in registry.all(Assembler):
        key = assembler.key
        if key in by_key:
            first, foreign = sorted((by_key[key], assembler), key=is_foreign)
            blocked = foreign.origin.plugin if foreign.origin else ""
            what = f"{full_name(first)} and {full_name(foreign)} are both asked for by the key '{key}'"
            raise PluginError(f"{what}; start with QEFRAME_BLOCK={blocked}")
        if key in {*RULE_KEYS, "provenance", "extends"} - {_OWN}:
            raise PluginError(f"{full_name(assembler)}: '{key}' is a key of all profiles; choose another key")
        if absent := [replaced for replaced in assembler.replaces if replaced not in RULE_KEYS]:
            raise PluginError(f"{full_name(assembler)} replaces '{absent[0]}', which is no key of all profiles")
        by_key[key] = assembler
    return by_key


def assembler_keys(registry: Registry) -> list[str]:
    """Return the keys of profiles that ask for assemblers and are no keys of all profiles."""
    return [key for key in _assemblers(registry) if key != _OWN]


def assembler_of(rules: Mapping[str, Any], registry: Registry) -> Assembler | None:
    """Return the assembler that rules, by key, ask for; None if there is none."""
    return next((assembler for assembler in _assemblers(registry).values() if assembler.asked_for(rules)), None)


def wrong_tables(table: Mapping[str, Any], registry: Registry) -> list[str]:
    """Find the mistakes in the keys of assemblers, in the table of a file or of a setting."""
    assemblers = _assemblers(registry)
    wrong = [mistake for of_key in assemblers.values() for mistake in _mistakes(of_key, "wrong", table)]
    asked = [key for key, assembler in assemblers.items() if assembler.asked_for(table)]
    wrong += [f"{key}: excludes {asked[0]}; leave one of them out" for key in asked[1:]]
    if table.get(_OWN) and _OWN not in assemblers:
        blocked = f" (blocked: {', '.join(registry.blocked)})" if registry.blocked else ""
        wrong.append(f"{_OWN}: there is no plugin that evaluates them{blocked}")
    return wrong


def incompatible_tables(profile: Profile, registry: Registry, *, reads: bool) -> list[str]:
    """Find what contradicts an assembler, in a profile whose keys have the right types."""
    asked, wrong = assembler_of(profile.rules, registry), list[str]()
    if asked is not None:
        wrong += [
            f"{key}: has no effect on {asked.key}; leave it out"
            for key in asked.replaces
            if getattr(profile, key) != getattr(_DEFAULTS, key)
        ]
    for assembler in _assemblers(registry).values():
        wrong += _mistakes(assembler, "incompatible", profile, registry, reads)
    return wrong


_DEFAULTS = Profile(reader="", primary=OVERALL)


def _mistakes(assembler: Assembler, where: str, *given: Any) -> list[str]:
    """Return the mistakes that a function of an assembler finds."""
    with at_work(assembler, where):
        mistakes = getattr(assembler, where)(*given)
        if not isinstance(mistakes, (list, tuple)) or not all(isinstance(mistake, str) for mistake in mistakes):
            raise WrongReturnError(where, describe(mistakes), "a list of texts")
    return list(mistakes)


def rules_of_parts(profile: Profile, registry: Registry) -> list[PartRule]:
    """Return the parts of a profile; none without an assembler."""
    assembler = assembler_of(profile.rules, registry)
    if assembler is None:
        return []
    with at_work(assembler, "rules"):
        rules = list(assembler.rules(profile))
        wrong = next((rule for rule in rules if not isinstance(rule, PartRule)), None)
        if wrong is not None:
            raise WrongReturnError("rules", describe(wrong), "a PartRule")
    return rules


def with_parameter_of(assembler: Assembler, profile: Profile, key: str, value: Any, registry: Registry) -> Profile:
    """Return the profile with a value of a parameter in all metrics of its parts that have the parameter."""
    assert assembler.with_parameter is not None, "the assembler changes parameters"
    with at_work(assembler, "with_parameter"):
        changed = assembler.with_parameter(profile, key, value, registry)
        if not isinstance(changed, Profile):
            raise WrongReturnError("with_parameter", describe(changed), "a Profile")
        return changed
