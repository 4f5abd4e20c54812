"""The keys of a profile, their types, and the errors in a table that is not one.

Nothing here knows the registry: `qeframe.profiles.load` checks that names are registered and rules fit each other.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs import field, frozen

from qeframe.batches.base import Best
from qeframe.errors import did_you_mean
from qeframe.tasks.align import MissingPolicy

__all__ = [
    "RULE_KEYS",
    "TOML_TYPES",
    "Certainty",
    "Profile",
    "Provenance",
    "mistake_of",
    "unknown_keys",
    "wrong_provenance",
    "wrong_types",
]

Certainty = Literal["read", "inferred", "unconfirmed", "chosen"]
"""How certain a rule is: read in the named source, inferred from a script or a data file, stated from general
knowledge and not confirmed, or chosen by qeframe where the shared task is silent."""


@frozen(kw_only=True)
class Provenance:
    """Where a rule comes from, and how certain it is."""

    certainty: Certainty = "read"
    source: str = ""
    note: str = ""


@frozen(kw_only=True)
class Profile:
    """The rules of one shared task.

    Parameters
    ----------
    name, title, year, level, gold
        What the profile is of; `gold` says in words what the gold values are.
    best : {"low", "high"}
        Which end of the gold scale is good.
    reader : str
        The `Reader` of the task's files, with its parameters.
    missing : {"error", "score_as_worst", "drop_for_all"}
        What happens to units that a submission left out.
    baselines : list of str
        Names of submissions that are the organisers' own.
    computed : list of str
        Metrics on texts that enter as baselines, called by their names, in the tasks whose texts the reader finds.
    primary, secondary : str, list of str
        The metric that ranks, and those that are reported beside it.
    within, across : str
        The `Aggregation` over groups of units, and over tasks (language pairs).
    weights : table of numbers
        Weights of tasks, for an `across` that asks for them.
    resample : str
        What is resampled and exchanged: "unit", the unit's own name, or a grouping such as "document".
    interval, confidence : str, float
        The `SignificanceTest` whose intervals are shown (empty: none) and their confidence level.
    test, sided, correction, alpha, strict
        The test of the primary metric over all pairs (empty: none), its sidedness ("" as the test prefers), the
        correction of the family of p-values, and the threshold: p < alpha if strict, else p <= alpha.
    ranking : str
        The `RankingRule`.
    source : str
        Where the rules were read, unless `provenance` says otherwise.
    provenance : table
        For single keys, a `Provenance`.
    """

    name: str = ""
    title: str = ""
    year: int = 0
    level: str = ""
    gold: str = ""
    best: Best = "low"
    reader: str
    missing: MissingPolicy = "error"
    baselines: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()
    primary: str
    secondary: tuple[str, ...] = ()
    within: str = "micro"
    across: str = "mean"
    weights: Mapping[str, float] = field(factory=dict)
    resample: str = "unit"
    interval: str = "bootstrap(draws=1000)"
    confidence: float = 0.95
    test: str = "bootstrap(draws=1000)"
    sided: Literal["", "one", "two"] = ""
    correction: str = "holm"
    alpha: float = 0.05
    strict: bool = True
    ranking: str = "not_worse_than_best"
    source: str = ""
    provenance: Mapping[str, Provenance] = field(factory=dict)
    stated: frozenset[str] = frozenset()
    """The keys that the file, or the profile that it extends, states; the others are qeframe's defaults."""
    changed: Mapping[str, str] = field(factory=dict)
    """What was changed for a what-if: the keys and values as given."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The primary metric, then the secondary ones."""
        return (self.primary, *self.secondary)

    def certainty(self, key: str) -> Provenance:
        """Return the provenance of one rule."""
        if key in self.changed:
            return Provenance(certainty="chosen", source="changed for this run")
        if key in self.provenance:
            return self.provenance[key]
        if key in self.stated and self.source:
            return Provenance(source=self.source)
        if key in self.stated:
            return Provenance(certainty="chosen", source="the profile")
        return Provenance(certainty="chosen", source="qeframe's default")


RULE_KEYS = tuple(f.name for f in attrs.fields(Profile) if f.name not in {"stated", "changed", "provenance", "name"})
"""The keys of a profile that state a rule or describe it."""


def mistake_of(message: str) -> str:
    """Turn 'what @ path' of the converter into 'path: what'."""
    what, _, path = message.rpartition(" @ ")
    missing = what.removeprefix("required field missing")
    return f"{path.lstrip('.')}: {'is missing' if missing != what else what}"


def unknown_keys(table: Mapping[str, Any]) -> list[str]:
    """Find keys that a profile does not have, in its provenance too, each with the nearest that it has."""
    known = {*RULE_KEYS, "provenance"}
    wrong = [f"{key}: unknown key, {did_you_mean(key, known)}" for key in table if key not in known]
    facts = table.get("provenance", {})
    if isinstance(facts, Mapping):
        wrong += [f"provenance.{k}: unknown key, {did_you_mean(k, RULE_KEYS)}" for k in facts if k not in RULE_KEYS]
        fields = {f.name for f in attrs.fields(Provenance)}
        for key, fact in facts.items():
            if isinstance(fact, Mapping):
                wrong += [
                    f"provenance.{key}.{k}: unknown key, {did_you_mean(k, fields)}" for k in fact if k not in fields
                ]
    return wrong


TOML_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "year": ((int,), "a whole number"),
    "confidence": ((int, float), "a number"),
    "alpha": ((int, float), "a number"),
    "strict": ((bool,), "true or false"),
    "baselines": ((list,), "a list of words"),
    "secondary": ((list,), "a list of words"),
    "computed": ((list,), "a list of words"),
    "weights": ((dict,), "a table of numbers"),
    "provenance": ((dict,), "a table"),
}


def wrong_types(table: Mapping[str, Any]) -> list[str]:
    """Find values of a wrong TOML type: a converter would turn the number 1 into the word '1'."""
    wrong = []
    hints = typing.get_type_hints(Profile)
    choices = {key: typing.get_args(hint) for key, hint in hints.items() if typing.get_origin(hint) is Literal}
    for key, value in table.items():
        if key not in {*RULE_KEYS, "provenance"}:
            continue
        if isinstance(value, int) and abs(value) > _LARGEST:
            wrong.append(f"{key}: the number has too many digits")
            continue
        kinds, word = TOML_TYPES.get(key, ((str,), "a word in quotes"))
        sound = isinstance(value, kinds) and (isinstance(value, bool) == (kinds == (bool,)))
        if kinds == (list,) and sound:
            sound = all(isinstance(item, str) for item in value)
        if key == "weights" and sound:
            wrong += [
                f"weights.{task}: must be a finite number that is not negative, not {_shown(weight)}"
                for task, weight in value.items()
                if not _is_weight(weight)
            ]
        if key in choices and sound:
            sound, word = value in choices[key], " or ".join(filter(None, choices[key]))
        if not sound:
            wrong.append(f"{key}: must be {word}, not {_shown(value)}")
    return wrong


_LARGEST = 2**63 - 1
"""The largest whole number of a profile, as TOML has it: larger ones may not even print."""


def _is_weight(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 <= value <= _LARGEST


def _shown(value: Any) -> str:
    """Return a value as it is printed in a message, cut if long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"this {type(value).__name__}"
    return text if len(text) <= 80 else text[:80] + "..."


def wrong_provenance(table: Mapping[str, Any]) -> list[str]:
    """Find what is no provenance: each is a table of words, its certainty one of four."""
    facts = table.get("provenance", {})
    wrong = []
    for key, fact in facts.items() if isinstance(facts, Mapping) else ():
        if not isinstance(fact, Mapping):
            wrong.append(f"provenance.{key}: must be a table, not {_shown(fact)}")
            continue
        wrong += [f"provenance.{key}.{k}: must be a word in quotes" for k, v in fact.items() if not isinstance(v, str)]
        if fact.get("certainty", "read") not in typing.get_args(Certainty):
            wrong.append(f"provenance.{key}.certainty: must be {' or '.join(typing.get_args(Certainty))}")
    return wrong
