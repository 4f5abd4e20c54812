"""The table of the command ``qeframe bundle``."""

from qeframe.plugin.commands import Command

COMMANDS = [
    Command(
        "bundle",
        "Prepare a shared task for a platform that scores submissions.",
        "qeframe_competitions.bundle_command:bundle",
    )
]
