"""Commands of the command line: what a table states, and options that they share. It imports nothing heavy."""

from qeframe.cli.shared.command_line import command_line
from qeframe.cli.shared.completion import complete_list, complete_name, completions
from qeframe.cli.shared.json_lines import write_json, write_line, write_lines
from qeframe.cli.shared.options import (
    DecimalNumber,
    WholeNumber,
    json_option,
    jsonl_option,
    out_option,
    path_type,
    quiet_option,
    seed_option,
)
from qeframe.cli.shared.pages import write_page
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.result_folder import take_out
from qeframe.core.entry_points import Command

__all__ = [
    "Command",
    "DecimalNumber",
    "WholeNumber",
    "command_line",
    "complete_list",
    "complete_name",
    "completions",
    "json_option",
    "jsonl_option",
    "out_option",
    "path_type",
    "quiet_option",
    "seed_option",
    "take_out",
    "working",
    "write_json",
    "write_line",
    "write_lines",
    "write_page",
]
