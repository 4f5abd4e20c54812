"""The tables of supplements, by the supplements that computed them."""

import attrs

from qeframe.core.components.checks import supplement as checked
from qeframe.core.components.loading.loader import load
from qeframe.core.components.supplement import Supplement
from qeframe.core.evaluation.result import Evaluation
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.leaderboard import ranked_submissions


def supplement_names(evaluation: Evaluation) -> list[str]:
    """Return the names of the supplements of an evaluation and of its pairs."""
    return sorted({*evaluation.supplements, *(name for pair in evaluation.comparisons for name in pair.supplements)})


def tables_of_supplement(evaluation: Evaluation, name: str) -> list[Table]:
    """Return the tables of one supplement: of one that no plugin brings, a table that says so."""
    registry = load()
    if name not in registry.names(Supplement):
        note = "no plugin that is in use brings this supplement; evaluation.json has its values"
        return [Table.from_columns(name, [(Column(name, "left"), [Cell("not shown")])], notes=[note])]
    ordered = attrs.evolve(evaluation, submissions=tuple(ranked_submissions(evaluation)))
    supplement = registry.get(Supplement, name)
    return checked.tables(supplement, evaluation.supplements.get(name), ordered, Table)


def supplement_tables(evaluation: Evaluation) -> list[Table]:
    """Return the tables of all supplements, in the order of their names."""
    return [table for name in supplement_names(evaluation) for table in tables_of_supplement(evaluation, name)]


def influence_tables(evaluation: Evaluation) -> list[Table]:
    """Return the tables of influential units; none if they were not asked for."""
    return [] if evaluation.influence is None else tables_of_supplement(evaluation, "influence")
