"""The commands, one module for each, or for a few that are one thought.

No command imports another module: what two of them need is in `qeframe.cli.shared`, the package below. A new command is
a function here, of its name with underscores, and a line of the table, which imports none of the modules.
"""

from qeframe.core.entry_points import Command

GROUPS = {
    "Evaluate": {
        "demo": "Generate a small shared task and evaluate it.",
        "run": "Evaluate the submissions in PATH by the rules of PROFILE.",
        "score": "Print the scores of SUBMISSIONS under METRIC.",
        "compare": "Test the differences between SUBMISSIONS under METRIC.",
        "validate": "Check the submission PATH, or all in the folder PATH.",
    },
    "Look": {
        "report": "Make the page and the tables of a result again.",
        "diff": "Show what changed from the result OLD to NEW, and why.",
        "trace": "Print the way from files to a score of SUBMISSION.",
        "grid": "Print which words of a segment match its references.",
    },
    "Ask": {
        "power": "Say how many units would tell submissions apart.",
        "distinguish": "Say which metric tells the submissions in PATH apart.",
        "sensitivity": "Compare the ranks in PATH under several profiles.",
        "audit": "Measure how far METRICS can be gamed, and by which attack.",
        "correlate": "Correlate metrics with human judges by document size.",
    },
    "Data": {
        "fetch": "Download the published files of a shared task.",
        "ratings": "Turn the ratings in PATH into scores of segments.",
        "export": "Write the tasks in PATH in another layout.",
        "reproduce": "Compare published values with those computed from the data.",
    },
    "Extend": {
        "profiles": "List the profiles, print the rules of one, or compare two.",
        "plugins": "List the plugins, and every component with its parameters.",
        "new-plugin": "Write a new plugin of one kind, with its tests.",
        "check-plugin": "Check what a plugin brings against its laws.",
        "lock": "Record the numbers of every component in FILE.",
    },
}
"""The commands in groups, as the list shows them, with the first sentences of their help."""

_MODULES = {
    "compare": "score",
    "lock": "check_plugin",
    "new-plugin": "check_plugin",
    "plugins": "listing",
    "profiles": "listing",
    "ratings": "export",
    "trace": "report",
}
"""The modules of the commands that share one."""


def _command(name: str, summary: str) -> Command:
    function = name.replace("-", "_")
    return Command(name, summary, f"{__name__}.{_MODULES.get(name, function)}:{function}")


COMMANDS = [_command(name, summary) for group in GROUPS.values() for name, summary in group.items()]
