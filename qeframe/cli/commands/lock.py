"""``qeframe lock``: record the numbers of every component, or report those that have changed."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.json_lines import write_json
from qeframe.core.errors import counted

if TYPE_CHECKING:
    from qeframe.testing.snapshot import Change


@click.command()
@click.argument("file", type=options.path_type, default="components.json")
@click.option("--check", is_flag=True, help="Write nothing; report every component whose numbers have changed.")
@click.option("--plugin", "name", default="", metavar="NAME", help="Only the components of a plugin or distribution.")
@click.option(
    "--gaming",
    is_flag=True,
    help="Record the gaming indices of metrics too, about two seconds for each; with --check: all must be recorded.",
)
@options.json_option
def lock(file: Path, check: bool, name: str, gaming: bool, as_json: bool) -> None:
    """Record the numbers of every component in FILE.

    The numbers are results on fixed inputs. The default of FILE is components.json. With --check, numbers are compared
    with those in FILE. Each changed, missing or new component is printed, with the smallest input that shows the
    change. The exit status is 1 if a number has changed or a component is missing.

    With --gaming, the gaming indices of metrics are recorded as well. --check measures those that were recorded, and a
    metric that has become easier to game has changed: one whose interval is entirely above the recorded one. With both
    options, a metric has changed too if it can be attacked and no index was recorded.
    """
    registry = qeframe.load()
    with options.laws_required():
        from qeframe.testing import snapshot as locking
        from qeframe.testing.plugin_report import find_plugins
    plugins = [plugin.origin.plugin for plugin in find_plugins(name, registry)] if name else []
    if not check:
        locked = locking.lock(registry, plugins=plugins, gaming=gaming)
        locking.write_lock(locked, file)
        click.echo(f"{file}: {counted(len(locked), 'component')}")
        return
    changes = locking.changes(locking.read_lock(file), registry, plugins=plugins, gaming=gaming)
    _print(changes, as_json)
    if any(change.broken for change in changes):
        sys.exit(1)


def _print(changes: "list[Change]", as_json: bool) -> None:
    import attrs

    if as_json:
        write_json([attrs.asdict(change) for change in changes])
        return
    for change in changes:
        click.echo(f"{change.kind}: {change.component}: {change.what}")
        for side, value in change.input.items():
            click.echo(f"    {side} = {value!r}")
    broken = sum(change.broken for change in changes)
    click.echo(f"{broken or 'no'} recorded component{'' if broken == 1 else 's'} changed")
