"""Pages of everything in the registry: hooks, components of every kind, profiles."""

from __future__ import annotations

import inspect
import math
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from docstrings import as_markdown, described_parameters, prose, sections, table

from qeframe.components import hookspecs
from qeframe.components.aggregation import Aggregation
from qeframe.components.attack import Attack
from qeframe.components.calls import format_call, parse_call
from qeframe.components.component import Component
from qeframe.components.hookspecs import COMPONENT_HOOKS
from qeframe.components.metric import Metric, TiePolicy
from qeframe.components.parametric import Parametric
from qeframe.components.reader import Reader
from qeframe.components.registry import Registry
from qeframe.components.significance import SignificanceTest
from qeframe.profiles.check import COMPONENT_KEYS
from qeframe.profiles.load import find_profile
from qeframe.profiles.schema import RULE_KEYS, Profile

__all__ = ["registry_pages"]

TITLES: Mapping[type[Component], str] = {
    kind: hook.removeprefix("qeframe_").replace("_", " ").capitalize() for hook, kind in COMPONENT_HOOKS.items()
}


def registry_pages(registry: Registry) -> dict[str, str]:
    """Return the Markdown of every page by its path below the folder of generated pages."""
    profiles = [find_profile(name, registry) for name in registry.profiles]
    levels = {_level(profile): [p for p in profiles if _level(p) == _level(profile)] for profile in profiles}
    pages = {"hooks.md": _hooks(), "profiles/index.md": _list_of_profiles(levels)}
    pages |= {f"{_stem(kind)}.md": _components(kind, registry) for kind in TITLES}
    pages |= {f"profiles/{level}.md": _profiles(level, members, registry) for level, members in levels.items()}
    return pages


def _level(profile: Profile) -> str:
    """Return the name of the page that describes a profile: quality estimation and metrics apart."""
    return "_".join([*(["metrics"] if "_metrics_" in profile.name else []), profile.level or "other"])


def _stem(kind: type[Component]) -> str:
    return TITLES[kind].lower().replace(" ", "_")


def _label(kind: type[Component], name: str) -> str:
    """Return the label of a component's section: the kind distinguishes equal names."""
    return f"{_stem(kind)}-{name}".replace("_", "-")


def _page(*blocks: str) -> str:
    return "\n\n".join(filter(None, blocks)) + "\n"


def _hooks() -> str:
    blocks = []
    for name in [*COMPONENT_HOOKS, "qeframe_profiles"]:
        hook = getattr(hookspecs, name)
        kind = COMPONENT_HOOKS.get(name)
        where = (
            f"All of them: [{TITLES[kind].lower()}]({_stem(kind)}.md)."
            if kind
            else "All of them: [profiles](profiles/index.md)."
        )
        made = inspect.signature(hook).return_annotation
        blocks += [f"## `{name}()`", *prose(hook.__doc__), f"Returns `{made}`.", where]
    return _page("# Hooks", *prose(hookspecs.__doc__), *blocks)


def _components(kind: type[Component], registry: Registry) -> str:
    names = registry.names(kind)
    rows = [[f"[`{name}`](#{_label(kind, name)})", as_markdown(_value(registry, kind, name).summary)] for name in names]
    blocks = [block for name in names for block in _component(kind, name, registry)]
    return _page(f"# {TITLES[kind]}", *prose(kind.__doc__), table(["name", "what"], rows), *blocks)


def _value(registry: Registry, kind: type[Component], name: str) -> Any:
    component = registry.entry(kind, name).component
    return component() if isinstance(component, Parametric) else component


def _component(kind: type[Component], name: str, registry: Registry) -> Iterator[str]:
    entry = registry.entry(kind, name)
    component, value = entry.component, _value(registry, kind, name)
    yield f"({_label(kind, name)})=\n## `{name}`"
    if isinstance(component, Parametric):
        defaults = {key: parameter.default for key, parameter in component.parameters.items()}
        yield f"```text\n{format_call(name, defaults)}\n```"
        yield from prose(component.build.__doc__)
        yield _parameters(component)
    else:
        yield as_markdown(value.summary[:1].upper() + value.summary[1:].rstrip(".")) + "."
    facts = {**_facts(value, registry), "source": as_markdown(value.source), "from": as_markdown(str(entry.origin))}
    yield table(["", ""], [[key, text] for key, text in facts.items() if text])


def _parameters(parametric: Parametric[Any]) -> str:
    described = described_parameters(sections(parametric.build.__doc__).get("Parameters", ""))
    hints = typing.get_type_hints(parametric.build)
    rows = []
    for key, parameter in parametric.parameters.items():
        kind, meaning = described.get(key, ("", ""))
        default = format_call("", {key: parameter.default})[1:-1].partition("=")[2]
        rows.append([f"`{key}`", as_markdown(kind) or _hint(hints[key]), f"`{default}`", as_markdown(meaning)])
    return table(["parameter", "type", "default", "meaning"], rows)


def _hint(hint: Any) -> str:
    if typing.get_origin(hint) is Literal:
        return " or ".join(f"`{option}`" for option in typing.get_args(hint))
    return f"`{getattr(hint, '__name__', hint)}`"


def _facts(value: Component, registry: Registry) -> dict[str, str]:
    """Return what a component declares of itself."""
    match value:
        case Metric():
            return _metric(value, registry)
        case TiePolicy():
            signs = ("<", "=", ">")
            rows = zip(signs, value.table, strict=True)
            claims = {"claims": ", ".join(f"`{claim}`" for claim in sorted(value.claims)) or "none"}
            return {**{f"human {human}": _coefficients(signs, row) for human, row in rows}, **claims}
        case Aggregation():
            parts = f"groups of units by `{value.by}`" if value.by else "all units" if value.pools else "tasks"
            weights = "the profile's weights" if value.weighting == "declared" else "equal weights"
            return {
                "combines": parts,
                "weights": "" if value.pools or value.by else weights,
                "linear": _yes(value.linear),
            }
        case SignificanceTest():
            sides = " or ".join(sorted(value.sides))
            return {"needs": _NEEDS[value.needs], "sided": sides, "intervals": _yes(value.interval is not None)}
        case Attack():
            return {"on": f"`{value.kind.__name__}`", "manner": value.manner, "knows": as_markdown(value.knowledge)}
        case Reader():
            return {"yields": f"`{value.kind.__name__}`"}
    return {}


def _coefficients(signs: tuple[str, ...], row: tuple[float | None, ...]) -> str:
    coefficients = ("left out" if c is None else f"{c:g}" for c in row)
    return ", ".join(f"metric {sign}: {coefficient}" for sign, coefficient in zip(signs, coefficients, strict=True))


_NEEDS = {
    "bind": "any metric",
    "exchange": "any metric",
    "outcomes": "a metric that is a mean over units, judgments or pairs of systems",
    "vectors": "a metric that is a correlation of two vectors",
    "per_unit": "a metric that is a mean of one value a unit",
}


def _metric(metric: Metric, registry: Registry) -> dict[str, str]:
    able = {"bind", "exchange"} | {c for c in ("vectors", "per_unit") if getattr(metric, c) is not None}
    able |= {"outcomes"} if metric.per_unit is not None else set()
    tests = [n for n in registry.names(SignificanceTest) if _value(registry, SignificanceTest, n).needs in able]
    low, high = (f"{end:g}".replace("inf", "∞") for end in metric.bounds)
    return {
        "on": f"`{metric.kind.__name__}`",
        "bounds": f"{low} to {high}",
        "better": "higher" if metric.higher_is_better else "lower",
        "where undefined": "n/a (NaN)" if math.isnan(metric.degenerate) else f"{metric.degenerate:g}",
        "claims": ", ".join(f"`{claim}`" for claim in sorted(metric.claims)) or "none",
        "tests": ", ".join(f"[`{n}`](#{_label(SignificanceTest, n)})" for n in tests),
    }


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _list_of_profiles(levels: Mapping[str, list[Profile]]) -> str:
    introduction = (
        "The rules of one shared task each. Every rule is marked *read* (in the named source), *inferred* (from a "
        "script or a data file), *unconfirmed* (general knowledge) or *chosen* (by qeframe, where the task is silent). "
        "[Write a profile](../../../how-to/write-a-profile.md) explains the keys."
    )
    tree = "\n".join(["```{toctree}", ":hidden:", "", *levels, "```"])
    blocks = [block for level, profiles in levels.items() for block in _brief(level, profiles)]
    return _page("# Profiles", introduction, *blocks, tree)


def _title(level: str) -> str:
    return f"Profiles: {level.replace('_', ', ')} level"


def _brief(level: str, profiles: list[Profile]) -> Iterator[str]:
    yield f"## {_title(level).removeprefix('Profiles: ').capitalize()}"
    rows = [[f"[`{p.name}`](#{_anchor(p)})", as_markdown(p.title), f"`{p.primary}`"] for p in profiles]
    yield table(["name", "task", "primary metric"], rows)


def _anchor(profile: Profile) -> str:
    return f"profile-{profile.name}".replace("_", "-")


def _profiles(level: str, profiles: list[Profile], registry: Registry) -> str:
    return _page(f"# {_title(level)}", *(block for profile in profiles for block in _profile(profile, registry)))


def _profile(profile: Profile, registry: Registry) -> Iterator[str]:
    rows = []
    for key in RULE_KEYS:
        if key in _ABOVE:
            continue
        known = profile.certainty(key)
        because = "; ".join(as_markdown(part) for part in (known.source, known.note) if part)
        rows.append([f"`{key}`", _rule(key, getattr(profile, key), registry), known.certainty, because])
    _, origin = registry.profiles[profile.name]
    yield f"({_anchor(profile)})=\n## `{profile.name}`"
    source = f"Source: {as_markdown(profile.source)}. " if profile.source else ""
    yield f"{as_markdown(profile.title)}. {source}From {as_markdown(str(origin))}."
    yield table(["rule", "value", "certainty", "because"], rows)


_ABOVE = frozenset({"title", "source"})
"""The keys that are above the table of rules."""


def _rule(key: str, value: Any, registry: Registry) -> str:
    """Return a rule as Markdown, names of components with a link to them."""
    if key in COMPONENT_KEYS or key == "secondary":
        kind = COMPONENT_KEYS.get(key, Metric)
        names = [value] if isinstance(value, str) else value
        return ", ".join(f"[`{n}`](#{_label(kind, parse_call(n).name)})" for n in names if n) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{as_markdown(task)}: {weight:g}" for task, weight in value.items()) or "none"
    if isinstance(value, tuple):
        return ", ".join(map(as_markdown, value)) or "none"
    if isinstance(value, bool):
        return str(value).lower()
    return as_markdown(str(value))
