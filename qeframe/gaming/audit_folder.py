"""The folder of an audit: a page of HTML, a page of Markdown, JSON, and a heat map if it is asked for."""

import os
from pathlib import Path
from typing import Any, Literal

from qeframe.gaming.audit import Audit
from qeframe.gaming.audit_map import audit_figure
from qeframe.gaming.gains import Gains
from qeframe.gaming.tables.audits import (
    attack_table,
    audit_summary,
    audit_tables,
    claims_table,
    counterexample_lines,
    gain_tables,
)
from qeframe.gaming.tables.finds import finds_table, recipe_lines
from qeframe.report.figures.style import available, images, styled
from qeframe.report.html.tables_page import tables_page
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.result_files.evaluation_schema import schema_in
from qeframe.report.result_files.files import NO_FIGURES, Report, write_files

_INTRODUCTION = """\
A metric can be gamed if a submission that is not better gets a better score. Every metric below was attacked by
strategies that need no good model. **Blind** attacks know what any participant could know. **Cosmetic** attacks change
an honest submission without adding information. The **gaming index** measures the best of them: 0 is honest chance (or
the unchanged honest submission), 1 is the score of the gold itself. **Informed** attacks know a part of the truth.
**Selection** attacks keep the best of several tries. Both are reported, but not counted in the index.
"""


_TITLES = {True: "Which attacks does a search find?", False: "Which metrics can you trust?"}
_GAIN_TITLE = "What could each submission gain?"
_OF_GAINS = """\
What would each submission gain if it transformed its own answers, with nothing that it did not know before? A metric
that rewards such a transformation measures something else beside the quality of single answers. Of a submission with a
large gain, more of the score is left to be had without being better.
"""


def audit_page(audit: Audit, *, command: str = "", given: str = "") -> str:
    """Return an audit as a page of Markdown: the summary, what was found, the matrices, the claims, counterexamples.

    Parameters
    ----------
    command : str
        The command that makes the page; it is written on the page.
    given : str
        The words of a command that name the gold, if it was given.
    """
    searched = any(metric.searched for metric in audit.metrics)
    summary = as_markdown(audit_summary(audit, _TITLES[searched]))
    heading, _, table = summary.partition("\n")
    parts = [heading, *([f"<!-- made by: {command} -->"] if command else []), _INTRODUCTION, table.strip()]
    if searched:
        parts += [f"#{as_markdown(finds_table(audit)).strip()}"]
        parts += ["\n".join(["```sh", *recipes, "```"])] if (recipes := recipe_lines(audit, given)) else []
    tables = audit_tables(audit) if len(audit.metrics) > 1 else [attack_table(metric) for metric in audit.metrics]
    parts += [f"#{as_markdown(table).strip()}" for table in [*tables, claims_table(audit)]]
    lines = [f"- {_code(line)}" for metric in audit.metrics for line in counterexample_lines(metric)]
    if lines:
        parts += ["## Counterexamples", "\n".join(lines)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _code(line: str) -> str:
    """Return a line as code, in which brackets and stars are not Markdown."""
    return "`" + line.replace("`", "'") + "`"


def audit_html(audit: Audit, *, command: str = "", given: str = "") -> str:
    """Return an audit as a page of HTML, with the content of `audit_page`."""
    several = len(audit.metrics) > 1
    searched = any(metric.searched for metric in audit.metrics)
    tables_of_finds = [finds_table(audit)] if searched else []
    recipes = recipe_lines(audit, given) if searched else []
    tables = audit_tables(audit) if several else [attack_table(metric) for metric in audit.metrics]
    return tables_page(
        "Gaming audit" if several else f"Gaming audit of {audit.metrics[0].metric}",
        [audit_summary(audit, _TITLES[searched]), *tables_of_finds, *tables, claims_table(audit)],
        introduction=" ".join(_INTRODUCTION.replace("**", "").split()),
        notes=audit.notes,
        listed=[*recipes, *(line for metric in audit.metrics for line in counterexample_lines(metric))],
        command=command,
    )


def gains_page(gains: Gains, *, command: str = "") -> str:
    """Return the gains of submissions as a page of Markdown, with a table for each metric and task."""
    parts = [f"# {_GAIN_TITLE}", *([f"<!-- made by: {command} -->"] if command else []), _OF_GAINS]
    parts += [f"#{as_markdown(table).strip()}" for table in gain_tables(gains)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def write_gains(gains: Gains, out: str | os.PathLike[str], *, command: str = "") -> Report:
    """Write ``report.html``, ``gains.md`` and ``gains.json`` into a folder.

    Raises
    ------
    DataError
        As for `write_report`.
    """
    page = gains_page(gains, command=command).encode("utf-8", "backslashreplace")
    html = gains_html(gains, command=command).encode("utf-8", "backslashreplace")
    files = {"report.html": html, "gains.md": page, "gains.json": gains.to_json().encode()}
    write_files(out, files)
    return Report(tuple(Path(out) / name for name in files), ())


def gains_html(gains: Gains, *, command: str = "") -> str:
    """Return the gains of submissions as a page of HTML, with the content of `gains_page`."""
    introduction = " ".join(_OF_GAINS.split())
    return tables_page(_GAIN_TITLE, gain_tables(gains), introduction=introduction, notes=gains.notes, command=command)


def write_audit(
    audit: Audit,
    out: str | os.PathLike[str],
    *,
    command: str = "",
    given: str = "",
    figures: Literal["none", "svg", "png"] = "none",
) -> Report:
    """Write ``report.html``, ``audit.md``, ``audit.json`` and, if a format is asked for, a heat map into a folder.

    Raises
    ------
    DataError
        As for `write_report`.
    """
    files = {
        "report.html": audit_html(audit, command=command, given=given).encode("utf-8", "backslashreplace"),
        "audit.md": audit_page(audit, command=command, given=given).encode("utf-8", "backslashreplace"),
        "audit.json": audit.to_json().encode(),
    }
    notes: tuple[str, ...] = ()
    if figures != "none" and not available():
        notes = (NO_FIGURES,)
    elif figures != "none":
        with styled():
            if (figure := audit_figure(audit)) is not None:
                files[f"audit.{figures}"] = images(figure, [figures])[figures]
    write_files(out, files)
    return Report(tuple(Path(out) / name for name in files), notes)


def audit_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every ``audit.json`` of this version keeps.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, "audit.schema.json")
