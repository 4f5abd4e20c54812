"""A command that another distribution has, if the variable COLLIDE says so."""

import os

from qeframe.plugin.commands import Command

NAMES = ["count-letters"] if os.environ.get("COLLIDE") == "command" else []
COMMANDS = [Command(name=name, summary="Count otherwise.", path="other_plugin_commands:NAMES") for name in NAMES]
