"""``qeframe profiles`` and ``qeframe plugins``: lists of profiles, plugins and components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
            if key != "title" and (value or key in profile.stated)
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
@options.json_option
def plugins(as_json: bool) -> None:
    """List the plugins, and every component with its parameters.

    Each component has the plugin that brings it.
    """
    registry = qeframe.load()
    rows = [
        (hook.removeprefix("qeframe_"), *_described(registry, kind, name))
        for hook, kind in registry.hooks.items()
        for name in registry.names(kind)
    ]
    rows += [("profiles", name, "", str(origin), "", "") for name, (_, origin) in registry.profiles.items()]
    if as_json:
        keys = ("hook", "name", "summary", "origin", "null", "measured")
        components = [
            {key: text for key, text in zip(keys, row, strict=True) if text or key not in {"null", "measured"}}
            for row in rows
        ]
        write_json({"blocked": registry.blocked, "components": components})
        return
    for plugin in registry.plugins:
        click.echo(str(plugin.origin))
    if registry.blocked:
        click.echo(f"blocked: {', '.join(registry.blocked)}")
    width = max((len(name) for hook, name, *_ in rows if hook != "profiles"), default=0)
    heading = ""
    for hook, name, summary, origin, null, measured in rows:
        if hook != heading:
            click.echo(f"\n{hook.replace('_', ' ')}")
            heading = hook
        owner = origin.split("'")[1]  # of: plugin 'NAME' of distribution 'DISTRIBUTION VERSION'
        click.echo(f"  {name:<{min(width, 44)}}  {f'{summary} ({owner})'.strip()}")
        for what, text in (("null hypothesis", null), ("measured", measured)):
            if text:
                click.echo(f"  {'':<{min(width, 44)}}  {what}: {text}")


def _described(registry: qeframe.Registry, kind: type[Any], name: str) -> tuple[str, str, str, str, str]:
    """Return a component's name with its defaults, its summary, its origin, its null hypothesis, its measured rates."""
    from qeframe.core.calls import Parametric, format_call

    entry = registry.entry(kind, name)
    component = entry.component
    if isinstance(component, Parametric):
        name = format_call(name, {key: parameter.default for key, parameter in component.parameters.items()})
        component = component()
    null, measured = (getattr(component, key, "") for key in ("null", "measured"))
    return name, component.summary, str(entry.origin), null, measured


def _text(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return (", " if all(isinstance(item, str) for item in value) else "; ").join(map(_text, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={_text(item)}" for key, item in value.items())
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
