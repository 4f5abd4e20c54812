"""Pages of everything in the registry: hooks, components of every kind, profiles."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from component_parts import TITLES, call_block, default_of, facts_table, label, page, parameters, stem
from docstrings import as_markdown, prose, table
from metric_pages import metric_pages

from qeframe.cli.commands.fetch import size_in_words
from qeframe.core import hookspecs
from qeframe.core.calls import Parametric, parse_call
from qeframe.core.component import Component
from qeframe.core.hookspecs import COMPONENT_HOOKS, OTHER_HOOKS
from qeframe.core.loader import load
from qeframe.core.metric import Attack, Metric, TiePolicy
from qeframe.core.profile import OVERALL, Profile
from qeframe.core.profile_checks import COMPONENT_KEYS, with_defaults
from qeframe.core.profile_files import find_profile
from qeframe.core.ranking import Aggregation
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.data.published.beside_profiles import find_data_sources, find_published_tables
from qeframe.data.published.data_source import DataSource
from qeframe.data.published.published_table import PublishedTable

__all__ = ["registry_pages"]


def registry_pages(registry: Registry) -> dict[str, str]:
    """Return the Markdown of every page by its path below the folder of generated pages."""
    profiles = [find_profile(name, registry) for name in registry.profiles]
    levels = {_level(profile): [p for p in profiles if _level(p) == _level(profile)] for profile in profiles}
    pages = {"hooks.md": _hooks(registry), "profiles/index.md": _list_of_profiles(levels)}
    pages |= {f"{stem(kind)}.md": _components(kind, registry) for kind in TITLES if kind is not Metric}
    pages |= metric_pages(registry)
    pages["data_sources.md"] = _listed("Data sources", DataSource, find_data_sources(registry))
    pages["published_tables.md"] = _listed("Published tables", PublishedTable, find_published_tables(registry))
    pages |= {f"profiles/{level}.md": _profiles(level, members, registry) for level, members in levels.items()}
    return pages


def _level(profile: Profile) -> str:
    """Return the name of the page that describes a profile: quality estimation and metrics apart."""
    return "_".join([*(["metrics"] if "_metrics_" in profile.name else []), profile.level or "other"])


def _hooks(registry: Registry) -> str:
    blocks = []
    for name in [*COMPONENT_HOOKS, *OTHER_HOOKS]:
        hook = getattr(hookspecs, name)
        made = inspect.signature(hook).return_annotation
        blocks += [f"## `{name}()`", *prose(hook.__doc__), f"Returns `{made}`.", _where(name)]
    return page("# Hooks", *prose(hookspecs.__doc__), *blocks)


def _where(hook: str) -> str:
    """Return a link to all that plugins bring by a hook."""
    if hook == "qeframe_profiles":
        return "All of them: [profiles](profiles/index.md)."
    kind = load().hooks.get(hook)
    return f"All of them: [{TITLES[kind].lower()}]({stem(kind)}.md)." if kind else ""


def _components(kind: type[Component], registry: Registry) -> str:
    names = registry.names(kind)
    summaries = [as_markdown(default_of(registry, kind, name).summary) for name in names]
    rows = [[f"[`{name}`](#{label(kind, name)})", what] for name, what in zip(names, summaries, strict=True)]
    blocks = [block for name in names for block in _component(kind, name, registry)]
    return page(f"# {TITLES[kind]}", *prose(kind.__doc__), table(["name", "what"], rows), *blocks)


def _component(kind: type[Component], name: str, registry: Registry) -> Iterator[str]:
    entry = registry.entry(kind, name)
    component, value = entry.component, default_of(registry, kind, name)
    yield f"({label(kind, name)})=\n## `{name}`"
    if isinstance(component, Parametric):
        yield call_block(name, component)
        yield from prose(component.build.__doc__)
        yield parameters(component)
    else:
        yield as_markdown(value.summary[:1].upper() + value.summary[1:].rstrip(".")) + "."
    facts = {**_facts(value), "source": as_markdown(value.source), "from": as_markdown(str(entry.origin))}
    yield facts_table(facts)


def _listed(title: str, kind: type[Component], values: Mapping[str, Component]) -> str:
    """Return the page of what is beside profiles."""
    rows = [[f"[`{name}`](#{_beside(name)})", as_markdown(value.summary)] for name, value in values.items()]
    blocks = [block for name, value in values.items() for block in _value(f"({_beside(name)})=\n## `{name}`", value)]
    return page(f"# {title}", *prose(kind.__doc__), table(["name", "what"], rows), *blocks)


def _beside(name: str) -> str:
    return f"beside-profiles-{name}".replace("_", "-")


def _value(heading: str, value: Component) -> Iterator[str]:
    yield heading
    yield as_markdown(value.summary[:1].upper() + value.summary[1:].rstrip(".")) + "."
    yield facts_table(_facts(value) | {"source": as_markdown(value.source), "from": as_markdown(str(value.origin))})


def _measured(rates: str) -> str:
    """Return what a test says of its measured rates, with a link to all of them."""
    return f"{as_markdown(rates)} ([all rates](../calibration.md))" if rates else ""


def _facts(value: Component) -> dict[str, str]:
    """Return what a component declares of itself."""
    match value:
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
            return {
                "needs": _NEEDS[value.needs],
                "null hypothesis": f"[{value.null}](../glossary.md)" if value.null else "",
                "sided": sides,
                "intervals": _yes(value.interval is not None),
                "measured": _measured(value.measured),
            }
        case Correction():
            return {"measured": _measured(value.measured)}
        case Attack():
            return {"on": f"`{value.kind.__name__}`", "manner": value.manner, "knows": as_markdown(value.knowledge)}
        case Reader():
            written = value.writes or (value.kind,) if value.write else ()
            names = ", ".join(f"`{kind.__name__}`" for kind in written)
            return {"yields": f"`{value.kind.__name__}`", "written by export": names}
        case DataSource():
            return {
                "size": size_in_words(value.size),
                "license": as_markdown(value.license or "none stated"),
                "revision": as_markdown(value.revision or "not pinned"),
                "checked": value.checked,
                "for": ", ".join(f"[`{use.profile}`](#{_anchor_of(use.profile)})" for use in value.uses),
            }
        case PublishedTable():
            return {
                "data": f"[`{value.data}`](#{_beside(value.data)})" if value.data else "",
                "computed by": f"[`{value.profile}`](#{_anchor_of(value.profile)})",
                "with": ", ".join(f"`{setting}`" for setting in value.settings),
                "values": str(sum(bool(text) for texts in value.rows.values() for text in texts)),
                "known differences": as_markdown(" ".join(dict.fromkeys(known.reason for known in value.known))),
            }
    return {}


def _coefficients(signs: tuple[str, ...], row: tuple[float | None, ...]) -> str:
    coefficients = ("left out" if c is None else f"{c:g}" for c in row)
    return ", ".join(f"metric {sign}: {coefficient}" for sign, coefficient in zip(signs, coefficients, strict=True))


_NEEDS = {
    "bind": "any metric",
    "smooth": "a metric that is smooth in the weights of units",
    "grid": "a metric on grids of segments and systems that is smooth in the weights of segments",
    "exchange": "any metric",
    "outcomes": "a metric that is a mean over units, judgments or pairs of systems",
    "vectors": "a metric that is a correlation of two vectors",
    "per_unit": "a metric that is a mean of one value a unit",
}


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _list_of_profiles(levels: Mapping[str, list[Profile]]) -> str:
    introduction = (
        "The rules of one shared task each. Every rule is marked *read* (in the named source), *inferred* (from a "
        "script or a data file), *unconfirmed* (general knowledge) or *chosen* (by qeframe, where the task is silent). "
        "[Write a profile](../../../how-to/write-a-reader-profile-or-kind.md#a-profile) explains the keys."
    )
    tree = "\n".join(["```{toctree}", ":hidden:", "", *levels, "```"])
    blocks = [block for level, profiles in levels.items() for block in _brief(level, profiles)]
    return page("# Profiles", introduction, *blocks, tree)


def _title(level: str) -> str:
    return f"Profiles: {level.replace('_', ', ')} level"


def _brief(level: str, profiles: list[Profile]) -> Iterator[str]:
    yield f"## {_title(level).removeprefix('Profiles: ').capitalize()}"
    rows = [[f"[`{p.name}`](#{_anchor(p)})", as_markdown(p.title), f"`{p.primary}`"] for p in profiles]
    yield table(["name", "task", "primary metric"], rows)


def _anchor(profile: Profile) -> str:
    return _anchor_of(profile.name)


def _anchor_of(profile: str) -> str:
    return f"profile-{profile}".replace("_", "-")


def _profiles(level: str, profiles: list[Profile], registry: Registry) -> str:
    return page(f"# {_title(level)}", *(block for profile in profiles for block in _profile(profile, registry)))


def _profile(profile: Profile, registry: Registry) -> Iterator[str]:
    rows, chosen = [], with_defaults(profile, registry)
    for key, value in chosen.rules.items():
        if key in _ABOVE:
            continue
        known = profile.certainty(key)
        because = "; ".join(as_markdown(part) for part in (known.source, known.note) if part)
        rows.append([f"`{key}`", _rule(key, value, registry), known.certainty, because])
    _, origin = registry.profiles[profile.name]
    yield f"({_anchor(profile)})=\n## `{profile.name}`"
    source = f"Source: {as_markdown(profile.source)}. " if profile.source else ""
    yield f"{as_markdown(profile.title)}. {source}From {as_markdown(str(origin))}."
    yield table(["rule", "value", "certainty", "because"], rows)


_ABOVE = frozenset({"title", "source"})
"""The keys that are above the table of rules."""


def _part(table: Mapping[str, Any]) -> str:
    """Return a table of parts as one line."""
    return ", ".join(f"{key} = {dict(value) if isinstance(value, Mapping) else value}" for key, value in table.items())


def _rule(key: str, value: Any, registry: Registry) -> str:
    """Return a rule as Markdown, names of components with a link to them."""
    if key == "parts":
        return "; ".join(as_markdown(_part(table)) for table in value) or "none"
    if value != OVERALL and (key in COMPONENT_KEYS or key == "secondary"):
        kind = COMPONENT_KEYS.get(key, Metric)
        names = [value] if isinstance(value, str) else value
        return ", ".join(f"[`{n}`](#{label(kind, parse_call(n).name)})" for n in names if n) or "none"
    if isinstance(value, Mapping):
        listed = (f"{as_markdown(k)}: {v if isinstance(v, str) else format(v, 'g')}" for k, v in value.items())
        return ", ".join(listed) or "none"
    if isinstance(value, tuple):
        return ", ".join(map(as_markdown, value)) or "none"
    if isinstance(value, bool):
        return str(value).lower()
    return as_markdown(str(value))
