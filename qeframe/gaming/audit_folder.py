"""The folder of an audit: a page of HTML, a page of Markdown, JSON, and the heat map."""

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attrs import frozen

from qeframe.gaming.audit import Audit, AuditedMetric
from qeframe.gaming.tables.audits import (
    attack_table,
    audit_summary,
    audit_tables,
    claims_table,
    counterexample_lines,
    gain_tables,
    groups_by_attacks,
)
from qeframe.gaming.tables.finds import finds_table, recipe_lines
from qeframe.gaming.winner import Gains
from qeframe.report.figures.style import GRAY, INK, available, images, shortened, styled
from qeframe.report.html.tables_page import tables_page
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.layouts.number_format import format_number
from qeframe.report.layouts.table import Table
from qeframe.report.result_files.files import NO_FIGURES, Report, schema_in, write_files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDE, _HIGH = 0.34, 0.2
"""Width and height of a cell in inches."""
_LEFT, _TOP, _GAP = 2.3, 1.05, 0.1
_STEPS = ((0.5, "#7f2704"), (0.2, "#d94801"), (0.1, "#fd8d3c"), (0.05, "#fdbe85"), (0.02, "#feedde"))
"""The smallest index of each color."""
_FREE, _OUTSIDE = "#ffffff", "#e4ebf1"


def audit_figure(audit: Audit, *, most: int = 60) -> "Figure | None":
    """Return a map of all metrics by all attacks, one block for each group of attacks; None without attacks.

    The cell of a blind or cosmetic attack has the color of its index; indices below .02 are white. The cell of an
    informed or selection attack, which is not counted in the gaming index, is gray-blue.
    """
    from qeframe.report.figures.drawn_figure import DrawnFigure

    groups = [group[:most] for group in groups_by_attacks(audit) if group[0].attacks]
    if not groups:
        return None
    widest = max(len(group[0].attacks) for group in groups) + 1
    width = _LEFT + _WIDE * widest + 0.2
    heights = [_TOP + _HIGH * len(group) + _GAP for group in groups]
    figure = DrawnFigure(figsize=(width, sum(heights)))
    bottom = sum(heights)
    for group, height in zip(groups, heights, strict=True):
        bottom -= height
        columns = len(group[0].attacks) + 1
        total = sum(heights)
        size = _WIDE * columns / width, _HIGH * len(group) / total
        _draw_group(figure.add_axes((_LEFT / width, (bottom + _GAP) / total, *size)), group)
    return figure


def _draw_group(axes: "Axes", group: Sequence[AuditedMetric]) -> None:
    from matplotlib.patches import Rectangle

    attacks = group[0].attacks
    axes.set_xlim(0, len(attacks) + 1)
    axes.set_ylim(len(group), 0)
    for row, metric in enumerate(group):
        cells = [(metric.gaming_index, True), *((attacked.index, attacked.counts) for attacked in metric.attacks)]
        for column, (value, counts) in enumerate(cells):
            color = color_of(value) if counts else _OUTSIDE
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=color, edgecolor="#dddddd", linewidth=0.5))
            if not math.isnan(value) and value >= 0.02:
                ink = "white" if counts and value >= 0.2 else INK
                weight = "bold" if column == 0 else "normal"
                axes.text(
                    column + 0.5,
                    row + 0.53,
                    format_number(value, 2).removeprefix("0"),
                    ha="center",
                    va="center",
                    fontsize=6,
                    color=ink,
                    weight=weight,
                )
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_yticks([row + 0.5 for row in range(len(group))], [shortened(metric.metric, 44) for metric in group])
    names = ["gaming index", *(attacked.attack for attacked in attacks)]
    axes.set_xticks(
        [column + 0.5 for column in range(len(names))], names, rotation=60, ha="left", rotation_mode="anchor"
    )
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=7)
    for number, label in enumerate(axes.get_xticklabels()):
        counts = number == 0 or attacks[number - 1].counts
        label.set_color(INK if counts else GRAY)
        label.set_fontweight("bold" if number == 0 else "normal")
    for spine in axes.spines.values():
        spine.set_visible(False)


def color_of(value: float) -> str:
    """Return the color of an index."""
    if math.isnan(value):
        return "#cccccc"
    return next((color for least, color in _STEPS if value >= least), _FREE)


_INTRODUCTION = """\
A metric can be gamed if a submission that is not better gets a better score. Every metric below was attacked by
strategies that need no good model. **Blind** attacks know what any participant could know. **Cosmetic** attacks change
an honest submission without adding information. The **gaming index** measures the best of them: 0 is honest chance (or
the unchanged honest submission), 1 is the score of the gold itself. **Informed** attacks know a part of the truth.
**Selection** attacks keep the best of several tries. Both are reported, but not counted in the index.
"""


_OF_GAINS = """\
What would each submission gain if it transformed its own answers, with nothing that it did not know before? A metric
that rewards such a transformation measures something else beside the quality of single answers. Of a submission with a
large gain, more of the score is left to be had without being better.
"""
_TITLES = {True: "Which attacks does a search find?", False: "Which metrics can you trust?"}


def audit_parts(audit: Audit, title: str = "") -> list[Table]:
    """Return all tables of an audit: the summary, what was found, the matrices or the attacks of one metric, claims."""
    searched = any(metric.searched for metric in audit.metrics)
    tables = audit_tables(audit) if len(audit.metrics) > 1 else [attack_table(metric) for metric in audit.metrics]
    summary = audit_summary(audit, title or _TITLES[searched])
    return [summary, *([finds_table(audit)] if searched else []), *tables, claims_table(audit)]


def counterexamples(audit: Audit) -> list[str]:
    """Return a line for each claim that does not hold."""
    return [line for metric in audit.metrics for line in counterexample_lines(metric)]


@frozen
class _Content:
    """What the pages of a result have.

    `title`: of the page of HTML. `heading`: of that of Markdown. `recipes`: commands that measure
    what was found again. `lines`: counterexamples.
    """

    title: str
    heading: str
    introduction: str
    tables: Sequence[Table]
    recipes: Sequence[str] = ()
    lines: Sequence[str] = ()


def _content(result: Audit | Gains, given: str) -> _Content:
    if isinstance(result, Gains):
        title = "What could each submission gain?"
        return _Content(title, title, _OF_GAINS, gain_tables(result))
    title = "Gaming audit" if len(result.metrics) > 1 else f"Gaming audit of {result.metrics[0].metric}"
    tables, recipes = audit_parts(result), recipe_lines(result, given)
    return _Content(title, tables[0].title, _INTRODUCTION, tables, recipes, counterexamples(result))


def audit_page(result: Audit | Gains, *, command: str = "", given: str = "") -> str:
    """Return an audit, or the gains of submissions, as a page of Markdown.

    It has the tables, how to measure what was found again, and counterexamples.

    Parameters
    ----------
    result : Audit or Gains
    command : str
        The command that makes the page; it is written on the page.
    given : str
        The words of a command that name the gold, if it was given.
    """
    content = _content(result, given)
    parts = []
    for table in content.tables:
        heading, _, below = as_markdown(table).partition("\n")
        parts.append(below if table.title == content.heading else f"#{heading}\n{below}")
    if content.recipes:
        parts.insert(2, "\n".join(["```sh", *content.recipes, "```"]))
    if content.lines:
        parts += ["## Counterexamples", "\n".join(f"- {_code(line)}" for line in content.lines)]
    made_by = [f"<!-- made by: {command} -->"] if command else []
    parts = [f"# {content.heading}", *made_by, content.introduction, *parts]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _code(line: str) -> str:
    """Return a line as code, in which brackets and stars are not Markdown."""
    return "`" + line.replace("`", "'") + "`"


def audit_html(result: Audit | Gains, *, command: str = "", given: str = "") -> str:
    """Return an audit, or the gains of submissions, as a page of HTML, with the content of `audit_page`."""
    content = _content(result, given)
    return tables_page(
        content.title,
        content.tables,
        introduction=" ".join(content.introduction.replace("**", "").split()),
        notes=result.notes,
        listed=[*content.recipes, *content.lines],
        command=command,
    )


def write_audit(
    result: Audit | Gains,
    out: str | os.PathLike[str],
    *,
    command: str = "",
    given: str = "",
    figures: Literal["none", "svg", "png"] = "none",
) -> Report:
    """Write an audit, or the gains of submissions, into a folder.

    The files are ``report.html``, ``audit.md``, ``audit.json`` and, if a format is asked for, a heat map; of gains
    ``report.html``, ``gains.md`` and ``gains.json``.

    Raises
    ------
    DataError
        As for `write_report`.
    """
    name = "gains" if isinstance(result, Gains) else "audit"
    files: dict[str, str | bytes] = {
        "report.html": audit_html(result, command=command, given=given),
        f"{name}.md": audit_page(result, command=command, given=given),
        f"{name}.json": result.to_json(),
    }
    notes: tuple[str, ...] = ()
    if figures != "none" and isinstance(result, Audit):
        if not available():
            notes = (NO_FIGURES,)
        else:
            with styled():
                if (figure := audit_figure(result)) is not None:
                    files[f"audit.{figures}"] = images(figure, [figures])[figures]
    write_files(out, files)
    return Report(tuple(Path(out) / name for name in files), notes)


def audit_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every ``audit.json`` of this version keeps.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, "audit.schema.json")
