"""The tables of commands that come with qeframe."""

from importlib import import_module

import click
import pytest

from qeframe.cli.app import app
from qeframe.cli.command_tables import TABLES, own_command, own_commands
from qeframe.core.entry_points import Command


def test_every_own_command_has_its_name_once():
    every = [command for table in TABLES for command in import_module(table).COMMANDS]
    assert sorted(every) == sorted(own_commands().values())
    assert app.list_commands(click.Context(app)) == sorted(own_commands())


@pytest.mark.parametrize("command", own_commands().values(), ids=lambda command: command.name)
def test_every_own_command_is_found_under_its_name(command):
    assert own_command(command).name == command.name


def test_a_table_of_a_plugin_that_comes_with_qeframe_is_left_out_with_it(monkeypatch, tmp_path, refused):
    (tmp_path / "qeframe_wares").mkdir()
    (tmp_path / "qeframe_wares" / "__init__.py").write_text("")
    row = repr(tuple(Command("sell", "Sell.", "qeframe_wares.commands:sell")))
    text = f"from qeframe.core.entry_points import Command\nCOMMANDS = [Command(*{row})]\n"
    (tmp_path / "qeframe_wares" / "commands.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("qeframe.cli.command_tables._own", import_module("qeframe.cli.command_tables")._own.__wrapped__)
    monkeypatch.setattr("qeframe.cli.command_tables.TABLES", (*TABLES, "qeframe_wares.commands"))
    assert "sell" in own_commands()
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_wares")
    assert "sell" not in own_commands()
    assert refused("sell").endswith("(blocked: qeframe_wares); 'qeframe --help' shows how")
