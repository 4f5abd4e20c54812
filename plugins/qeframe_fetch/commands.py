"""The table of the command ``qeframe fetch``."""

from qeframe.plugin.commands import Command

COMMANDS = [Command("fetch", "Download the published files of a shared task.", "qeframe_fetch.fetch_command:fetch")]
