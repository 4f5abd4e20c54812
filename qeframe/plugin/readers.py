"""Readers: files, their lines, language pairs, what a reader returns and a task."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.reader import ExampleRequest, Files, Reader
    from qeframe.core.reading import (
        Assessments,
        Reading,
        Submitted,
        TextFile,
        TextFiles,
        TranslationScores,
        UnitValues,
        Written,
        z_scores,
    )
    from qeframe.core.submission_format import LineFormat, SubmissionFormat
    from qeframe.core.task import Dropped, Input, Submission, SubmissionKind, Task, is_pair
    from qeframe.data.align import and_more
    from qeframe.data.columns import Columns, spelled
    from qeframe.data.file_bytes import file_bytes
    from qeframe.data.folders import (
        TaskFolder,
        find_tasks,
        gold_by_line,
        gold_folders,
        has_file,
        has_folder,
        is_added,
        visible,
    )
    from qeframe.data.language_pairs import check_pairs, language_code, pair_code
    from qeframe.data.numbers import decimals
    from qeframe.data.table_files import read_table
    from qeframe.data.tables import ABSENT, Layout, Separator, TableColumns, columns_by_name, columns_in
    from qeframe.data.text_lines import (
        input_of,
        parse_ids,
        parse_numbers,
        plain_numbers,
        read_text_lines,
        refuse_marks,
        split_columns,
        split_line,
        text_of_bytes,
    )
    from qeframe.kinds.detections.number_lines import numbers_by_token, parse_classes
    from qeframe.kinds.plain_files import parse_plain, parse_plain_sides
    from qeframe.kinds.tags.lines import check_lengths, check_lines
    from qeframe.kinds.tidy import Roles, check_roles, tidy_readings

__all__ = [
    "ABSENT",
    "Assessments",
    "Columns",
    "Dropped",
    "ExampleRequest",
    "Files",
    "Input",
    "Layout",
    "LineFormat",
    "Reader",
    "Reading",
    "Roles",
    "Separator",
    "Submission",
    "SubmissionFormat",
    "SubmissionKind",
    "Submitted",
    "TableColumns",
    "Task",
    "TaskFolder",
    "TextFile",
    "TextFiles",
    "TranslationScores",
    "UnitValues",
    "Written",
    "and_more",
    "check_lengths",
    "check_lines",
    "check_pairs",
    "check_roles",
    "columns_by_name",
    "columns_in",
    "decimals",
    "file_bytes",
    "find_tasks",
    "gold_by_line",
    "gold_folders",
    "has_file",
    "has_folder",
    "input_of",
    "is_added",
    "is_pair",
    "language_code",
    "numbers_by_token",
    "pair_code",
    "parse_classes",
    "parse_ids",
    "parse_numbers",
    "parse_plain",
    "parse_plain_sides",
    "plain_numbers",
    "read_table",
    "read_text_lines",
    "refuse_marks",
    "spelled",
    "split_columns",
    "split_line",
    "text_of_bytes",
    "tidy_readings",
    "visible",
    "z_scores",
]
_NAMES = {
    "qeframe.core.reader": ["ExampleRequest", "Files", "Reader"],
    "qeframe.core.task": ["Dropped", "Input", "Submission", "SubmissionKind", "Task", "is_pair"],
    "qeframe.data.align": ["and_more"],
    "qeframe.data.columns": ["Columns", "spelled"],
    "qeframe.data.file_bytes": ["file_bytes"],
    "qeframe.data.folders": [
        "TaskFolder",
        "find_tasks",
        "gold_by_line",
        "gold_folders",
        "has_file",
        "has_folder",
        "is_added",
        "visible",
    ],
    "qeframe.data.language_pairs": ["check_pairs", "language_code", "pair_code"],
    "qeframe.data.numbers": ["decimals"],
    "qeframe.core.reading": [
        "Assessments",
        "Reading",
        "Submitted",
        "TextFile",
        "TextFiles",
        "TranslationScores",
        "UnitValues",
        "Written",
        "z_scores",
    ],
    "qeframe.core.submission_format": ["LineFormat", "SubmissionFormat"],
    "qeframe.data.table_files": ["read_table"],
    "qeframe.data.tables": ["ABSENT", "Layout", "Separator", "TableColumns", "columns_by_name", "columns_in"],
    "qeframe.data.text_lines": [
        "input_of",
        "parse_ids",
        "parse_numbers",
        "plain_numbers",
        "read_text_lines",
        "refuse_marks",
        "split_columns",
        "split_line",
        "text_of_bytes",
    ],
    "qeframe.kinds.detections.number_lines": ["numbers_by_token", "parse_classes"],
    "qeframe.kinds.plain_files": ["parse_plain", "parse_plain_sides"],
    "qeframe.kinds.tags.lines": ["check_lengths", "check_lines"],
    "qeframe.kinds.tidy": ["Roles", "check_roles", "tidy_readings"],
}
__getattr__, __dir__ = lazy_names(__name__, _NAMES)
