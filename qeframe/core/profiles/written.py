"""What a profile was before a run wrote its rules to a file: the table `resolved` of that file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from qeframe.core.profiles.schema import Profile

RESOLVED = "resolved"
"""The table of a written profile that says what it was before: its name, and what the user and settings changed."""

_FACTS = {"name": str, "changed": dict, "adjusted": list, "own": list, "stated": list}


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
