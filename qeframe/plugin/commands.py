"""Commands of the command line: what a table states, and options that they share.

A table is read for the list of commands: the options are imported on first use.
"""

from typing import TYPE_CHECKING

from qeframe.core.entry_points import Command
from qeframe.lazy_names import lazy_names

if TYPE_CHECKING:
    from qeframe.cli.shared.command_line import command_line
    from qeframe.cli.shared.options import (
        DecimalNumber,
        LeavingOut,
        WholeNumber,
        complete_profile,
        json_option,
        leaving_out_options,
        out_option,
        path_type,
        quiet_option,
        seed_option,
        set_option,
    )
    from qeframe.cli.shared.pages import take_out, write_page, written_to
    from qeframe.cli.shared.progress import working
    from qeframe.cli.shared.standard_streams import write_json

__all__ = [
    "Command",
    "DecimalNumber",
    "LeavingOut",
    "WholeNumber",
    "command_line",
    "complete_profile",
    "json_option",
    "leaving_out_options",
    "out_option",
    "path_type",
    "quiet_option",
    "seed_option",
    "set_option",
    "take_out",
    "working",
    "write_json",
    "write_page",
    "written_to",
]

__getattr__, __dir__ = lazy_names(__name__)
