"""What is known of plugins before any is imported: where they come from, their commands, and who is blocked.

The list of commands needs it, so it imports neither numpy nor attrs.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

COMMAND_GROUP = "qeframe.commands"
"""The group of entry points that name modules with a table of commands."""


class Origin(NamedTuple):
    """Where a component comes from."""

    plugin: str
    distribution: str
    version: str

    def has_name(self, name: str) -> bool:
        """Return whether a name means what comes from there: of an entry point, or of a distribution."""
        asked, own = (re.sub("[-_.]+", "-", each).lower() for each in (name, self.distribution))
        return name == self.plugin or asked == own

    def __str__(self) -> str:
        return f"plugin '{self.plugin}' of distribution '{f'{self.distribution} {self.version}'.strip()}'"


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
