"""The tables `parts` of a profile: the keys of a table, the mistakes in it, and the parts that it multiplies out to.

A part is one metric on one selection of the data, with a weight and a scale. A table of a profile is several parts:
each of its lists is multiplied out. Language pairs are multiplied out later, when the data are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from qeframe.core.components.calls import Call, format_call, parse_call
from qeframe.core.errors import did_you_mean
from qeframe.core.profiles.schema import PartRule, Profile, shown

_KEYS: Mapping[str, str] = {
    "metric": "a word in quotes, or a list of words",
    "parameters": "a table of parameters of the metric",
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
_LARGEST = 2**63 - 1


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
    for reading, name, values in product(_each(read), _listed(names), _each(parameters)):
        call = parse_call(name)
        metric = Call(call.name, {**call.parameters, **values})
        yield PartRule(
            metric=str(metric),
            read=reading,
            table=nth,
            level=table.get("level", ""),
            pairs=tuple(table.get("pairs", ())),
            pool=table.get("pool", False),
            weight=table.get("weight", 1.0),
            scale=None if scale is None else (float(scale[0]), float(scale[1])),
            test=test,
            labels={
                "metric": call.name,
                "level": table.get("level", ""),
                **{key: _text(value) for key, value in {**reading, **metric.parameters}.items()},
            },
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
        case "level" | "test":
            return isinstance(value, str)
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


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_value(value: Any) -> bool:
    """Return whether a value can be a parameter, or is a list of them that is not empty."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(map(_is_value, value))
    return isinstance(value, (str, bool)) or _is_number(value)
