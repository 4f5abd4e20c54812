"""The table of commands that come with qeframe."""

import click
import pytest

from qeframe.cli.app import GROUPS, app
from qeframe.cli.command_tables import own_command, own_commands
from qeframe.cli.commands import COMMANDS


def test_every_own_command_has_its_name_once():
    assert sorted(COMMANDS) == sorted(own_commands().values())
    assert {*own_commands()} <= {*app.list_commands(click.Context(app))}
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(own_commands())


@pytest.mark.parametrize("command", own_commands().values(), ids=lambda command: command.name)
def test_every_own_command_is_found_under_its_name(command):
    assert own_command(command).name == command.name
