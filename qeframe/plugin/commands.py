"""Commands of the command line: what a table states, and options that they share. It imports nothing heavy."""

from qeframe.cli.shared.completion import complete_list, complete_name
from qeframe.cli.shared.json_lines import write_json, write_line, write_lines
from qeframe.cli.shared.options import (
    DecimalNumber,
    WholeNumber,
    json_option,
    jsonl_option,
    path_type,
    quiet_option,
    seed_option,
)
from qeframe.core.entry_points import Command

__all__ = [
    "Command",
    "DecimalNumber",
    "WholeNumber",
    "complete_list",
    "complete_name",
    "json_option",
    "jsonl_option",
    "path_type",
    "quiet_option",
    "seed_option",
    "write_json",
    "write_line",
    "write_lines",
]
