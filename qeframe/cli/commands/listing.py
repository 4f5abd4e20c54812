"""``qeframe profiles`` and ``qeframe plugins``: lists of profiles, plugins and components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import write_json


@click.command()
@click.argument("name", required=False, shell_complete=options.complete_profile)
@click.option(
    "--diff",
    nargs=2,
    metavar="A B",
    shell_complete=options.complete_profile,
    help="Show the rules in which two profiles differ.",
)
@options.set_option
@options.json_option
def profiles(name: str | None, diff: tuple[str, str] | None, settings: tuple[str, ...], as_json: bool) -> None:
    """List the profiles, print the rules of one, or compare two.

    Each rule has its certainty.
    """
    from qeframe.core.profile_checks import with_defaults

    registry = qeframe.load()
    if diff:
        if name:
            raise click.UsageError("give NAME or --diff A B, not both")
        first, second = (qeframe.choose_profile(compared, settings, registry) for compared in diff)
        _print_differences(first, second, as_json)
    elif name:
        profile = qeframe.choose_profile(name, settings, registry)
        _print_profile(profile, with_defaults(profile, registry), as_json)
    else:
        _print_profiles(registry, as_json)


def _print_profiles(registry: qeframe.Registry, as_json: bool) -> None:
    profiles = [qeframe.find_profile(name, registry) for name in registry.profiles]
    records = [{"name": p.name, "title": p.title, "primary": p.primary} for p in profiles]
    if as_json:
        write_json(records)
        return
    _print_columns([(p.name, p.title) for p in profiles])


def _print_profile(profile: qeframe.Profile, chosen: qeframe.Profile, as_json: bool) -> None:
    """Print every rule with its certainty and source; `chosen` has the components that qeframe chooses by default."""
    import attrs

    from qeframe.core.profile import DEFAULT

    defaults = {key: chosen.rules[key] for key, value in profile.rules.items() if value == DEFAULT}
    texts = {key: _text(value) for key, value in profile.rules.items()}
    texts |= {key: f"{DEFAULT}: {value}" for key, value in defaults.items()}
    rows = [(key, texts[key], profile.certainty(key)) for key in profile.rules]
    if as_json:
        rules = {
            key: {
                "value": profile.rules[key],
                **({"chosen": defaults[key]} if key in defaults else {}),
                **attrs.asdict(certainty),
            }
            for key, _, certainty in rows
        }
        write_json({"name": profile.name, "rules": rules})
        return
    click.echo(f"{profile.name}: {profile.title}\n")
    _print_columns(
        [
            (key, value, stated.certainty, "; ".join(part for part in (stated.source, stated.note) if part))
            for key, value, stated in rows
            if key != "title" and (value or key in profile.stated) and (key != "year" or profile.year)
        ]
    )


def _print_differences(first: qeframe.Profile, second: qeframe.Profile, as_json: bool) -> None:
    rows = qeframe.differences(first, second)
    if as_json:
        write_json({key: {first.name: a, second.name: b} for key, a, b in rows})
        return
    _print_columns([("", first.name, second.name), *((key, _text(a), _text(b)) for key, a, b in rows)])


_WIDTH = 120
"""The width of the output if it is no terminal."""


def _print_columns(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of cells in columns, wrapped between words to the width of the terminal.

    The first column is never wrapped. The others share the rest of the width; a word that is longer than its column
    stays whole.
    """
    import shutil
    import sys
    from itertools import zip_longest
    from textwrap import TextWrapper

    if not rows:
        return
    total = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
    widths = _widths([[len(row[column]) for row in rows] for column in range(len(rows[0]))], total)
    for row in rows:
        cells = [[row[0]]]
        for cell, width in zip(row[1:], widths[1:], strict=True):
            cells.append(TextWrapper(width, break_long_words=False, break_on_hyphens=False).wrap(cell) or [""])
        for line in zip_longest(*cells, fillvalue=""):
            click.echo("  ".join(f"{part:<{width}}" for part, width in zip(line, widths, strict=True)).rstrip())


def _widths(lengths: Sequence[Sequence[int]], total: int) -> list[int]:
    """Return the width of each column: its longest cell, or an equal share of what narrower columns leave over."""
    needed = [max(column) for column in lengths]
    widths, left = {0: needed[0]}, total - needed[0]
    for column in sorted(range(1, len(needed)), key=needed.__getitem__):
        share = left // (len(needed) - len(widths)) - len("  ")
        widths[column] = min(needed[column], max(share, _NARROWEST))
        left -= widths[column] + len("  ")
    return [widths[column] for column in range(len(needed))]


_NARROWEST = 16
"""The least width of a column that is wrapped."""


@click.command()
@click.argument("name", required=False)
@click.option("--kind", metavar="KIND", help="Only what is of one kind, such as Metric or SignificanceTest.")
@options.json_option
def plugins(name: str | None, kind: str | None, as_json: bool) -> None:
    """List the plugins, and every component with its parameters.

    NAME is a component, a plugin or a distribution: only what has or brings that name is listed, of a metric also what
    it claims and how far attacks can raise its score. Each component has the plugin that brings it.
    """
    registry = qeframe.load()
    rows = list(_rows(registry, kind, name))
    if as_json:
        write_json({"blocked": registry.blocked, "components": rows})
        return
    for plugin in registry.plugins if name is kind is None else ():
        click.echo(str(plugin.origin))
    if registry.blocked:
        click.echo(f"blocked: {', '.join(registry.blocked)}")
    width = min(44, max((len(row["name"]) for row in rows if row["hook"] != "profiles"), default=0))
    heading = ""
    for row in rows:
        if row["hook"] != heading:
            heading = row["hook"]
            click.echo(f"\n{heading.replace('_', ' ')}")
        owner = row["origin"].split("'")[1]  # of: plugin 'NAME' of distribution 'DISTRIBUTION VERSION'
        summary = f"{row['summary']} ({owner})".strip()
        click.echo(f"  {row['name']:<{width}}  {summary}")
        for key in ("null", "measured", *(("claims", "gaming") if name is not None else ())):
            if text := row.get(key):
                click.echo(f"  {'':<{width}}  {_TOLD[key]}: {text}")


_TOLD = {"null": "null hypothesis", "measured": "measured", "claims": "claims", "gaming": "can be gamed"}


_KINDS = {"blind": "blind answers", "cosmetic": "cosmetic changes"}


def _rows(registry: qeframe.Registry, kind: str | None, name: str | None) -> Iterator[dict[str, str]]:
    """Yield what is listed of each component and profile: all, those of one kind, those of a name."""
    from qeframe.core.errors import UnknownNameError

    kinds = {each.__name__: (hook, each) for hook, each in registry.hooks.items()}
    if kind is not None and kind not in kinds:
        raise UnknownNameError("kind of component", kind, kinds)
    found = False
    for word, (hook, each) in kinds.items():
        for component in registry.names(each):
            origin = registry.entry(each, component).origin
            if kind in (None, word) and (name is None or name == component or origin.has_name(name)):
                found = True
                yield {"hook": hook.removeprefix("qeframe_"), **_described(registry, each, component)}
    for profile, (_, origin) in registry.profiles.items() if kind is None else ():
        if name is None or name == profile or origin.has_name(name):
            found = True
            yield {"hook": "profiles", "name": profile, "summary": "", "origin": str(origin)}
    if name is not None and not found:
        plugins = (part for plugin in registry.plugins for part in (plugin.origin.plugin, plugin.origin.distribution))
        names = {*plugins, *registry.profiles, *(n for each in registry.hooks.values() for n in registry.names(each))}
        raise UnknownNameError("component or plugin", name, names)


def _described(registry: qeframe.Registry, kind: type[Any], name: str) -> dict[str, str]:
    """Return a component's name with its defaults, its summary, its origin, and what else it states."""
    from qeframe.core.calls import Parametric, format_call
    from qeframe.core.metric import Metric

    entry = registry.entry(kind, name)
    component = entry.component
    if isinstance(component, Parametric):
        name = format_call(name, {key: parameter.default for key, parameter in component.parameters.items()})
        component = component()
    described = {"name": name, "summary": component.summary, "origin": str(entry.origin)}
    stated = {key: getattr(component, key, "") for key in ("null", "measured")}
    if isinstance(component, Metric):
        weaknesses = (f"at most {bound:g} by {_KINDS.get(by, by)}" for by, bound in component.known_weaknesses.items())
        stated |= {"claims": ", ".join(sorted(component.claims)) or "nothing", "gaming": ", ".join(weaknesses)}
    return described | {key: text for key, text in stated.items() if text}


def _text(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return (", " if all(isinstance(item, str) for item in value) else "; ").join(map(_text, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={_text(item)}" for key, item in value.items())
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
