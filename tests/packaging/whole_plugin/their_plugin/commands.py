"""The table of commands. It is read for ``qeframe --help``, so that it imports nothing else."""

from qeframe.plugin.commands import Command

COMMANDS = [Command(name="count-letters", summary="Count the letters in FILE.", path="their_plugin.counting:counting")]
