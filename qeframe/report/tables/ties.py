"""The tie tables behind scores, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from qeframe.batches.judgments import RELATIONS
from qeframe.evaluation.result import Evaluation

__all__ = ["tie_notes"]


def tie_notes(evaluation: Evaluation) -> list[str]:
    """Return the tie table of every metric that has one, in one line each: rows are human relations."""
    found: dict[str, Sequence[Sequence[float]]] = {}
    for metric, details in _details(evaluation):
        if "table" in details:
            found.setdefault(metric, details["table"])
    reading = f"ties, human by metric {RELATIONS[0]} {RELATIONS[1]} {RELATIONS[2]} (x: left out)"
    return [f"{reading}: {metric} has {_in_words(table)}" for metric, table in found.items()]


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
