"""The folder of an audit: a page of Markdown, JSON and a heat map."""

from __future__ import annotations

import os
from pathlib import Path

from qeframe.gaming.audit import Audit
from qeframe.report.figures.audit_map import audit_figure
from qeframe.report.figures.style import available, images, styled
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.pages.files import NO_FIGURES, Report, write_files
from qeframe.report.tables.audits import attack_table, audit_summary, audit_tables, claims_table, counterexample_lines

__all__ = ["audit_page", "write_audit"]

_INTRODUCTION = """\
A metric can be gamed if a submission that is not better gets a better score. Every metric below was attacked by
strategies that need no good model. **Blind** attacks know what any participant could know. **Cosmetic** attacks change
an honest submission without adding information. The **gaming index** measures the best of them: 0 is honest chance (or
the unchanged honest submission), 1 is the score of the gold itself. **Informed** attacks know a part of the truth.
**Selection** attacks keep the best of several tries. Both are reported, but not counted in the index.
"""


def audit_page(audit: Audit, *, command: str = "") -> str:
    """Return an audit as a page of Markdown: the summary, the matrices, the claims, the counterexamples.

    Parameters
    ----------
    command : str
        The command that makes the page; it is written on the page.
    """
    summary = as_markdown(audit_summary(audit))
    heading, _, table = summary.partition("\n")
    parts = [heading, *([f"<!-- made by: {command} -->"] if command else []), _INTRODUCTION, table.strip()]
    tables = audit_tables(audit) if len(audit.metrics) > 1 else [attack_table(metric) for metric in audit.metrics]
    parts += [f"#{as_markdown(table).strip()}" for table in [*tables, claims_table(audit)]]
    lines = [f"- {_code(line)}" for metric in audit.metrics for line in counterexample_lines(metric)]
    if lines:
        parts += ["## Counterexamples", "\n".join(lines)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _code(line: str) -> str:
    """Return a line as code, in which brackets and stars are not Markdown."""
    return "`" + line.replace("`", "'") + "`"


def write_audit(audit: Audit, out: str | os.PathLike[str], *, command: str = "") -> Report:
    """Write ``audit.md``, ``audit.json`` and, if matplotlib is installed, ``audit.svg`` and ``.png`` into a folder.

    Raises
    ------
    DataError
        As for `write_report`.
    """
    files = {
        "audit.md": audit_page(audit, command=command).encode("utf-8", "backslashreplace"),
        "audit.json": audit.to_json().encode(),
    }
    notes: tuple[str, ...] = ()
    if available():
        with styled():
            figure = audit_figure(audit)
            drawn = images(figure) if figure is not None else {}
        files |= {f"audit.{form}": content for form, content in drawn.items()}
    else:
        notes = (NO_FIGURES,)
    write_files(out, files)
    return Report(tuple(Path(out) / name for name in files), notes)
