"""Presenting an evaluation: tables, figures and the folder that holds them all.

A `Table` is the one source of its cells; `as_markdown`, `as_latex`, `as_tsv` and `print_table` only lay it out.
Figures need matplotlib, which is imported when the first one is drawn.
"""

from qeframe.report.audit_page import audit_page, write_audit
from qeframe.report.layouts.latex import as_latex
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.layouts.terminal import as_text, print_table
from qeframe.report.layouts.tsv import as_tsv
from qeframe.report.tables.audits import attack_table, audit_summary, audit_tables, claims_table, counterexample_lines
from qeframe.report.tables.comparisons import comparison_list, pair_table
from qeframe.report.tables.distinctions import distinction_table
from qeframe.report.tables.explanations import explanations
from qeframe.report.tables.leaderboard import central_ranks, leaderboard
from qeframe.report.tables.records import comparison_records, score_records
from qeframe.report.write import Report, write_files, write_report

__all__ = [
    "Cell",
    "Column",
    "Report",
    "Table",
    "as_latex",
    "as_markdown",
    "as_text",
    "as_tsv",
    "attack_table",
    "audit_page",
    "audit_summary",
    "audit_tables",
    "central_ranks",
    "claims_table",
    "comparison_list",
    "comparison_records",
    "counterexample_lines",
    "distinction_table",
    "explanations",
    "leaderboard",
    "pair_table",
    "print_table",
    "score_records",
    "write_audit",
    "write_files",
    "write_report",
]
