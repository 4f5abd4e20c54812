"""The folder of an audit: a page of HTML, a page of Markdown, JSON, and the heat map."""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

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


_TITLES = {True: "Which attacks does a search find?", False: "Which metrics can you trust?"}
_GAIN_TITLE = "What could each submission gain?"
_OF_GAINS = """\
What would each submission gain if it transformed its own answers, with nothing that it did not know before? A metric
that rewards such a transformation measures something else beside the quality of single answers. Of a submission with a
large gain, more of the score is left to be had without being better.
"""


def audit_parts(audit: Audit, title: str = "") -> list[Table]:
    """Return all tables of an audit: the summary, what was found, the matrices or the attacks of one metric, claims."""
    searched = any(metric.searched for metric in audit.metrics)
    tables = audit_tables(audit) if len(audit.metrics) > 1 else [attack_table(metric) for metric in audit.metrics]
    summary = audit_summary(audit, title or _TITLES[searched])
    return [summary, *([finds_table(audit)] if searched else []), *tables, claims_table(audit)]


def counterexamples(audit: Audit) -> list[str]:
    """Return a line for each claim that does not hold."""
    return [line for metric in audit.metrics for line in counterexample_lines(metric)]


def audit_page(audit: Audit, *, command: str = "", given: str = "") -> str:
    """Return an audit as a page of Markdown: its tables, how to measure what was found again, counterexamples.

    Parameters
    ----------
    command : str
        The command that makes the page; it is written on the page.
    given : str
        The words of a command that name the gold, if it was given.
    """
    summary, *others = map(as_markdown, audit_parts(audit))
    heading, _, table = summary.partition("\n")
    parts = [table, *(f"#{other}" for other in others)]
    if recipes := recipe_lines(audit, given):
        parts.insert(2, "\n".join(["```sh", *recipes, "```"]))
    if lines := counterexamples(audit):
        parts += ["## Counterexamples", "\n".join(f"- {_code(line)}" for line in lines)]
    return _page(heading, command, _INTRODUCTION, parts)


def _page(heading: str, command: str, introduction: str, parts: Sequence[str]) -> str:
    made_by = [f"<!-- made by: {command} -->"] if command else []
    return "\n\n".join(part.strip() for part in [heading, *made_by, introduction, *parts]) + "\n"


def _code(line: str) -> str:
    """Return a line as code, in which brackets and stars are not Markdown."""
    return "`" + line.replace("`", "'") + "`"


def audit_html(audit: Audit, *, command: str = "", given: str = "") -> str:
    """Return an audit as a page of HTML, with the content of `audit_page`."""
    return tables_page(
        "Gaming audit" if len(audit.metrics) > 1 else f"Gaming audit of {audit.metrics[0].metric}",
        audit_parts(audit),
        introduction=" ".join(_INTRODUCTION.replace("**", "").split()),
        notes=audit.notes,
        listed=[*recipe_lines(audit, given), *counterexamples(audit)],
        command=command,
    )


def gains_page(gains: Gains, *, command: str = "") -> str:
    """Return the gains of submissions as a page of Markdown, with a table for each metric and task."""
    return _page(f"# {_GAIN_TITLE}", command, _OF_GAINS, [f"#{as_markdown(table)}" for table in gain_tables(gains)])


def gains_html(gains: Gains, *, command: str = "") -> str:
    """Return the gains of submissions as a page of HTML, with the content of `gains_page`."""
    introduction = " ".join(_OF_GAINS.split())
    return tables_page(_GAIN_TITLE, gain_tables(gains), introduction=introduction, notes=gains.notes, command=command)


def write_gains(gains: Gains, out: str | os.PathLike[str], *, command: str = "") -> Report:
    """Write ``report.html``, ``gains.md`` and ``gains.json`` into a folder.

    Raises
    ------
    DataError
        As for `write_report`.
    """
    html, page = gains_html(gains, command=command), gains_page(gains, command=command)
    return _written(out, {"report.html": html, "gains.md": page, "gains.json": gains.to_json()})


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
    files: dict[str, str | bytes] = {
        "report.html": audit_html(audit, command=command, given=given),
        "audit.md": audit_page(audit, command=command, given=given),
        "audit.json": audit.to_json(),
    }
    notes: tuple[str, ...] = ()
    if figures != "none" and not available():
        notes = (NO_FIGURES,)
    elif figures != "none":
        with styled():
            if (figure := audit_figure(audit)) is not None:
                files[f"audit.{figures}"] = images(figure, [figures])[figures]
    return _written(out, files, notes)


def _written(out: str | os.PathLike[str], files: Mapping[str, str | bytes], notes: tuple[str, ...] = ()) -> Report:
    write_files(out, files)
    return Report(tuple(Path(out) / name for name in files), notes)


def audit_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every ``audit.json`` of this version keeps.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, "audit.schema.json")
