"""Commands of the command line: what a table states, and options that they share.

A table is read for the list of commands: the options are imported on first use.
"""

from qeframe.cli.shared.options import WholeNumber, complete_profile, json_option, path_type, quiet_option, set_option
from qeframe.cli.shared.standard_streams import write_json
from qeframe.core.entry_points import Command

__all__ = [
    "Command",
    "WholeNumber",
    "complete_profile",
    "json_option",
    "path_type",
    "quiet_option",
    "set_option",
    "write_json",
]
