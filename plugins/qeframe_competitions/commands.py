"""The table of the command ``qeframe bundle``."""

from qeframe.plugin.commands import Command

COMMANDS = [
    Command(
        "bundle",
        "Make a shared task ready for a platform that scores submissions.",
        "qeframe_competitions.bundle_command:bundle",
    )
]
