"""Results as tables, figures and folders of files.

`tables` makes a `Table` from a result: a value that holds the text of its cells. `layouts` writes a table for a
terminal, Markdown, LaTeX or TSV, and does not change the text. `figures` draws with matplotlib, which is imported when
the first figure is drawn. `pages` writes the folder of an evaluation or of an audit. Nothing is computed here that a
result lacks. The package below is `qeframe.gaming`.
Names are imported on first use: a run that prints a leaderboard needs no page of HTML and no table of an audit.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qeframe.report.layouts.latex import as_latex
    from qeframe.report.layouts.markdown import as_markdown
    from qeframe.report.layouts.table import Cell, Column, Table
    from qeframe.report.layouts.terminal import as_text, print_table
    from qeframe.report.layouts.tsv import as_tsv
    from qeframe.report.pages.audit_folder import (
        audit_html,
        audit_page,
        gains_html,
        gains_page,
        write_audit,
        write_gains,
    )
    from qeframe.report.pages.evaluation_folder import write_report
    from qeframe.report.pages.files import Report, write_files
    from qeframe.report.tables.comparisons import comparison_list, pair_table
    from qeframe.report.tables.explanations import explanations
    from qeframe.report.tables.influence import influence_tables
    from qeframe.report.tables.leaderboard import central_ranks, leaderboard
    from qeframe.report.tables.parts import MOST_PARTS, part_records, parts_table
    from qeframe.report.tables.records import comparison_records, score_records
    from qeframe.report.tables.studies.audit_finds import finds_table, recipe_lines
    from qeframe.report.tables.studies.audit_gains import gain_tables
    from qeframe.report.tables.studies.audits import (
        attack_table,
        audit_summary,
        audit_tables,
        claims_table,
        counterexample_lines,
    )
    from qeframe.report.tables.studies.calibration import calibration_page, calibration_table
    from qeframe.report.tables.studies.distinctions import distinction_table
    from qeframe.report.tables.studies.power import curve_records, power_records, power_table
    from qeframe.report.tables.studies.sampling import sampling_table

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
    "attack_table",
    "audit_html",
    "audit_page",
    "audit_summary",
    "audit_tables",
    "calibration_page",
    "calibration_table",
    "central_ranks",
    "claims_table",
    "comparison_list",
    "comparison_records",
    "counterexample_lines",
    "curve_records",
    "distinction_table",
    "explanations",
    "finds_table",
    "gain_tables",
    "gains_html",
    "gains_page",
    "influence_tables",
    "leaderboard",
    "pair_table",
    "part_records",
    "parts_table",
    "power_records",
    "power_table",
    "print_table",
    "recipe_lines",
    "sampling_table",
    "score_records",
    "write_audit",
    "write_files",
    "write_gains",
    "write_report",
]

_NAMES_OF = {
    "layouts.latex": ["as_latex"],
    "layouts.markdown": ["as_markdown"],
    "layouts.table": ["Cell", "Column", "Table"],
    "layouts.terminal": ["as_text", "print_table"],
    "layouts.tsv": ["as_tsv"],
    "pages.audit_folder": ["audit_html", "audit_page", "gains_html", "gains_page", "write_audit", "write_gains"],
    "pages.evaluation_folder": ["write_report"],
    "pages.files": ["Report", "write_files"],
    "tables.comparisons": ["comparison_list", "pair_table"],
    "tables.explanations": ["explanations"],
    "tables.influence": ["influence_tables"],
    "tables.leaderboard": ["central_ranks", "leaderboard"],
    "tables.parts": ["MOST_PARTS", "part_records", "parts_table"],
    "tables.records": ["comparison_records", "score_records"],
    "tables.studies.audit_finds": ["finds_table", "recipe_lines"],
    "tables.studies.audit_gains": ["gain_tables"],
    "tables.studies.audits": ["attack_table", "audit_summary", "audit_tables", "claims_table", "counterexample_lines"],
    "tables.studies.calibration": ["calibration_page", "calibration_table"],
    "tables.studies.distinctions": ["distinction_table"],
    "tables.studies.power": ["curve_records", "power_records", "power_table"],
    "tables.studies.sampling": ["sampling_table"],
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'qeframe.report' has no attribute '{name}'")
    return getattr(importlib.import_module(f"qeframe.report.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
