"""The folder of an audit: the page for readers, the JSON, the heat map."""

from __future__ import annotations

import os
from pathlib import Path

from qeframe.gaming.audit import Audit
from qeframe.report.figures.audit_map import audit_figure
from qeframe.report.figures.canvas import available, images, styled
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.tables.audits import attack_table, audit_summary, audit_tables, claims_table, counterexample_lines
from qeframe.report.write import NO_FIGURES, Report, write_files

__all__ = ["audit_page", "write_audit"]

_INTRODUCTION = """\
A metric can be gamed if a submission that is no better gets a better score. Every metric below was attacked by
strategies that need no good model: **blind** ones, which know what any participant could know, and **cosmetic** ones,
which dress up an honest submission. The **gaming index** says how far the best of them gets: 0 is honest chance (or the
honest submission as it was), 1 is the score of the gold itself. **Informed** attacks, which know a part of the truth,
and **selection**, the luckiest of several tries, are told beside it and do not count.
"""


def audit_page(audit: Audit, *, command: str = "") -> str:
    """Return an audit as a page of Markdown: the summary, the matrices, the claims, the counterexamples.

    Parameters
    ----------
    command : str
        The command that makes the page, to be named on it.
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
    """Return a line with the example set as code, where brackets and stars mean nothing."""
    return "`" + line.replace("`", "'") + "`"


def write_audit(audit: Audit, out: str | os.PathLike[str], *, command: str = "") -> Report:
    """Write ``audit.md``, ``audit.json`` and, if matplotlib is installed, ``audit.svg`` and ``.png`` into a folder.

    Raises
    ------
    DataError
        If the folder cannot be written to.
    """
    files = {"audit.md": audit_page(audit, command=command).encode(), "audit.json": audit.to_json().encode()}
    notes: tuple[str, ...] = ()
    if available():
        with styled():
            figure = audit_figure(audit)
            drawn = images(figure) if figure is not None else {}
        files |= {f"audit.{form}": content for form, content in drawn.items()}
    else:
        notes = (NO_FIGURES,)
    folder = Path(out)
    write_files(folder, files)
    return Report(tuple(folder / name for name in files), notes)
