"""The commands, one module for each, or for a few that are one thought.

No command imports another module: what two of them need is in `qeframe.cli.shared`, the package below. A new command is
a function here, of its name with underscores, and a line of the table, which imports none of the modules.
"""

from qeframe.core.entry_points import Command

_SUMMARIES = {
    "audit": {"audit": "Measure how far METRICS can be gamed, and by which attack."},
    "check_plugin": {
        "check-plugin": "Check the components, profiles and commands of a plugin against their laws.",
        "lock": "Record the numbers of every component in FILE.",
        "new-plugin": "Write a new plugin of one kind, with its tests.",
    },
    "correlate": {"correlate": "Correlate metrics with human judges by document size."},
    "demo": {"demo": "Generate a small shared task and evaluate it."},
    "diff": {"diff": "Show what changed from the result OLD to the result NEW, and why."},
    "distinguish": {"distinguish": "Say which metric tells the submissions in PATH apart."},
    "export": {
        "export": "Write the tasks in PATH, as PROFILE reads them, in another layout.",
        "ratings": "Turn the ratings in PATH into scores of segments: the mean over raters.",
    },
    "fetch": {"fetch": "Download the published files of a shared task."},
    "grid": {"grid": "Print which words of a segment match its references."},
    "listing": {
        "plugins": "List the plugins, and every component with its parameters and the plugin that brings it.",
        "profiles": "List the profiles, print the rules of one with their certainty, or compare two.",
    },
    "power": {"power": "Say how many units would tell submissions apart."},
    "report": {
        "report": "Make the page and the tables of a result again.",
        "trace": "Print the way from files to the score of SUBMISSION under METRIC.",
    },
    "reproduce": {"reproduce": "Compare published values with the values that are computed from the data."},
    "run": {"run": "Evaluate the submissions in PATH by the rules of PROFILE."},
    "score": {
        "compare": "Test the differences between SUBMISSIONS under METRIC.",
        "score": "Print the scores of SUBMISSIONS under METRIC.",
    },
    "sensitivity": {"sensitivity": "Compare the ranks in PATH under several profiles."},
    "validate": {
        "validate": "Check the submission PATH, or all submissions in the folder PATH, as PROFILE reads them."
    },
}
"""By module, the commands with the first sentences of their help."""

COMMANDS = [
    Command(name, summary, f"{__name__}.{module}:{name.replace('-', '_')}")
    for module, commands in _SUMMARIES.items()
    for name, summary in commands.items()
]
