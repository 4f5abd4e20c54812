"""The tie tables of metrics, as notes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from qeframe.core.evaluation.result import Evaluation
from qeframe.kinds.judgments.batch import RELATIONS


def tie_notes(evaluation: Evaluation) -> list[str]:
    """Return one line for each metric that has a tie table; rows are human relations."""
    tables: dict[str, Sequence[Sequence[float]]] = {}
    for metric, details in _details(evaluation):
        if "table" in details:
            tables.setdefault(metric, details["table"])
    relations = " ".join(RELATIONS)
    return [
        f"tie table of {metric}, human {relations} by metric {relations} (x: excluded): {_in_words(table)}"
        for metric, table in tables.items()
    ]


def _details(evaluation: Evaluation) -> Iterator[tuple[str, Any]]:
    for scored in evaluation.submissions:
        for metric, result in scored.scores.items():
            for part in (result, *result.tasks.values()):
                yield metric, part.details


def _in_words(table: Sequence[Sequence[float]]) -> str:
    return ", ".join(
        f"{sign} " + " ".join("x" if math.isnan(entry) else f"{entry:g}" for entry in row)
        for sign, row in zip(RELATIONS, table, strict=True)
    )
