"""Competitions: what a plugin needs that prepares shared tasks for a platform, and scores what is handed in there."""

from qeframe.api.evaluate import evaluate
from qeframe.core.aggregation import aggregate
from qeframe.core.component import at_work
from qeframe.core.entry_points import COMMAND_GROUP
from qeframe.core.hookspecs import GROUP
from qeframe.core.processes import temporary_folder
from qeframe.core.profile import Profile
from qeframe.core.registry import Registry
from qeframe.data.align import check_unique, check_units
from qeframe.data.folders import gold_folders
from qeframe.data.reader_checks import read_submission
from qeframe.data.validate import check_defined, validate_submission
from qeframe.report.html.tables_page import tables_page
from qeframe.report.result_files.evaluation_folder import profile_to_toml
from qeframe.report.result_files.files import write_file
from qeframe.report.tables.records import submitted_table

__all__ = [
    "COMMAND_GROUP",
    "GROUP",
    "Profile",
    "Registry",
    "aggregate",
    "at_work",
    "check_defined",
    "check_unique",
    "check_units",
    "evaluate",
    "gold_folders",
    "profile_to_toml",
    "read_submission",
    "submitted_table",
    "tables_page",
    "temporary_folder",
    "validate_submission",
    "write_file",
]
