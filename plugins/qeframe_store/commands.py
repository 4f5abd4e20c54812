"""The table of the commands ``qeframe diff`` and ``qeframe store``."""

from qeframe.plugin.commands import Command

COMMANDS = [
    Command(
        "diff", "Show what changed from the result OLD to the result NEW, and why.", "qeframe_store.diff_command:diff"
    ),
    Command("store", "Keep results over runs and years in one file.", "qeframe_store.store_command:store"),
]
