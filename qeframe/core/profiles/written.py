"""A profile as a file that reads back as the same profile: all rules of a result, with settings and what it extends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from qeframe.core.profiles.schema import DEFAULT, OVERALL, Profile

RESOLVED = "resolved"
"""The table of a written profile that says what it was before: its name, and what the user and settings changed."""

_FACTS = {"name": str, "changed": dict, "adjusted": list, "own": list, "stated": list}


def profile_to_toml(profile: Profile, version: str, chosen: Mapping[str, Any] | None = None) -> str:
    """Return a file with all rules of a profile; those that have qeframe's default are comments.

    Parameters
    ----------
    profile : Profile
    version : str
        The version of qeframe, whose defaults these are.
    chosen : mapping, optional
        The rules of the result, which say what "default" was.
    """
    defaults = Profile(reader="", primary="").rules
    lines = [
        f"# The rules of a result, written by qeframe {version}. They extend nothing, and no setting is needed:",
        "# qeframe run THIS_FILE PATH",
        "# A line that begins with '#' and a key is a default of this version.",
        "",
    ]
    for key, value in profile.rules.items():
        idle = value == defaults.get(key) or (key == "primary" and value == OVERALL)
        what = f"  # {(chosen or {}).get(key)}" if value == DEFAULT and key in (chosen or {}) else ""
        lines.append(f"{'# ' if idle else ''}{_key(key)} = {_value(value)}{what}")
    known = {**{key: profile.certainty(key) for key in profile.rules}, **profile.provenance}
    facts = {
        "name": profile.name,
        "changed": dict(profile.changed),
        "adjusted": sorted(profile.adjusted),
        "own": sorted(profile.own),
        "stated": sorted(profile.stated),
    }
    lines += ["", "[provenance]", *(f"{_key(key)} = {_value(attrs.asdict(fact))}" for key, fact in known.items())]
    lines += ["", f"[{RESOLVED}]", *(f"{key} = {_value(value)}" for key, value in facts.items())]
    return "\n".join(lines) + "\n"


def wrong_facts(table: Any) -> list[str]:
    """Find mistakes in the table of a written profile."""
    if not isinstance(table, Mapping):
        return [f"{RESOLVED}: must be a table, as 'qeframe run --out' writes it"]
    wrong = [f"{RESOLVED}.{key}: is not a key that 'qeframe run --out' writes" for key in table if key not in _FACTS]
    for key, kind in _FACTS.items():
        items = table.get(key, kind())
        texts = items.values() if isinstance(items, dict) else [items] if kind is str else items
        if not isinstance(items, kind) or not all(isinstance(text, str) for text in texts):
            wrong.append(f"{RESOLVED}.{key}: is not as 'qeframe run --out' writes it")
    return wrong


def as_it_was(profile: Profile, facts: Mapping[str, Any]) -> Profile:
    """Return a profile that was read from such a file with the name and the history that it had."""
    return attrs.evolve(
        profile,
        name=facts.get("name", profile.name),
        changed=dict(facts.get("changed", {})),
        adjusted=frozenset(facts.get("adjusted", ())),
        own=frozenset(facts.get("own", ())),
        stated=frozenset(facts.get("stated", profile.stated)),
    )


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """Return a value as TOML in one line."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _text(value)
        case int() | float():
            return repr(value)
        case Mapping():
            stated = {key: each for key, each in value.items() if each is not None}
            return f"{{{', '.join(f'{_key(key)} = {_value(each)}' for key, each in stated.items())}}}"
    return f"[{', '.join(map(_value, value))}]"
