"""The table `provenance` of a profile's file: lists of keys by certainty, and one table for a key that needs more.

::

    [provenance]
    read = ["gold", "primary"]
    chosen = ["ranking"]

    [provenance.test]
    certainty = "inferred"
    note = "The script draws 1,000 samples."
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from qeframe.core.errors import did_you_mean
from qeframe.core.profiles.schema import CERTAINTIES, RULE_KEYS, Certainty, Provenance, shown

SET_HERE = "set here"
"""The source of a rule that a file states without a source."""

_NO_SOURCE = "Not found in a source that could be opened"
"""The source of an unconfirmed rule, unless the file names one."""

_FIELDS = tuple(f.name for f in attrs.fields(Provenance))


def stated_provenance(facts: Mapping[str, Any], *, source: str, chosen_by: str) -> dict[str, Provenance]:
    """Return the provenance of each key that a table `provenance` names.

    Parameters
    ----------
    facts : mapping
        The table, checked by `wrong_provenance`.
    source : str
        The source of the profile: the default for rules that are read or inferred.
    chosen_by : str
        The distribution that brings the profile: the default source of rules that are chosen. An unconfirmed rule has
        no source by default, and the text in its place states this.
    """
    default_sources = {"read": source, "inferred": source, "unconfirmed": _NO_SOURCE, "chosen": chosen_by}

    def provenance(fact: Mapping[str, Any]) -> Provenance:
        certainty: Certainty = fact.get("certainty", "read")
        source = fact.get("source", default_sources[certainty])
        return Provenance(certainty=certainty, source=source, note=fact.get("note", ""))

    short = {key: provenance({"certainty": c}) for c in CERTAINTIES for key in facts.get(c, ())}
    long = {key: provenance(fact) for key, fact in facts.items() if key not in CERTAINTIES}
    return short | long


def wrong_provenance(table: Mapping[str, Any], further: Sequence[str] = ()) -> list[str]:
    """Find the mistakes in the table `provenance` of a profile's table: keys, types, certainties, keys named twice.

    `further` are keys of profiles that plugins bring.
    """
    facts = table.get("provenance", {})
    if not isinstance(facts, Mapping):
        return []
    wrong = []
    for key, fact in facts.items():
        check = _wrong_list if key in CERTAINTIES else _wrong_fact
        wrong += check(key, fact, [*RULE_KEYS, *further])
    counts = Counter(_named(facts))
    return wrong + [f"provenance.{key}: is named twice; name it once" for key, count in counts.items() if count > 1]


def _named(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield each key that a table `provenance` names, as often as it is named."""
    for key, fact in facts.items():
        if key not in CERTAINTIES:
            yield key
        elif isinstance(fact, list):
            yield from (item for item in fact if isinstance(item, str))


def _wrong_list(certainty: str, keys: Any, known: Sequence[str]) -> list[str]:
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        return [f"provenance.{certainty}: must be a list of keys, not {shown(keys)}"]
    unknown = [key for key in keys if key not in known]
    return [f"provenance.{certainty}: unknown key '{key}', {did_you_mean(key, known)}" for key in unknown]


def _wrong_fact(key: str, fact: Any, known: Sequence[str]) -> list[str]:
    where, wrong = f"provenance.{key}", []
    if key not in known:
        wrong.append(f"{where}: unknown key, {did_you_mean(key, [*known, *CERTAINTIES])}")
    if not isinstance(fact, Mapping):
        return [*wrong, f"{where}: must be a table, not {shown(fact)}"]
    wrong += [f"{where}.{name}: unknown key, {did_you_mean(name, _FIELDS)}" for name in fact if name not in _FIELDS]
    wrong += [f"{where}.{name}: must be a word in quotes" for name, text in fact.items() if not isinstance(text, str)]
    if fact.get("certainty", "read") not in CERTAINTIES:
        wrong.append(f"{where}.certainty: must be {' or '.join(CERTAINTIES)}")
    return wrong
