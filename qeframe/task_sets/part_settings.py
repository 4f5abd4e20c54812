"""Parameters of metrics, changed for one run in the tables `parts` of a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from qeframe.core.components.loading.registry import Registry
from qeframe.core.profiles.overrides import parameters_of, with_value
from qeframe.core.profiles.schema import Profile


def with_part_parameter(profile: Profile, key: str, value: Any, registry: Registry) -> Profile:
    """Return the profile with one parameter changed in the metrics of all parts that have it, `official` ones too."""
    tables: list[Mapping[str, Any]] = []
    for table in profile.parts:
        changed = _with_value_in_table(table, table["metric"], key, value, registry)
        if "official" in table:
            replaced = table["official"]
            changed["official"] = _with_value_in_table(
                replaced, replaced.get("metric", table["metric"]), key, value, registry
            )
        tables.append(changed)
    return attrs.evolve(profile, parts=tuple(tables))


def _with_value_in_table(
    table: Mapping[str, Any], metrics: str | Sequence[str], key: str, value: Any, registry: Registry
) -> dict[str, Any]:
    """Return a table of parts, or its table `official`, with another value of one parameter in the metrics it states.

    `metrics` are those that its parameters belong to.
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    having = [name for name in names if key in parameters_of(name, registry)]
    changed = dict(table)
    if "metric" in table:
        changed["metric"] = [with_value(name, key, value, registry) if name in having else name for name in names]
    if "parameters" in table:
        changed["parameters"] = {name: v for name, v in table["parameters"].items() if name != key or not having}
    return changed
