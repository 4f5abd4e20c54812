"""The commands, one module for each; `listing` has both ``qeframe profiles`` and ``qeframe plugins``.

No command imports another one: what two of them need is in `qeframe.cli.shared`, the package below. A new command is a
module here and a line of the table, which imports none of them.
"""

from qeframe.core.entry_points import Command

COMMANDS = [
    Command("audit", "Measure how far METRICS can be gamed, and by which attack.", "qeframe.cli.commands.audit:audit"),
    Command("calibrate", "Measure the error rate of TEST on METRIC.", "qeframe.cli.commands.calibrate:calibrate"),
    Command(
        "check-plugin",
        "Check the components, profiles and commands of a plugin against their laws.",
        "qeframe.cli.commands.check_plugin:check_plugin",
    ),
    Command(
        "compare", "Test the differences between SUBMISSIONS under METRIC.", "qeframe.cli.commands.compare:compare"
    ),
    Command(
        "correlate", "Correlate metrics with human judges by document size.", "qeframe.cli.commands.correlate:correlate"
    ),
    Command("demo", "Generate a small shared task and evaluate it.", "qeframe.cli.commands.demo:demo"),
    Command(
        "distinguish", "Compare how well metrics separate submissions.", "qeframe.cli.commands.distinguish:distinguish"
    ),
    Command(
        "export",
        "Write the tasks in PATH, as PROFILE reads them, in another layout.",
        "qeframe.cli.commands.export:export",
    ),
    Command("grid", "Print which words of a segment match its references.", "qeframe.cli.commands.grid:grid"),
    Command("lock", "Record the numbers of every component in FILE.", "qeframe.cli.commands.lock:lock"),
    Command("merge", "Join the shards in FOLDERS to the result of one run.", "qeframe.cli.commands.merge:merge"),
    Command(
        "new-plugin", "Write a new plugin of one kind, with its tests.", "qeframe.cli.commands.new_plugin:new_plugin"
    ),
    Command(
        "plugins",
        "List the plugins, and every component with its parameters and the plugin that brings it.",
        "qeframe.cli.commands.listing:plugins",
    ),
    Command("power", "Say how many units would tell submissions apart.", "qeframe.cli.commands.power:power"),
    Command(
        "profiles",
        "List the profiles, print the rules of one with their certainty, or compare two.",
        "qeframe.cli.commands.listing:profiles",
    ),
    Command(
        "ratings",
        "Turn the ratings in PATH into scores of segments: the mean over raters.",
        "qeframe.cli.commands.ratings:ratings",
    ),
    Command("report", "Make the page and the tables of a result again.", "qeframe.cli.commands.report:report"),
    Command(
        "reproduce",
        "Compare published values with the values that are computed from the data.",
        "qeframe.cli.commands.reproduce:reproduce",
    ),
    Command("run", "Evaluate the submissions in PATH by the rules of PROFILE.", "qeframe.cli.commands.run:run"),
    Command("score", "Print the scores of SUBMISSIONS under METRIC.", "qeframe.cli.commands.score:score"),
    Command(
        "sensitivity",
        "Compare the ranks in PATH under several profiles.",
        "qeframe.cli.commands.sensitivity:sensitivity",
    ),
    Command(
        "spans",
        "Print the error spans of segments, those of the gold and those of a submission.",
        "qeframe.cli.commands.spans:spans",
    ),
    Command(
        "stream",
        "Evaluate SUBMISSIONS of more units than memory holds against GOLD.",
        "qeframe.cli.commands.stream:stream",
    ),
    Command(
        "trace", "Print the way from files to the score of SUBMISSION under METRIC.", "qeframe.cli.commands.trace:trace"
    ),
    Command("trust", "Say which measures can be trusted on the data in PATH.", "qeframe.cli.commands.trust:trust"),
    Command(
        "validate",
        "Check the submission PATH, or all submissions in the folder PATH, as PROFILE reads them.",
        "qeframe.cli.commands.validate:validate",
    ),
]
