"""``qeframe lock``: record the numbers of every component, and name those that have changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qeframe.cli.options import json_option

if TYPE_CHECKING:
    from qeframe.testing.snapshot import Change

__all__ = ["lock"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=Path("components.json"))
@click.option("--check", is_flag=True, help="Write nothing; name every component whose numbers have changed.")
@click.option("--plugin", "name", default="", metavar="NAME", help="Only the components of a plugin or distribution.")
@json_option
def lock(file: Path, check: bool, name: str, as_json: bool) -> None:
    """Record the numbers of every registered component on fixed inputs in FILE, by default components.json.

    With --check, exit status 1 if a number has changed, or a recorded component is gone; each is told with the smallest
    input that shows it. New components are told too.
    """
    from qeframe.cli.plugin_kit import need_the_laws
    from qeframe.components.loader import load

    registry = load()
    with need_the_laws():
        from qeframe.testing import snapshot as locking
        from qeframe.testing.plugin_report import find_plugins
    plugins = [plugin.origin.plugin for plugin in find_plugins(name, registry)] if name else []
    if not check:
        locked = locking.lock(registry, plugins=plugins)
        locking.write_lock(locked, file)
        click.echo(f"{file}: {len(locked)} components")
        return
    found = locking.changes(locking.read_lock(file), registry, plugins=plugins)
    _tell(found, as_json)
    if any(change.broken for change in found):
        sys.exit(1)


def _tell(found: list[Change], as_json: bool) -> None:
    import attrs

    from qeframe.evaluation.result import canonical_json

    if as_json:
        click.echo(canonical_json([attrs.asdict(change) for change in found]), nl=False)
        return
    for change in found:
        click.echo(f"{change.kind}: {change.component}: {change.what}")
        for side, value in change.input.items():
            click.echo(f"    {side} = {value!r}")
    broken = sum(change.broken for change in found)
    click.echo(f"{broken or 'no'} recorded component{'' if broken == 1 else 's'} changed")
