"""The mistakes in the table of a profile, and its tables `parts`: their keys, and the parts of each."""

from __future__ import annotations

import math
import typing
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import PurePosixPath
from typing import Any, Literal

from qeframe.core.calls import Call, format_call, parse_call
from qeframe.core.errors import QeframeError, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.profile import DEFAULT, KNOWN_KEYS, OVERALL, PartRule, Profile
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.significance import SignificanceTest


def unknown_keys(table: Mapping[str, Any]) -> list[str]:
    """Find keys that a profile does not have, each with the nearest one that it has."""
    return [f"{key}: unknown key, {did_you_mean(key, KNOWN_KEYS)}" for key in table if key not in KNOWN_KEYS]


TOML_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "year": ((int,), "a whole number"),
    "confidence": ((int, float), "a number"),
    "alpha": ((int, float), "a number"),
    "strict": ((bool,), "true or false"),
    "baselines": ((list,), "a list of words"),
    "secondary": ((list,), "a list of words"),
    "computed": ((list,), "a list of words"),
    "columns": ((list,), "a list of words"),
    "task_order": ((list,), "a list of words"),
    "divide": ((list,), "a list of words"),
    "supplements": ((list,), "a list of words"),
    "parts": ((list,), "an array of tables"),
    "weights": ((dict,), "a table of numbers"),
    "valid": ((dict,), "a table"),
    "provenance": ((dict,), "a table"),
}


def wrong_types(table: Mapping[str, Any]) -> list[str]:
    """Find values of a wrong TOML type, which a converter would accept: it turns the number 1 into the text '1'."""
    return [mistake for key, value in table.items() if key in KNOWN_KEYS for mistake in _wrong_type(key, value)]


def _wrong_type(key: str, value: Any) -> list[str]:
    if isinstance(value, int) and abs(value) > _LARGEST:
        return [f"{key}: the number has too many digits"]
    kinds, word = TOML_TYPES.get(key, ((str,), "a word in quotes"))
    right = isinstance(value, kinds) and (isinstance(value, bool) == (kinds == (bool,)))
    if right and kinds == (list,):
        right = all(isinstance(item, Mapping if key == "parts" else str) for item in value)
    if right and key in _CHOICES:
        right, word = value in _CHOICES[key], " or ".join(filter(None, _CHOICES[key]))
    if not right:
        return [f"{key}: must be {word}, not {shown(value)}"]
    if key == "valid":
        return [f"valid.{name}: {why}" for name, part in value.items() if (why := _wrong_of_valid(name, part))]
    return _wrong_weights(value) if key == "weights" else []


def _wrong_of_valid(name: str, value: Any) -> str:
    if name not in _OF_VALID:
        return f"unknown key, {did_you_mean(name, _OF_VALID)}"
    kind, word = _OF_VALID[name]
    return "" if isinstance(value, kind) else f"must be {word}, not {shown(value)}"


_OF_VALID: Mapping[str, tuple[type, str]] = {
    "test": (str, "a word in quotes"),
    "correction": (str, "a word in quotes"),
    "shown": (bool, "true or false"),
}
"""The keys of the rule that is valid, with what their values are."""


def _wrong_weights(weights: Mapping[str, Any]) -> list[str]:
    return [
        f"weights.{task}: must be a finite number that is not negative, not {shown(weight)}"
        for task, weight in weights.items()
        if not _is_weight(weight)
    ]


_CHOICES: Mapping[str, tuple[str, ...]] = {
    key: typing.get_args(hint)
    for key, hint in typing.get_type_hints(Profile).items()
    if typing.get_origin(hint) is Literal
}
"""The keys whose value is one of a few words, with these words."""


_LARGEST = 2**63 - 1
"""The largest whole number that TOML guarantees; Python refuses to print very large ones."""


def _is_weight(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 <= value <= _LARGEST


def shown(value: Any) -> str:
    """Return a value as it is printed in a message, cut if long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"this {type(value).__name__}"
    return text if len(text) <= 80 else text[:80] + "..."


_KEYS: Mapping[str, str] = {
    "metric": "a word in quotes, or a list of words",
    "parameters": "a table of parameters of the metric",
    "reader": "a word in quotes",
    "folder": "the path of a folder in PATH, such as word",
    "read": "a table of parameters of the reader",
    "level": "a word in quotes",
    "pairs": "a list of different words",
    "pool": "true or false",
    "weight": 'a finite number that is not negative, or "pairs"',
    "scale": "a list of two different numbers, the worst and the best score",
    "test": "a word in quotes",
    "official": "a table of the keys metric, parameters, read and test",
}
_OFFICIAL = ("metric", "parameters", "read", "test")


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


def wrong_parts(table: Mapping[str, Any]) -> list[str]:
    """Find the mistakes in the tables `parts` of a profile's table: unknown keys, and values of a wrong type."""
    parts = table.get("parts", ())
    if not isinstance(parts, (list, tuple)) or not all(isinstance(part, Mapping) for part in parts):
        return []  # a wrong type of the key itself
    return [f"parts: table {nth}: {wrong}" for nth, part in enumerate(parts, 1) for wrong in _wrong_part(part)]


def _wrong_part(part: Mapping[str, Any]) -> list[str]:
    wrong = [f"unknown key '{key}', {did_you_mean(key, _KEYS)}" for key in part if key not in _KEYS]
    if "metric" not in part:
        wrong.append("metric is missing")
    wrong += [f"{key} must be {_KEYS[key]}, not {shown(part[key])}" for key in part if not _fits(key, part[key])]
    return wrong


def _fits(key: str, value: Any) -> bool:
    match key:
        case "metric":
            words = _listed(value)
            return len(words) > 0 and all(isinstance(word, str) for word in words)
        case "parameters" | "read":
            return isinstance(value, Mapping) and all(map(_is_value, value.values()))
        case "level" | "test" | "reader":
            return isinstance(value, str)
        case "folder":
            return isinstance(value, str) and _is_inside(value)
        case "pairs":
            listed = (
                isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(pair, str) for pair in value)
            )
            return listed and len(set(value)) == len(value)
        case "pool":
            return isinstance(value, bool)
        case "weight":
            return value == "pairs" or (_is_number(value) and value >= 0)
        case "scale":
            both = isinstance(value, (list, tuple)) and len(value) == 2 and all(map(_is_number, value))
            return both and value[0] != value[1]
        case "official":
            return isinstance(value, Mapping) and all(k in _OFFICIAL and _fits(k, v) for k, v in value.items())
    return True


def _is_inside(folder: str) -> bool:
    """Return whether a path is that of a folder in another one, written in the one way in which it can be."""
    path = PurePosixPath(folder)
    return str(path) == folder != "." and not path.is_absolute() and ".." not in path.parts


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_value(value: Any) -> bool:
    """Return whether a value can be a parameter, or is a list of them that is not empty."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(map(_is_value, value))
    return isinstance(value, (str, bool)) or _is_number(value)


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
