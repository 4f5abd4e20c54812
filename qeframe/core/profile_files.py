"""Profiles from TOML files.

A profile is a TOML file of flat keys, which may extend another profile. It is checked as a whole: the error lists every
mistake. Every rule has a provenance: how certain it is, and where it was read.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.errors import ProfileError, UnknownNameError
from qeframe.core.profile import (
    CERTAINTIES,
    OVERALL,
    REQUIRED_KEYS,
    RESOLVED,
    Certainty,
    Profile,
    Provenance,
    as_it_was,
    as_profile,
)
from qeframe.core.profile_checks import check_profile, wrong_rules
from qeframe.core.profile_tables import REPLACED, shown, wrong_history, wrong_keys
from qeframe.core.registry import Registry

SET_HERE = "set here"
"""The source of a rule that a file states without a source."""

_NO_SOURCE = "Not found in a source that could be opened"
"""The source of an unconfirmed rule, unless the file names one."""


def stated_provenance(facts: Mapping[str, Any], *, source: str, chosen_by: str) -> dict[str, Provenance]:
    """Return the provenance of each key that a table `provenance` names.

    `facts`: the table, checked by `wrong_keys`.
    `source`: the source of the profile: the default for rules that are read or inferred.
    `chosen_by`: the distribution that brings the profile: the default source of rules that are chosen. An unconfirmed
      rule has no source by default, and the text in its place states this.
    """
    default_sources = {"read": source, "inferred": source, "unconfirmed": _NO_SOURCE, "chosen": chosen_by}

    def provenance(fact: Mapping[str, Any]) -> Provenance:
        certainty: Certainty = fact.get("certainty", "read")
        source = fact.get("source", default_sources[certainty])
        return Provenance(certainty=certainty, source=source, note=fact.get("note", ""))

    short = {key: provenance({"certainty": c}) for c in CERTAINTIES for key in facts.get(c, ())}
    long = {key: provenance(fact) for key, fact in facts.items() if key not in CERTAINTIES}
    return short | long


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""Where a mistake is, at the end of a message of the TOML parser."""


@frozen(kw_only=True)
class Layer:
    """The table of one file.

    `table`: the keys and values of the TOML file, without `extends`.
    `extends`: the name of the registered profile that the file extends, or the path of a file, relative to its own.
    `where`: the file or the profile, as messages call it.
    `name`: the registered name; empty for a file that is given by its path.
    `distribution`: the installed distribution that brings the profile; empty if none does.
    `resolved`: what a profile was before a run wrote it: see `qeframe.core.profile`.
    """

    table: dict[str, Any] = field(repr=False)
    extends: str | None = None
    where: str
    name: str = ""
    distribution: str = ""
    resolved: Mapping[str, Any] | None = None


def registered_layer(name: str, registry: Registry) -> Layer:
    """Return the file of a registered profile.

    Raises UnknownNameError if no profile has that name. Raises ProfileError if the file cannot be read or is not TOML.
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
    resolved = table.pop(RESOLVED, None)
    if wrong := [] if resolved is None else wrong_history(resolved):
        raise ProfileError(f"{where}: {'; '.join(wrong)}")
    return Layer(table=table, extends=extends, where=where, name=name, distribution=distribution, resolved=resolved)


def extended_layers(top: Layer, registry: Registry) -> list[Layer]:
    """Return a file and the files that it extends, directly or through others: the outermost first, `top` last.

    Raises ProfileError if a profile extends itself, directly or through others, an unknown profile or a file that is
    not there.
    """
    layers = [top]
    while (extends := layers[-1].extends) is not None:
        extending = layers[-1]
        is_file = extends.endswith(".toml") and extends not in registry.profiles
        if is_file and extending.name:
            what = f"extends: '{extends}' is the name of a file, and a registered profile extends registered ones alone"
            raise ProfileError(f"{extending.where}: {what}; 'qeframe profiles' lists them")
        place = str(Path(extending.where).parent / extends)
        try:
            layer = _file_layer(place, extending.where) if is_file else registered_layer(extends, registry)
        except UnknownNameError as error:
            raise ProfileError(f"{extending.where}: extends: {error}") from error
        identities = [_identity(earlier) for earlier in layers]
        if _identity(layer) in identities:
            circle = [*layers[identities.index(_identity(layer)) :], layer]
            named = " -> ".join(member.name or member.where for member in circle)
            raise ProfileError(f"{top.where}: extends: {named} is a circle; remove one 'extends'")
        layers.append(layer)
    return layers[::-1]


def _identity(layer: Layer) -> str:
    """Return what is equal for one file under two paths, such as ``a.toml`` and ``../rules/a.toml``."""
    return layer.name or os.path.realpath(layer.where)


_MOST_BYTES = 2**20
"""No profile is larger; a file that is extended by mistake may be."""


def _file_layer(path: str, by: str) -> Layer:
    """Return the file of a profile that another file extends."""
    file = Path(path)
    if not file.is_file():
        what = f"extends: there is no file {path}; a path is relative to the file that extends"
        raise ProfileError(f"{by}: {what}")
    if file.stat().st_size > _MOST_BYTES:
        raise ProfileError(f"{by}: extends: {path} is too large for a profile; name the right file")
    return layer_from_toml(_read(file, path), path)


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
    what = what.replace("Cannot overwrite a value", "the statement that ends here states a key twice")
    return f"{where}:{line}: not TOML: {what}; write one KEY = VALUE a line, each key once, texts in quotes"


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

    Examples
    --------
    >>> import qeframe
    >>> qeframe.find_profile("wmt14_metrics_segment", qeframe.load()).primary
    'kendall(ties=wmt14)'
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

    Examples
    --------
    >>> import qeframe
    >>> text = "extends = 'qe_sentence'"
    >>> qeframe.profile_from_toml(text, "mine.toml", "mine", qeframe.load()).primary
    'pearson'
    """
    return _load(layer_from_toml(text, where), name, registry)


def differences(first: Profile, second: Profile) -> list[tuple[str, Any, Any]]:
    """Return (key, value in the first, value in the second) of every rule in which two profiles differ.

    Examples
    --------
    >>> import qeframe
    >>> registry = qeframe.load()
    >>> first, second = (qeframe.find_profile(name, registry) for name in ("wmt13_qe_word", "wmt14_qe_word"))
    >>> [key for key, _, _ in qeframe.differences(first, second)][:2]
    ['title', 'year']
    """
    a, b = first.rules, second.rules
    return [(key, a.get(key), b.get(key)) for key in {**a, **b} if a.get(key) != b.get(key)]


def _load(top: Layer, name: str, registry: Registry) -> Profile:
    layers = extended_layers(top, registry)
    mistakes = {layer.where: wrong_keys(layer.table) for layer in layers}
    with_parts = any("parts" in layer.table for layer in layers)
    required = [key for key in REQUIRED_KEYS if key != "primary" or not with_parts]
    layers = [attrs.evolve(layer, table=_without_mistakes(layer.table, mistakes[layer.where])) for layer in layers]
    values = _values(layers)
    if "reader" not in values and all("reader" in part for part in values.get("parts", ())) and values.get("parts"):
        values["reader"] = values["parts"][0]["reader"]  # no part uses it
    wrong = mistakes.pop(top.where) + wrong_rules(values, registry)
    wrong += [f"{mistake} (in {where})" for where, others in mistakes.items() for mistake in others]
    with_mistakes = {mistake.partition(":")[0] for mistake in wrong}
    wrong += [f"{key}: is missing" for key in required if key not in {*values, *with_mistakes}]
    if wrong:
        raise ProfileError(f"{top.where}: " + "; ".join(sorted(set(wrong))))
    user_keys = frozenset(key for layer in layers if not layer.name for key in layer.table)
    described = attrs.evolve(as_profile(values), name=name, provenance=_merged(layers))
    stated = frozenset(values) - ({"primary"} if values.get("parts") else set())
    profile = attrs.evolve(described, stated=stated, own=user_keys & frozenset(values))
    profile = profile if top.name else attrs.evolve(profile, file=top.where)
    profile = profile if top.resolved is None else as_it_was(profile, top.resolved)
    check_profile(profile, registry, top.where)
    return profile


def _values(layers: Sequence[Layer]) -> dict[str, Any]:
    """Return the rules of all layers; parts replace metrics and others of the layers before."""
    values: dict[str, Any] = {}
    for layer in layers:
        if layer.table.get("parts"):
            values = {key: value for key, value in values.items() if key not in REPLACED}
            values["primary"] = OVERALL
        values |= {key: value for key, value in layer.table.items() if key != "provenance"}
    return values


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
