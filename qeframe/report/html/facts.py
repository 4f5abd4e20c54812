"""What the page of a run shows beside ``evaluation.json``, kept in ``report.json`` so that it can be made again.

Of single units they are distributions, and the units on which submissions and gold disagree. Each kind of batch says by
`Batch.unit_numbers` what of its units is compared with the gold: the z-scores of numbers, say, or the shares of tokens
that are marked as errors. Kinds without such numbers (judgments, preferences, texts) have no facts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.display import canonical_json
from qeframe.core.errors import DataError
from qeframe.core.profile import Profile
from qeframe.core.task import Task
from qeframe.kinds.unit_numbers import UnitNumbers

DISAGREEMENTS = 15
"""The number of units that are listed for each task."""

BINS = 30
"""The number of bins of a histogram."""


def unit_facts(task: Task) -> dict[str, Any] | None:
    """Return the facts of a task as plain values of JSON; None for a kind without numbers, or without units.

    The submissions are gone through one by one, so that the memory does not grow with their number. Attacks and human
    scores are left out.

    Result: ``unit`` and ``count``; ``values``, what the numbers are; ``low`` and ``high``, the ends of the shared axis;
    ``gold``, the percentage of values in each of 30 bins, or None; ``submissions``, by name: ``bins``, ``outside`` and
    ``mean``; ``measure`` and ``disagreements``, the units with the largest mean gap, the largest first: ``unit``,
    ``groups``, ``text``, ``gap``, ``gold``, and the lowest and highest answers with their submissions. Values that are
    missing (NaN) are left out.
    """
    ranked = {submission.name: batch for submission, batch in task.batches.items() if submission.is_ranked}
    batches = list(ranked.values())
    first = batches[0].unit_numbers() if batches and len(batches[0]) else None
    if first is None:
        return None
    low, high = first.ends or _axis(first.gold, batches)
    edges = np.linspace(low, high, BINS + 1)
    gaps = _Mean(len(first.answers))
    submissions = {}
    for name, batch in ranked.items():
        numbers = batch.unit_numbers()
        if numbers is None or len(numbers.answers) != len(first.answers):
            return None
        submissions[name] = _described(numbers.answers, edges)
        if numbers.gaps is not None:
            gaps.add(numbers.gaps)
    return {
        "unit": task.unit,
        "count": task.units,
        "values": first.values,
        "low": low,
        "high": high,
        "gold": None if first.gold is None else _percentages(first.gold, edges),
        "submissions": submissions,
        "measure": first.measure,
        "text_of": first.text,
        "disagreements": [] if first.gold is None else _disagreements(task, ranked, first, first.gold, gaps.value()),
    }


class _Mean:
    """The mean of arrays without their missing values; 0 where all are missing."""

    def __init__(self, size: int) -> None:
        self._sum, self._count = np.zeros(size), np.zeros(size)

    def add(self, values: FloatArray) -> None:
        finite = np.isfinite(values)
        self._sum += np.where(finite, values, 0.0)
        self._count += finite

    def value(self) -> FloatArray:
        return np.asarray(self._sum / np.maximum(self._count, 1))


def _axis(gold: FloatArray | None, batches: Sequence[Batch]) -> tuple[float, float]:
    """Return the ends of the shared axis of raw numbers: at most half the range of the gold beyond the gold."""
    ends = [_range(_answers(batch)) for batch in batches]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    if gold is not None:
        least, most = _range(gold)
        reach = 0.5 * (most - least)
        low, high = min(low, least), max(high, most)
        low, high = (max(low, least - reach), min(high, most + reach)) if reach else (low, high)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    return low, high


def _answers(batch: Batch) -> FloatArray:
    numbers = batch.unit_numbers()
    return np.empty(0) if numbers is None else numbers.answers


def _range(values: FloatArray) -> tuple[float, float]:
    """Return the lowest and the highest finite value; 0 and 0 if there is none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _percentages(values: FloatArray, edges: FloatArray) -> list[float]:
    """Return the percentage of the finite values in each bin, to two decimals."""
    defined = values[np.isfinite(values)]
    counts = np.histogram(defined, edges)[0]
    return [round(float(share), 2) for share in 100 * counts / max(len(defined), 1)]


def _described(values: FloatArray, edges: FloatArray) -> dict[str, Any]:
    defined = values[np.isfinite(values)]
    return {
        "bins": _percentages(values, edges),
        "outside": int(((defined < edges[0]) | (defined > edges[-1])).sum()),
        "mean": _number(defined.mean()) if len(defined) else None,
    }


def _disagreements(
    task: Task, ranked: Mapping[str, Batch], first: UnitNumbers, gold: FloatArray, gaps: FloatArray
) -> list[dict[str, Any]]:
    worst = np.lexsort((np.arange(len(gaps)), -gaps))[:DISAGREEMENTS]
    worst = worst[gaps[worst] > 0]
    batch = next(iter(ranked.values()))
    answers = np.stack([_answers(scored)[worst] for scored in ranked.values()])
    columns = len(gaps) // len(batch)
    return [
        {
            **_unit(task, batch, int(at), columns, first.text),
            "gap": _number(gaps[at]),
            "gold": _number(gold[at]),
            **_extremes(list(ranked), answers[:, nth]),
        }
        for nth, at in enumerate(worst)
    ]


def _unit(task: Task, batch: Batch, at: int, columns: int, text: str) -> dict[str, Any]:
    row, column = divmod(at, columns)
    system = task.systems[column] if len(task.systems) == columns else str(column + 1)
    return {
        "unit": task.unit_name(batch.ids[row]) + (f", system {system}" if columns > 1 else ""),
        "groups": {grouping: labels[row] for grouping, labels in task.groups.items()},
        "text": task.contents(row).get(text, "") if text else "",
    }


def _extremes(names: Sequence[str], answers: FloatArray) -> dict[str, Any]:
    defined = [nth for nth in range(len(names)) if np.isfinite(answers[nth])]
    lowest, highest = min(defined, key=answers.__getitem__), max(defined, key=answers.__getitem__)
    return {"lowest": [names[lowest], _number(answers[lowest])], "highest": [names[highest], _number(answers[highest])]}


def _number(value: float) -> float | None:
    return float(f"{value:.6g}") if np.isfinite(value) else None


FACTS = "report.json"
"""The name of the file in the folder of a result."""

_REMEDY = f"give the {FACTS} that 'qeframe run --out' wrote, or remove it"

_NUMBER = (int, float, None)
_AUDIT = {
    "metric": str,
    "higher_is_better": bool,
    "winner": str,
    "score": (int, float),
    "of": int,
    "second": str,
    "lead": _NUMBER,
    "attacks": [
        {
            "attack": str,
            "summary": str,
            "manner": str,
            "setting": str,
            "score": (int, float),
            "gain": (int, float),
            "rank": int,
        }
    ],
    "failed": [str],
}
_SHAPE = {
    "command": str,
    "rules": {str: {str: str}},
    "units": {
        str: {
            "unit": str,
            "count": int,
            "values": str,
            "measure": str,
            "text_of": str,
            "low": (int, float),
            "high": (int, float),
            "gold": (None, [(int, float)] * BINS),
            "submissions": {str: {"bins": [(int, float)] * BINS, "outside": _NUMBER, "mean": _NUMBER}},
            "disagreements": [
                {
                    "unit": str,
                    "groups": {str: str},
                    "text": str,
                    "gap": _NUMBER,
                    "gold": _NUMBER,
                    "lowest": [str, _NUMBER],
                    "highest": [str, _NUMBER],
                }
            ],
        }
    },
}
"""What JSON must hold: of a list with one entry any number, of a tuple one of its entries, under `str` any keys."""


def _fits(value: Any, shape: Any) -> bool:
    """Return whether a value of JSON has a shape."""
    if isinstance(shape, tuple):
        return any(_fits(value, part) for part in shape)
    if isinstance(shape, list):
        wanted = shape * len(value) if isinstance(value, list) and len(shape) == 1 else shape
        return isinstance(value, list) and len(value) == len(wanted) and all(map(_fits, value, wanted))
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        if str in shape:
            return all(_fits(item, shape[str]) for item in value.values())
        return all(key in value and _fits(value[key], part) for key, part in shape.items())
    return value is None if shape is None else isinstance(value, shape)


@frozen(kw_only=True)
class PageFacts:
    """The facts of one run.

    `command`: the command that makes the result again; empty if it was made in Python.
    `rules`: by the key of a rule: ``certainty``, ``source`` and ``note``. Empty if the profile is not known.
    `units`: by task, what `unit_facts` returns.
    `audit`: what the winner could have gained; empty if it was not asked for.
    """

    command: str = ""
    rules: Mapping[str, Mapping[str, str]] = field(factory=dict)
    units: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    audit: Mapping[str, Any] = field(factory=dict)

    def to_json(self) -> str:
        """Return canonical JSON; `audit` only if it was asked for."""
        values = {f.name: getattr(self, f.name) for f in attrs.fields(PageFacts)}
        return canonical_json({key: value for key, value in values.items() if key != "audit" or value})

    @classmethod
    def from_json(cls, text: str, *, path: Path | None = None) -> PageFacts:
        """Return the facts whose `to_json` is this text.

        Raises DataError if the text is not the JSON of facts.
        """
        try:
            values = json.loads(text)
            if not _fits(values, _SHAPE) or not _fits(values.get("audit", {}), ({}, _AUDIT)["audit" in values]):
                raise ValueError(text)
            return cls(**values)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataError("does not hold the facts of a page", path=path, remedy=_REMEDY) from error


def page_facts(
    tasks: Sequence[Task], *, profile: Profile | None = None, command: str = "", audit: Mapping[str, Any] | None = None
) -> PageFacts:
    """Return the facts of a run from its tasks and its profile.

    A task that was read in several selections has the facts of each; the name then has the selection in brackets.
    """
    units = {}
    for task in tasks:
        facts = unit_facts(task)
        if facts is not None:
            units[f"{task.name} ({task.selection})" if task.selection else task.name] = facts
    certainty = {key: profile.certainty(key) for key in profile.rules} if profile else {}
    rules = {key: {"certainty": p.certainty, "source": p.source, "note": p.note} for key, p in certainty.items()}
    return PageFacts(command=command, rules=rules, units=units, audit=audit or {})
