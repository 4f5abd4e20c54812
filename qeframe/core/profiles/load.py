"""Profiles from TOML files.

A profile is a TOML file of flat keys, which may extend another profile. It is checked as a whole: the error lists every
mistake. Every rule has a provenance: how certain it is, and where it was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import ProfileError
from qeframe.core.profiles.assemblers import assembler_keys, assembler_of, wrong_tables
from qeframe.core.profiles.check import check_profile, wrong_rules
from qeframe.core.profiles.former_spellings import present_rules
from qeframe.core.profiles.layers import Layer, extended_layers, layer_from_toml, registered_layer
from qeframe.core.profiles.provenance import SET_HERE, stated_provenance, wrong_provenance
from qeframe.core.profiles.schema import (
    OVERALL,
    REQUIRED_KEYS,
    Profile,
    Provenance,
    as_profile,
    unknown_keys,
    wrong_types,
)


def find_profile(name: str, registry: Registry) -> Profile:
    """Return a registered profile by name, checked against the registry.

    Raises
    ------
    UnknownNameError
        If no profile has that name.
    ProfileError
        If the profile cannot be used: the message lists every mistake.
    CapabilityError
        If its test cannot be run on its primary metric.
    """
    return _load(registered_layer(name, registry), name, registry)


def profile_from_toml(text: str, where: str, name: str, registry: Registry) -> Profile:
    """Return the profile that a TOML text describes, checked against the registry.

    Parameters
    ----------
    text : str
        The content of the file.
    where : str
        The file, as messages call it.
    name : str
        The name of the profile.

    Raises
    ------
    ProfileError
        If the profile cannot be used: the message lists every mistake.
    CapabilityError
        If its test cannot be run on its primary metric.
    """
    return _load(layer_from_toml(text, where), name, registry)


def differences(first: Profile, second: Profile) -> list[tuple[str, Any, Any]]:
    """Return (key, value in the first, value in the second) of every rule in which two profiles differ."""
    a, b = first.rules, second.rules
    return [(key, a.get(key), b.get(key)) for key in {**a, **b} if a.get(key) != b.get(key)]


def _load(own: Layer, name: str, registry: Registry) -> Profile:
    layers = extended_layers(own, registry)
    mistakes = {layer.where: _mistakes(layer.table, registry) for layer in layers}
    assembled = any(key in layer.table for layer in layers for key in ("parts", *assembler_keys(registry)))
    required = [key for key in REQUIRED_KEYS if key != "primary" or not assembled]
    layers = [attrs.evolve(layer, table=_without_mistakes(layer.table, mistakes[layer.where])) for layer in layers]
    values = _values(layers, registry)
    values |= present_rules(values, registry)
    wrong = mistakes.pop(own.where) + wrong_rules(values, registry)
    wrong += [f"{mistake} (in {where})" for where, others in mistakes.items() for mistake in others]
    with_mistakes = {mistake.partition(":")[0] for mistake in wrong}
    wrong += [f"{key}: is missing" for key in required if key not in {*values, *with_mistakes}]
    if wrong:
        raise ProfileError(f"{own.where}: " + "; ".join(sorted(set(wrong))))
    own_keys = frozenset(key for layer in layers if not layer.name for key in layer.table)
    described = attrs.evolve(as_profile(values), name=name, provenance=_merged(layers))
    stated = frozenset(values) - ({"primary"} if assembler_of(values, registry) else set())
    profile = attrs.evolve(described, stated=stated, own=own_keys & frozenset(values))
    profile = profile if own.name else attrs.evolve(profile, file=own.where)
    check_profile(profile, registry, own.where)
    return profile


def _values(layers: Sequence[Layer], registry: Registry) -> dict[str, Any]:
    """Return the rules of all layers; what asks for an assembler replaces metrics and others of the layers before."""
    values: dict[str, Any] = {}
    for layer in layers:
        if assembler := assembler_of(layer.table, registry):
            values = {key: value for key, value in values.items() if key not in assembler.replaces}
            values["primary"] = OVERALL
        values |= {key: value for key, value in layer.table.items() if key != "provenance"}
    return values


def _mistakes(table: Mapping[str, Any], registry: Registry) -> list[str]:
    further = assembler_keys(registry)
    return [
        *unknown_keys(table, further),
        *wrong_types(table),
        *wrong_tables(table, registry),
        *wrong_provenance(table, further),
    ]


def _without_mistakes(table: dict[str, Any], mistakes: Iterable[str]) -> dict[str, Any]:
    """Return the keys of a table that no mistake names, so that the other checks can go on with them."""
    keys = {mistake.partition(":")[0].partition(".")[0] for mistake in mistakes}
    return {key: value for key, value in table.items() if key not in keys}


def _merged(layers: Sequence[Layer]) -> dict[str, Provenance]:
    """Return the provenance of every key that a layer states or explains.

    The last layer that states or explains a key decides alone: a value that replaces another does not keep the source
    and the note of the other. A key without a provenance of its own was read in the source that the same file states;
    if it states none, the key is set there. Keys that are not replaced keep the source of the file that states them.
    """
    merged: dict[str, Provenance] = {}
    source = ""
    for layer in layers:
        own_source = layer.table.get("source", "")
        source = own_source or source
        plain = Provenance(source=own_source) if own_source else Provenance(certainty="chosen", source=SET_HERE)
        facts = layer.table.get("provenance", {})
        merged |= dict.fromkeys((key for key in layer.table if key != "provenance"), plain)
        merged |= stated_provenance(facts, source=source, chosen_by=layer.distribution or SET_HERE)
    return merged
