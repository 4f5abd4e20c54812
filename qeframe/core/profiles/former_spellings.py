"""Former spellings in the rules of a profile, replaced by the present ones with a warning for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.reader import Reader
from qeframe.core.errors import QeframeError, warn_former
from qeframe.core.profiles.check import COMPONENT_KEYS
from qeframe.core.profiles.schema import Profile


def present_spellings(profile: Profile, registry: Registry) -> Profile:
    """Return the profile with former spellings of names, values and units replaced, with a warning for each.

    The settings of a changed profile are replaced too.
    """
    rules = present_rules(profile.rules, registry)
    if not rules:
        return profile
    values = {key: value if isinstance(value, str) else ", ".join(value) for key, value in rules.items()}
    changed = {key: values.get(key, text) for key, text in profile.changed.items()}
    return attrs.evolve(profile, changed=changed, **rules)


def present_rules(table: Mapping[str, Any], registry: Registry) -> dict[str, Any]:
    """Return the rules of a table that have a former spelling in them, in the present one."""
    present: dict[str, Any] = {}
    for key, kind in {**COMPONENT_KEYS, "secondary": Metric, "computed": Metric}.items():
        value = table.get(key, "")
        if isinstance(value, str):
            present[key] = registry.present_spelling(kind, value)
        elif isinstance(value, (list, tuple)):
            names = (registry.present_spelling(kind, name) if isinstance(name, str) else name for name in value)
            present[key] = type(value)(names)
    present["resample"] = _present_unit(table, registry)
    return {key: value for key, value in present.items() if key in table and value != table[key]}


def _present_unit(table: Mapping[str, Any], registry: Registry) -> Any:
    """Return what is resampled: a unit, a grouping, or units within groups, "segment/judgment".

    The kinds of batch of the reader and of the metric declare former names of the unit.
    """
    resample = table.get("resample")
    grouping, slash, unit = resample.rpartition("/") if isinstance(resample, str) else ("", "", "")
    for key, kind in (("reader", Reader), ("primary", Metric)):
        try:
            batch = registry.get(kind, table.get(key, "")).kind
        except QeframeError:
            continue
        if unit in batch.former_units:
            warn_former("unit", unit, batch.unit)
            return grouping + slash + batch.unit
    return resample
