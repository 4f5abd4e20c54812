"""``qeframe new-plugin``: write a distribution to start a plugin from."""

from pathlib import Path

import click

import qeframe
from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.cli.shared import options


@click.command("new-plugin")
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(list(KINDS)), default="metric", show_default=True, help="What the plugin brings."
)
@options.out_option_with("Write into this folder. Default: a folder NAME.")
def new_plugin(name: str, kind: str, out: Path | None) -> None:
    """Write a new plugin of one kind, with its tests.

    NAME is the name of the distribution, such as my-metric. The files install and pass their own tests as they are. In
    the folder of a plugin, or with it as --out, the component NAME is added to that plugin.
    """
    from qeframe.cli.new_plugins.writing import add_to_plugin, is_plugin, write_plugin
    from qeframe.core.components.loading.hookspecs import GROUP

    folder = out or (Path() if is_plugin(Path()) else Path(name))
    write = add_to_plugin if is_plugin(folder) else write_plugin
    for path in write(name, folder, qeframe.load(), kind=kind):
        click.echo(str(path))
    check = "" if write is add_to_plugin else f", or: qeframe check-plugin {name}"
    click.echo(f"\nNext: pip install -e '{folder}[test]', then pytest {folder}{check}", err=True)
    if check and KINDS[kind].group == GROUP:
        recorded = folder / "components.json"
        click.echo(f"Before its workflow runs: qeframe lock --plugin {name} --gaming '{recorded}'", err=True)
