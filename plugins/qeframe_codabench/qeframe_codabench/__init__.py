"""Shared tasks on Codabench: the command ``bundle``, and the program in a bundle that scores one submission.

A submission is a stranger's. `submission_files` follows no link, and `scoring` evaluates it beside the gold, as
``qeframe run`` does; no message or page shows what the gold holds.
"""

from qeframe.plugin.commands import Command

COMMANDS = [
    Command(
        name="bundle",
        summary="Prepare a shared task for Codabench, which scores submissions.",
        path="qeframe_codabench.bundle_command:bundle",
    )
]
