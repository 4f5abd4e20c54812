"""The lock: the numbers of every component on fixed inputs, and the changes since they were recorded."""

import json
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

import attrs
from attrs import field, frozen

from qeframe.core.calls import Parametric
from qeframe.core.component import Component
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.metric import Metric
from qeframe.core.metric_calls import details, score_of
from qeframe.core.registry import Registry
from qeframe.testing.fixed_values import digest, fixed_values, same_value, word_of
from qeframe.testing.gates import gaming_gate
from qeframe.testing.laws.probes import fixed_submissions

_FORMAT = 1
_BORROWED = ("sacrebleu",)
"""Libraries whose version is part of a number. A metric that uses one has a detail of the library's name."""


@frozen(kw_only=True)
class Locked:
    """The numbers of one component.

    `version`: the distribution that brings it, with its version.
    `digest`: of all values.
    `values`: for each input the value, see `qeframe.testing.fixed_values.Fixed`.
    `borrows`: Libraries that compute part of it, with their versions.
    `gaming`: of a metric: the largest index of blind and of cosmetic attacks on a few golds, and the attack that
      reaches it; empty if none was recorded.
    """

    version: str
    digest: str
    values: Mapping[str, str]
    borrows: Mapping[str, str] = field(factory=dict)
    gaming: Mapping[str, Any] = field(factory=dict)


@frozen(kw_only=True)
class Change:
    """How a component has changed since it was recorded.

    `component`: Such as ``metric mae``.
    `what`: in one line: for a changed one the smallest input that shows it, with the value then and now.
    `input`: That input in plain values.
    """

    component: str
    kind: Literal["changed", "gone", "new", "not compared"]
    what: str
    input: Mapping[str, Any] = field(factory=dict)

    @property
    def broken(self) -> bool:
        """Whether a recorded number has changed, or cannot be computed any more."""
        return self.kind in ("changed", "gone")


@frozen
class _Present:
    """A registered component, and the distribution that brings it."""

    kind: type[Component]
    component: Component
    version: str

    @property
    def borrows(self) -> dict[str, str] | None:
        """The libraries that compute part of it; None if it needs one that is not installed."""
        inputs = fixed_submissions(self.component.kind) if isinstance(self.component, Metric) else {}
        if not isinstance(self.component, Metric) or not inputs:
            return {}
        batch = inputs[next(iter(inputs))][0]
        try:
            score_of(self.component, batch)
            named = details(self.component, batch)
            return {library: version(library) for library in _BORROWED if library in named}
        except PackageNotFoundError:
            return None
        except QeframeError as error:
            missing = isinstance(error.__cause__ or error.__context__, (ImportError, RuntimeError))
            return None if missing else {}


def _present(registry: Registry, plugins: Sequence[str]) -> Iterator[tuple[str, _Present]]:
    for kind, table in registry.tables.items():
        for name, entry in table.items():
            if word_of(kind) and (not plugins or entry.origin.plugin in plugins):
                origin = f"{entry.origin.distribution} {entry.origin.version}".strip()
                component = entry.component
                if isinstance(component, Parametric):
                    for variant in _variants(component):
                        variant = attrs.evolve(variant, origin=entry.origin)
                        yield f"{word_of(kind)} {variant.name}", _Present(kind, variant, origin)
                yield f"{word_of(kind)} {name}", _Present(kind, registry.get(kind, name), origin)


def _variants(parametric: Parametric[Any]) -> Iterator[Component]:
    """Yield a component with each other value of a parameter that is a choice, and another of each number.

    Each choice is taken again with all the other numbers, since a number may count with that choice alone. Values that
    it refuses are left out.
    """
    hints = typing.get_type_hints(parametric.build)
    choices: list[dict[str, Any]] = []
    numbers: dict[str, Any] = {}
    for key, parameter in parametric.parameters.items():
        for value in _other_values(parameter.default, hints[key]):
            if (variant := _built(parametric, {key: value})) is None:
                continue
            yield variant
            if _is_number(value):
                numbers[key] = value
                break
            choices.append({key: value})
    together = (_built(parametric, choice | numbers) for choice in choices) if numbers else ()
    yield from (variant for variant in together if variant is not None)


def _built(parametric: Parametric[Any], given: Mapping[str, Any]) -> Component | None:
    """Return a component with given values; None if it refuses them."""
    try:
        built: Component = parametric(**given)
    except DataError:
        return None
    return built


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _other_values(default: Any, hint: Any) -> Iterator[Any]:
    """Yield the words that a hint allows but for the default, then numbers beside the default."""
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    words = [word for option in options if typing.get_origin(option) is Literal for word in typing.get_args(option)]
    yield from (word for word in (*words, *((False, True) if bool in options else ())) if word != default)
    number = default if _is_number(default) else 0
    if float in options:
        yield from (number + 0.3, number * 0.7)
    elif int in options:
        yield from (number + 1, number - 1, 40)


def lock(registry: Registry, *, plugins: Sequence[str] = (), gaming: bool = False) -> dict[str, Locked]:
    """Compute the numbers of every registered component on the fixed inputs.

    A component with parameters is taken with its defaults, with each other value of a parameter that is a choice, alone
    and with another value of each number, and with another value of each number alone.

    `plugins`: the names of the plugins whose components are taken; all by default. `gaming`: whether to record the
    gaming indices of metrics with their defaults too. Result: without readers, which have no numbers, and components
    that need a library that is not installed.
    """
    present_components = ((name, present, present.borrows) for name, present in _present(registry, plugins))
    locked = {name: (present, borrows) for name, present, borrows in present_components if borrows is not None}
    gamed = _gaming({name: present for name, (present, _) in locked.items()}, registry) if gaming else {}
    return {name: _locked(*entry, gamed.get(name, {})) for name, entry in locked.items()}


def _locked(present: _Present, borrows: Mapping[str, str], gamed: Mapping[str, Any]) -> Locked:
    values = {fixed.name: fixed.value for fixed in fixed_values(present.kind, present.component)}
    return Locked(
        version=present.version, digest=digest(json.dumps(values)), values=values, borrows=borrows, gaming=gamed
    )


def _gaming(present: Mapping[str, _Present], registry: Registry) -> dict[str, Mapping[str, Any]]:
    """Return the records of the metrics with their defaults."""
    plain = {name: each.component for name, each in present.items() if "(" not in name}
    metrics = {name: component for name, component in plain.items() if isinstance(component, Metric)}
    records = gaming_gate().gaming_records(list(metrics.values()), registry)
    return {name: records[metric.name] for name, metric in metrics.items()}


def write_lock(locked: Mapping[str, Locked], path: Path) -> None:
    """Write a lock file: JSON, one component a line, so that a changed number is a changed line.

    Raises DataError if the file cannot be written.
    """
    lines = [f"{json.dumps(name)}: {json.dumps(_record(locked[name]))}" for name in sorted(locked)]
    text = f'{{"format": {_FORMAT}, "components": {{\n' + ",\n".join(lines) + "\n}}\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", path=path, remedy="name another file") from error


def _record(locked: Locked) -> dict[str, Any]:
    record = {"version": locked.version, "digest": locked.digest, "values": dict(locked.values)}
    more = {"borrows": dict(locked.borrows), "gaming": dict(locked.gaming)}
    return record | {name: value for name, value in more.items() if value}


def read_lock(path: Path) -> dict[str, Locked]:
    """Read a lock file.

    Raises DataError if it cannot be read, or is not a lock file.
    """
    remedy = "'qeframe lock FILE' writes one"
    try:
        recorded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, remedy=remedy) from error
    except ValueError as error:
        raise DataError("is no lock file: it is not JSON", path=path, remedy=remedy) from error
    if not isinstance(recorded, dict) or recorded.get("format") != _FORMAT:
        raise DataError(f"is no lock file of format {_FORMAT}", path=path, remedy=remedy)
    try:
        return {name: Locked(**record) for name, record in recorded["components"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError("is no lock file: its components are not as written", path=path, remedy=remedy) from error


def changes(
    recorded: Mapping[str, Locked], registry: Registry, *, plugins: Sequence[str] = (), gaming: bool = False
) -> list[Change]:
    """Return what has changed since a lock was recorded, in the order of names.

    A number has changed if its relative difference is more than 1e-8. A component that another library computes in part
    is not compared if the library has another version now, or is not installed. With `gaming` the gaming indices are
    measured again: a metric has changed if it is easier to game, or can be attacked and no index was recorded.
    """
    present = dict(_present(registry, plugins))
    compared = {name: each for name, each in present.items() if name in recorded and each.borrows is not None}
    gamed = _gaming(compared, registry) if gaming else {}
    names = sorted({*recorded, *present})
    changed = [_change(name, recorded.get(name), present.get(name), gamed.get(name, {})) for name in names]
    return [change for change in changed if change is not None]


def _change(name: str, old: Locked | None, present: _Present | None, gamed: Mapping[str, Any]) -> Change | None:
    if present is None:
        return Change(component=name, kind="gone", what="recorded, and registered no longer")
    borrows = present.borrows
    if borrows is None and old is None:
        return None
    if borrows is None:
        return Change(component=name, kind="not compared", what="needs a library that is not installed")
    if old is None:
        return Change(component=name, kind="new", what=f"of {present.version}, not recorded")
    if borrows != dict(old.borrows):
        what = f"recorded with {_versions(old.borrows)}, here is {_versions(borrows)}"
        return Change(component=name, kind="not compared", what=what)
    easier = gaming_gate().easier_to_game(old.gaming, gamed) if gamed else ""
    if easier:
        return Change(component=name, kind="changed", what=f"{easier} (recorded of {old.version})")
    return _smallest_change(name, old, present)


def _versions(libraries: Mapping[str, str]) -> str:
    return ", ".join(f"{library} {number}" for library, number in libraries.items()) or "no other library"


def _smallest_change(name: str, old: Locked, present: _Present) -> Change | None:
    gone = dict(old.values)
    for fixed in fixed_values(present.kind, present.component):
        before, after = gone.pop(fixed.name, "nothing"), fixed.value
        if not same_value(before, after):
            return _changed(name, old, present, f"{fixed.name} {before} became {after}", fixed.plain)
    if gone:
        input_name, before = next(iter(gone.items()))
        return _changed(name, old, present, f"{input_name} {before} became nothing", {})
    return None


def _changed(name: str, old: Locked, present: _Present, how: str, given: Mapping[str, Any]) -> Change:
    since = old.version if old.version == present.version else f"{old.version}, now {present.version}"
    return Change(component=name, kind="changed", what=f"on {how} (recorded of {since})", input=given)
