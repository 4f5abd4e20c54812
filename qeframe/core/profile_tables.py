"""What the tables of a profile hold: keys and values, their mistakes, and the parts that its tables `parts` state."""

from __future__ import annotations

import math
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import PurePosixPath
from typing import Any, Literal

from attrs import frozen

from qeframe.core.calls import Call, format_call, parse_call
from qeframe.core.errors import QeframeError, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.profile import (
    CERTAINTIES,
    DEFAULT,
    KNOWN_KEYS,
    OVERALL,
    RESOLVED,
    RULE_KEYS,
    SUPPLEMENTS,
    PartRule,
    Profile,
)
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.significance import SignificanceTest


@frozen
class Value:
    """What the value of a key in a table of TOML must be: in words, and a test of it."""

    words: str
    fits: Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_list(value: Any, fits: Callable[[Any], bool] = _is_text) -> bool:
    return isinstance(value, (list, tuple)) and all(map(fits, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    return _is_number(value) and abs(value) <= _LARGEST


def _is_inside(folder: Any) -> bool:
    """Return whether a path is that of a folder in another one, written in the one way in which it can be."""
    path = PurePosixPath(folder) if isinstance(folder, str) else None
    return path is not None and str(path) == folder != "." and not path.is_absolute() and ".." not in path.parts


def _is_value(value: Any) -> bool:
    """Return whether a value can be a parameter, or is a list of them that is not empty."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and _is_list(value, _is_value)
    return isinstance(value, (str, bool)) or _is_finite(value)


def _are_parameters(table: Any) -> bool:
    return isinstance(table, Mapping) and all(map(_is_value, table.values()))


_LARGEST = 2**63 - 1
"""The largest whole number that TOML guarantees; Python refuses to print very large ones."""

_WORD = Value("a word in quotes", _is_text)
_WORDS = Value("a list of words", _is_list)
_NUMBER = Value("a number", _is_number)
_TRUTH = Value("true or false", lambda value: isinstance(value, bool))
_TABLE = Value("a table", _is_table)
_WEIGHT = Value("a finite number that is not negative", lambda value: _is_finite(value) and value >= 0)

NO_WORDS: Mapping[str, Value] = {
    "year": Value("a whole number", lambda value: _is_number(value) and isinstance(value, int)),
    "confidence": _NUMBER,
    "alpha": _NUMBER,
    "strict": _TRUTH,
    **dict.fromkeys(("baselines", "secondary", "computed", "columns", "task_order", "divide", SUPPLEMENTS), _WORDS),
    "parts": Value("an array of tables", lambda value: _is_list(value, _is_table)),
    "weights": Value("a table of numbers", _is_table),
    "valid": _TABLE,
    "provenance": _TABLE,
}
"""The keys of a profile whose values are no words, with what they are."""

LISTS = frozenset(key for key, value in NO_WORDS.items() if value is _WORDS)
"""The keys of a profile whose values are lists of words."""


def _one_of(words: Sequence[str]) -> Value:
    return Value(" or ".join(filter(None, words)), lambda value: isinstance(value, str) and value in words)


_PROFILE: Mapping[str, Value] = {
    **dict.fromkeys(KNOWN_KEYS, _WORD),
    **{
        key: _one_of(typing.get_args(hint))
        for key, hint in typing.get_type_hints(Profile).items()
        if typing.get_origin(hint) is Literal
    },
    **NO_WORDS,
}
_VALID: Mapping[str, Value] = {"test": _WORD, "correction": _WORD, "shown": _TRUTH}
_FACT: Mapping[str, Value] = {"certainty": _one_of(CERTAINTIES), "source": _WORD, "note": _WORD}
_HISTORY: Mapping[str, Value] = {
    "name": _WORD,
    "changed": Value("a table of words", lambda value: _is_table(value) and _is_list([*value.values()])),
    **dict.fromkeys(("adjusted", "own", "stated"), _WORDS),
}
_OFFICIAL: Mapping[str, Value] = {
    "metric": Value(
        "a word in quotes, or a list of words", lambda value: len(words := _listed(value)) > 0 and _is_list(words)
    ),
    "parameters": Value("a table of parameters of the metric", _are_parameters),
    "read": Value("a table of parameters of the reader", _are_parameters),
    "test": _WORD,
}
_PART: Mapping[str, Value] = {
    **_OFFICIAL,
    "reader": _WORD,
    "folder": Value("the path of a folder in PATH, such as word", _is_inside),
    "level": _WORD,
    "pairs": Value("a list of different words", lambda value: _is_list(value) and len(set(value)) == len(value) > 0),
    "pool": _TRUTH,
    "weight": Value(
        'a finite number that is not negative, or "pairs"', lambda value: value == "pairs" or _WEIGHT.fits(value)
    ),
    "scale": Value(
        "a list of two different numbers, the worst and the best score",
        lambda value: _is_list(value, _is_finite) and len(value) == 2 and value[0] != value[1],
    ),
    "official": Value(
        "a table of the keys metric, parameters, read and test",
        lambda value: _is_table(value) and not wrong_values(value, _OFFICIAL),
    ),
}


def wrong_values(table: Mapping[str, Any], values: Mapping[str, Value], where: str = "") -> list[str]:
    """Find keys that a table does not have, each with the nearest one that it has, and values that do not fit.

    `where`: precedes the keys in messages.
    """
    wrong = []
    for key, value in table.items():
        if key not in values:
            wrong.append(f"{where}{key}: unknown key, {did_you_mean(key, values)}")
        elif not values[key].fits(value):
            wrong.append(f"{where}{key}: must be {values[key].words}, not {shown(value)}")
    return wrong


def wrong_keys(table: Mapping[str, Any]) -> list[str]:
    """Find the mistakes in the table of a profile: unknown keys, and values that are not what their keys ask for."""
    large = [key for key in table if key in _PROFILE and isinstance(table[key], int) and abs(table[key]) > _LARGEST]
    wrong = [f"{key}: the number has too many digits" for key in large]
    wrong += wrong_values({key: value for key, value in table.items() if key not in large}, _PROFILE)
    inside = {key: value for key, value in table.items() if key in NO_WORDS and NO_WORDS[key].fits(value)}
    wrong += wrong_values(weights := inside.get("weights", {}), dict.fromkeys(weights, _WEIGHT), "weights.")
    wrong += wrong_values(inside.get("valid", {}), _VALID, "valid.")
    for nth, part in enumerate(inside.get("parts", ()), 1):
        wrong += [f"parts: table {nth}: metric: is missing"] if "metric" not in part else []
        wrong += wrong_values(part, _PART, f"parts: table {nth}: ")
    return wrong + _wrong_provenance(inside.get("provenance", {}))


def _wrong_provenance(facts: Mapping[str, Any]) -> list[str]:
    """Find the mistakes in a table `provenance`: keys, types, certainties, keys named twice."""
    wrong, known, named = list[str](), [*RULE_KEYS, SUPPLEMENTS], Counter[str]()
    for key, fact in facts.items():
        where = f"provenance.{key}"
        if key not in CERTAINTIES:
            named[key] += 1
            wrong += [] if key in known else [f"{where}: unknown key, {did_you_mean(key, [*known, *CERTAINTIES])}"]
            wrong += wrong_values({key: fact}, {key: _TABLE}, "provenance.")
            wrong += wrong_values(fact, _FACT, f"{where}.") if _is_table(fact) else []
        elif not _is_list(fact):
            wrong.append(f"{where}: must be a list of keys, not {shown(fact)}")
        else:
            named.update(fact)
            wrong += [
                f"{where}: unknown key '{each}', {did_you_mean(each, known)}" for each in fact if each not in known
            ]
    return wrong + [f"provenance.{key}: is named twice; name it once" for key, count in named.items() if count > 1]


def wrong_history(table: Any) -> list[str]:
    """Find mistakes in the table of a written profile that says what it was before."""
    if not _is_table(table):
        return [f"{RESOLVED}: must be a table, as 'qeframe run --out' writes it"]
    return wrong_values(table, _HISTORY, f"{RESOLVED}.")


def shown(value: Any) -> str:
    """Return a value as it is printed in a message, cut if long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"this {type(value).__name__}"
    return text if len(text) <= 80 else text[:80] + "..."


def reader_with(profile: Profile, rule: PartRule) -> Call:
    """Return the reader of a part: its own or that of the profile, with the parameters that the part replaces."""
    call = parse_call(rule.reader or profile.reader)
    return Call(call.name, {**call.parameters, **rule.read})


def part_rules(profile: Profile) -> list[PartRule]:
    """Return the parts of a profile in the order of its tables, with all lists multiplied out."""
    official = profile.exchanges == "official"
    return [rule for nth, table in enumerate(profile.parts, 1) for rule in _multiplied(table, nth, official=official)]


def _multiplied(table: Mapping[str, Any], nth: int, *, official: bool) -> Iterator[PartRule]:
    replaced = table.get("official", {}) if official else {}
    parameters = {**table.get("parameters", {}), **replaced.get("parameters", {})}
    read = {**table.get("read", {}), **replaced.get("read", {})}
    names = replaced.get("metric", table["metric"])
    test = replaced.get("test", table.get("test"))
    scale = table.get("scale")
    source = {key: table[key] for key in ("reader", "folder") if key in table}
    level = table.get("level", source.get("folder", ""))
    for reading, name, values in product(_each(read), _listed(names), _each(parameters)):
        call = parse_call(name)
        metric = Call(call.name, {**call.parameters, **values})
        yield PartRule(
            metric=str(metric),
            read=reading,
            table=nth,
            level=level,
            pairs=tuple(table.get("pairs", ())),
            pool=table.get("pool", False),
            weight=table.get("weight", 1.0),
            scale=None if scale is None else (float(scale[0]), float(scale[1])),
            test=test,
            labels={
                "metric": call.name,
                "level": level,
                **source,
                **{key: _text(value) for key, value in {**reading, **metric.parameters}.items()},
            },
            **source,
        )


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else [value]


def _each(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every combination of the values of a table; a list has one value in each, a list in it is one value."""
    for values in product(*map(_listed, table.values())):
        yield {
            key: tuple(value) if isinstance(value, list) else value for key, value in zip(table, values, strict=True)
        }


def _text(value: Any) -> str:
    return format_call("", {"": value})[2:-1]


_PAIR = "pair"
_DEFAULTS = Profile(reader="", primary=OVERALL)


REPLACED = ("primary", "secondary", "within", "across", "weights", "columns")
"""The keys that have no effect on a profile with parts: one that states them is refused, what it extends may."""


def incompatible_parts(profile: Profile, registry: Registry, *, reads: bool) -> list[str]:
    """Find what is wrong with the parts of a profile whose keys have the right types."""
    idle = REPLACED if profile.parts else ("overall", "divide", "exchanges")
    why = "has no effect on parts; leave it out" if profile.parts else "there are no parts"
    stated = [f"{key}: {why}" for key in idle if getattr(profile, key) != getattr(_DEFAULTS, key)]
    if not profile.parts:
        return stated
    rules, wrong = part_rules(profile), list[str]()
    for rule in rules:
        unregistered = list(_unregistered(profile, rule, registry, reads=reads))
        mistakes = unregistered or list(_unusable(rule, registry.get(Metric, rule.metric)))
        mistakes = mistakes or (list(_of_other_kind(profile, rule, registry)) if reads else [])
        wrong += [f"parts: table {rule.table}: {mistake}" for mistake in mistakes]
    return [*stated, *(dict.fromkeys(wrong) or _wrong_set(profile, rules))]


def _unregistered(profile: Profile, rule: PartRule, registry: Registry, *, reads: bool) -> Iterator[str]:
    named: list[tuple[type, object]] = [(Metric, rule.metric)]
    named += [(SignificanceTest, rule.test)] if rule.test and rule.test != DEFAULT else []
    named += [(Reader, reader_with(profile, rule))] if reads else []
    for kind, name in named:
        try:
            registry.get(kind, name)  # type: ignore[arg-type]  # each is a component, by name or by call
        except QeframeError as error:
            yield str(error)


def _of_other_kind(profile: Profile, rule: PartRule, registry: Registry) -> Iterator[str]:
    """Yield that the reader of a part reads no batches of its metric, with the readers that do."""
    kind, reader = registry.get(Metric, rule.metric).kind, registry.get(Reader, reader_with(profile, rule))
    if not (issubclass(reader.kind, kind) or issubclass(kind, reader.kind)):
        names = [
            component.name.partition("(")[0] for component in registry.all(Reader) if issubclass(component.kind, kind)
        ]
        yield (
            f"'{rule.metric}' works on {kind.__name__}, but reader '{reader.name}' reads {reader.kind.__name__}; "
            f"give the table a reader of {kind.__name__}: {', '.join(names)}"
        )


def _unusable(rule: PartRule, metric: Metric) -> Iterator[str]:
    """Yield why the scores of a metric cannot be pooled, or have no place on the scale of the part.

    A scale whose best score is the worse one of the metric would turn the overall score around.
    """
    if rule.pool and metric.outcomes is None and metric.per_unit is None:
        yield (
            f"'{metric.name}' cannot be pooled over language pairs: it is neither a mean over pairs nor a mean of one "
            "value per unit; leave out pool"
        )
    if rule.scale is None:
        if not all(map(math.isfinite, metric.bounds)):
            yield f"'{metric.name}' has no bounds, so that its scores have no scale; give scale = [WORST, BEST]"
    elif (rule.scale[1] > rule.scale[0]) != metric.higher_is_better:
        worst, best = rule.scale
        better = "higher" if metric.higher_is_better else "lower"
        yield (
            f"scale = [WORST, BEST] of '{metric.name}' is [{worst:g}, {best:g}], but {better} is better; "
            f"write [{best:g}, {worst:g}]"
        )


def _wrong_set(profile: Profile, rules: list[PartRule]) -> Iterator[str]:
    """Yield what is wrong with the parts together: their weights, and the tests that clusters need."""
    labels = list(dict.fromkeys([_PAIR, *(label for rule in rules for label in rule.labels)]))
    for level in profile.divide:
        if level not in labels:
            yield f"divide: no part has '{level}', {did_you_mean(level, labels)}"
    if profile.divide and any("weight" in table for table in profile.parts):
        yield "parts: weights are divided by 'divide'; leave out weight"
    if not profile.divide and not any(rule.weight for rule in rules):
        yield "parts: the weights sum to 0; give a part a positive weight"
    if profile.overall == "cluster_ranks" and not (profile.test and all(rule.test != "" for rule in rules)):
        yield "overall: cluster ranks need a test of every part; set a test, or overall=mean"
