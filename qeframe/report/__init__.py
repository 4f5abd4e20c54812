"""Results as tables, figures and folders of files.

`tables` makes a `Table` from a result: a value that holds the text of its cells. `layouts` writes a table for a
terminal, Markdown, LaTeX or TSV, and does not change the text. `figures` draws with matplotlib, which is imported when
the first figure is drawn. `html` makes pages, and `result_files` writes the folder of an evaluation. Nothing is
computed here that a result lacks. The tables of audits and studies are in `qeframe.gaming` and `qeframe.studies`.
Names are imported on first use: a run that prints a leaderboard needs no page of HTML.
"""

from typing import TYPE_CHECKING

from qeframe.lazy_names import lazy_names

if TYPE_CHECKING:
    from qeframe.report.layouts.latex import as_latex, latex_notes
    from qeframe.report.layouts.markdown import as_markdown
    from qeframe.report.layouts.table import Cell, Column, Table
    from qeframe.report.layouts.terminal import as_text, print_table
    from qeframe.report.layouts.tsv import as_tsv
    from qeframe.report.result_files.evaluation_folder import write_report
    from qeframe.report.result_files.files import Report, evaluation_schema, files_of_tables, write_files
    from qeframe.report.tables.comparisons import comparison_list, pair_table
    from qeframe.report.tables.explanations import explanations, supplement_tables
    from qeframe.report.tables.leaderboard import leaderboard
    from qeframe.report.tables.parts import MOST_PARTS, part_records, parts_table
    from qeframe.report.tables.rank_ranges import central_ranks
    from qeframe.report.tables.records import comparison_records, score_records

__all__ = [
    "MOST_PARTS",
    "Cell",
    "Column",
    "Report",
    "Table",
    "as_latex",
    "as_markdown",
    "as_text",
    "as_tsv",
    "central_ranks",
    "comparison_list",
    "comparison_records",
    "evaluation_schema",
    "explanations",
    "files_of_tables",
    "latex_notes",
    "leaderboard",
    "pair_table",
    "part_records",
    "parts_table",
    "print_table",
    "score_records",
    "supplement_tables",
    "write_files",
    "write_report",
]

_NAMES = {
    "qeframe.report.layouts.latex": ["as_latex", "latex_notes"],
    "qeframe.report.layouts.markdown": ["as_markdown"],
    "qeframe.report.layouts.table": ["Cell", "Column", "Table"],
    "qeframe.report.layouts.terminal": ["as_text", "print_table"],
    "qeframe.report.layouts.tsv": ["as_tsv"],
    "qeframe.report.result_files.evaluation_folder": ["write_report"],
    "qeframe.report.result_files.files": ["Report", "evaluation_schema", "files_of_tables", "write_files"],
    "qeframe.report.tables.comparisons": ["comparison_list", "pair_table"],
    "qeframe.report.tables.explanations": ["explanations", "supplement_tables"],
    "qeframe.report.tables.leaderboard": ["leaderboard"],
    "qeframe.report.tables.parts": ["MOST_PARTS", "part_records", "parts_table"],
    "qeframe.report.tables.rank_ranges": ["central_ranks"],
    "qeframe.report.tables.records": ["comparison_records", "score_records"],
}
__getattr__, __dir__ = lazy_names(__name__, _NAMES)
