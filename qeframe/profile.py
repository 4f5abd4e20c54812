"""Profiles: the rules of one shared task as data.

A profile is a TOML file of flat keys, checked as a whole: every mistake is reported at once. It may extend one other
profile, says of every rule how certain it is and where it was read, and can be changed for a what-if.
"""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from typing import Any, Literal

import attrs
from attrs import field, frozen

from qeframe.batch import Best
from qeframe.components import (
    Aggregation,
    Component,
    Correction,
    Metric,
    RankingRule,
    Reader,
    SignificanceTest,
)
from qeframe.errors import ProfileError, QeframeError, UnknownNameError, did_you_mean
from qeframe.registry import Registry
from qeframe.task import MissingPolicy
from qeframe.texts import Texts

__all__ = ["Certainty", "Profile", "Provenance", "differences", "find_profile", "profile_from_toml"]

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


RULES = tuple(f.name for f in attrs.fields(Profile) if f.name not in {"stated", "changed", "provenance", "name"})
"""The keys of a profile that state a rule or describe it."""

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
        raise UnknownNameError("profile", name, registry.profiles, remedy="'qeframe profiles' lists them")
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
    mistakes = [*_unknown_keys(own), *wrong_types(own), *_wrong_provenance(own)]
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


def mistake_of(message: str) -> str:
    """Turn 'what @ path' of the converter into 'path: what'."""
    what, _, path = message.rpartition(" @ ")
    missing = what.removeprefix("required field missing")
    return f"{path.lstrip('.')}: {'is missing' if missing != what else what}"


def _unknown_keys(table: Mapping[str, Any]) -> list[str]:
    known = {*RULES, "provenance"}
    wrong = [f"{key}: unknown key, {did_you_mean(key, known)}" for key in table if key not in known]
    facts = table.get("provenance", {})
    if isinstance(facts, Mapping):
        wrong += [f"provenance.{k}: unknown key, {did_you_mean(k, RULES)}" for k in facts if k not in RULES]
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
        if key not in {*RULES, "provenance"}:
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


def _wrong_provenance(table: Mapping[str, Any]) -> list[str]:
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
    rules = {key: _as_in_toml(getattr(profile, key)) for key in RULES if reads or key != "reader"}
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


def chosen_metrics(names: Iterable[str], registry: Registry) -> tuple[Metric, ...]:
    """Return the metrics of these names in order, one that is named twice (``mean`` and ``mean()``) once."""
    return tuple({metric.name: metric for metric in (registry.get(Metric, name) for name in names)}.values())


def differences(first: Profile, second: Profile) -> list[tuple[str, Any, Any]]:
    """Return (key, value in the first, value in the second) of every rule in which two profiles differ."""
    pairs = [(key, getattr(first, key), getattr(second, key)) for key in RULES]
    return [(key, a, b) for key, a, b in pairs if a != b]
