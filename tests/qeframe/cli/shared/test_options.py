"""Options that several commands share."""

import click
from click.testing import CliRunner

from qeframe.cli.shared.options import path_type


@click.command()
@click.argument("path", type=path_type)
def show(path):
    click.echo(repr(path))


def test_an_empty_path_is_not_the_current_folder():
    assert "PosixPath('a')" in CliRunner().invoke(show, ["a"]).output
    refused = CliRunner().invoke(show, [""])
    assert refused.exit_code == 2
    assert "the path is empty; '.' is the current folder" in refused.output
