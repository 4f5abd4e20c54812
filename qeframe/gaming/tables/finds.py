"""The table of what a search of attacks found, and the commands that measure each find again."""

import math
import shlex

from qeframe.gaming.audit import Audit, AuditedMetric
from qeframe.gaming.indices import Attacked
from qeframe.gaming.tables.audits import MEANING, index_cell
from qeframe.report.layouts.number_format import format_number
from qeframe.report.layouts.table import Cell, Column, Table

_NOTHING = 1e-9
"""An interval that begins no higher than this begins at 0."""


def finds_table(audit: Audit) -> Table:
    """Return a row for each metric and space that was searched: what was found, and what it gains on other gold."""
    rows = [
        (metric, searched, _find(metric, searched.found)) for metric in audit.metrics for searched in metric.searched
    ]
    listed = {metric.metric: _listed(metric) for metric in audit.metrics}
    columns = [
        (Column("metric", "left", key=True), [Cell(metric.metric) for metric, _, _ in rows]),
        (Column("found", "left"), [Cell(searched.found or searched.space) for _, searched, _ in rows]),
        (Column("kind", "left"), [Cell(find.kind if find else "") for _, _, find in rows]),
        (
            Column("index"),
            [index_cell(find.index, determined=find.determined) if find else Cell("") for _, _, find in rows],
        ),
        (Column("low"), [Cell(format_number(find.low, 3) if find else "") for _, _, find in rows]),
        (Column("high"), [Cell(format_number(find.high, 3) if find else "") for _, _, find in rows]),
        (Column("listed"), [Cell(format_number(listed[metric.metric], 2)) for metric, _, _ in rows]),
        (Column("tried"), [Cell(f"{searched.tried} of {searched.size}") for _, searched, _ in rows]),
        (Column("verdict", "left"), [Cell(_verdict_on(find, metric)) for metric, _, find in rows]),
    ]
    notes = [
        "each find is measured on other gold than it was found on; low, high: 95 % interval, as in the other tables",
        "listed: the largest index of the listed attacks; tried: how many points of the space",
        "new: above the intervals of all listed attacks; gains: above 0, but not above a listed attack",
    ]
    return Table.from_columns("Attacks found by search", columns, notes=notes, strong_means=MEANING)


def _find(metric: AuditedMetric, name: str) -> Attacked | None:
    return next((find for find in metric.finds if _searched_name(find) == name), None)


def _searched_name(find: Attacked) -> str:
    """Return the name of a find as it is read, without the distribution of a third party."""
    return find.attack.partition(" (")[0]


def _listed(metric: AuditedMetric) -> float:
    return max([0.0, *(a.index for a in metric.attacks if a.counts and not math.isnan(a.index))])


def _verdict_on(find: Attacked | None, metric: AuditedMetric) -> str:
    if find is None:
        return "cannot be made on this gold"
    if not find.low > _NOTHING:
        return "nothing found"
    above = [attacked.high for attacked in metric.attacks if attacked.counts and not math.isnan(attacked.high)]
    return "new" if find.low > max([0.0, *above]) else "gains"


def recipe_lines(audit: Audit, given: str = "") -> list[str]:
    """Return the command that measures each find that gains something again.

    Parameters
    ----------
    given : str
        The words of the command that name a gold that was given.
    """
    lines = []
    for metric in audit.metrics:
        for find in metric.finds:
            if find.low > _NOTHING:
                words = ["qeframe", "audit", *([given] if given else []), shlex.quote(metric.metric)]
                words += [
                    "--attack",
                    shlex.quote(_searched_name(find)),
                    "--no-claims",
                    "--seed",
                    str(audit.gold["seed"]),
                ]
                lines.append(" ".join(words))
    return lines
