"""What is known of plugins before any is imported: their commands, and who is blocked.

The list of commands needs it, so it imports no numpy.
"""

from __future__ import annotations

import os
from typing import NamedTuple

COMMAND_GROUP = "qeframe.commands"
"""The group of entry points that name modules with a table of commands."""


class Command(NamedTuple):
    """A line of the table ``COMMANDS`` of a module that an entry point of the group ``qeframe.commands`` names.

    Parameters
    ----------
    name : str
        The word after ``qeframe``: lower case and digits, with hyphens between words.
    summary : str
        The first sentence of its help, with a full stop. The list of commands shows it and imports no command.
    path : str
        The module and the name of the command of click in it: ``"my_package.commands:my_command"``.
    """

    name: str
    summary: str
    path: str


def block_list(text: str | None = None) -> tuple[str, ...]:
    """Return the names of plugins to leave out, by default those in QEFRAME_BLOCK, between commas or blanks."""
    listed = os.environ.get("QEFRAME_BLOCK", "") if text is None else text
    return tuple(sorted(set(listed.replace(",", " ").split())))
