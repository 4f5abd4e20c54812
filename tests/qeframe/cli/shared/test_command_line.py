"""The line that repeats a command."""

import shlex

import click
import pytest
from click.testing import CliRunner

from qeframe.cli.shared.command_line import command_line


@click.command(name="do")
@click.argument("words", nargs=-1)
@click.option("--profile", nargs=2, default=None)
@click.option("--set", "settings", multiple=True)
@click.option("--claims/--no-claims", default=True)
@click.option("--explain", is_flag=True)
@click.option("--seed", type=int, default=0)
@click.option("--out")
@click.option("--workers", type=int, default=1)
@click.option("--json", "as_json", is_flag=True)
def do(**_):
    click.echo(command_line())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "qeframe do"),
        ("a 'b c' --seed 3", "qeframe do a 'b c' --seed 3"),
        ("--set a=1 --set 'b=x y' p", "qeframe do p --set a=1 --set 'b=x y'"),
        ("--profile p path --no-claims --explain", "qeframe do --profile p path --no-claims --explain"),
        ("a --out x --workers 4 --json", "qeframe do a"),
        ("--seed 1 -- -a", "qeframe do --seed 1 -- -a"),
        ("'$(rm)' '`x`'", "qeframe do '$(rm)' '`x`'"),
    ],
)
def test_what_was_given_is_said_again(given, said):
    shown = CliRunner().invoke(do, shlex.split(given))
    assert shown.output == f"{said}\n"
    again = CliRunner().invoke(do, shlex.split(said)[2:])
    assert again.output == shown.output


def test_outside_of_a_command_there_is_none():
    assert command_line() == ""


def test_a_command_of_a_group_is_said_with_its_group():
    group = click.Group("keep", {"do": do})
    program = click.Group("program", {"keep": group, "do": do})
    assert CliRunner().invoke(program, ["keep", "do", "a"]).output == "qeframe keep do a\n"
    assert CliRunner().invoke(program, ["do", "a"]).output == "qeframe do a\n"
