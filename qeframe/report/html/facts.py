"""What the page of a run shows beside ``evaluation.json``, kept in ``report.json`` so that it can be made again."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.errors import DataError
from qeframe.core.evaluation.canonical_json import canonical_json
from qeframe.core.evaluation.result import Evaluation
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.task import Task
from qeframe.report.html.unit_facts import BINS, unit_facts

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
    "tasks": [str],
    "units": {
        str: {
            "unit": str,
            "count": int,
            "values": str,
            "measure": str,
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
    `tasks`: the tasks in the order of the run, which the sorted keys of JSON do not have.
    `audit`: what the winner could have gained; empty if it was not asked for.
    """

    command: str = ""
    rules: Mapping[str, Mapping[str, str]] = field(factory=dict)
    units: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    tasks: tuple[str, ...] = ()
    audit: Mapping[str, Any] = field(factory=dict)

    def to_json(self) -> str:
        """Return canonical JSON; `audit` only if it was asked for."""
        values = {f.name: getattr(self, f.name) for f in attrs.fields(PageFacts)}
        return canonical_json({key: value for key, value in values.items() if key != "audit" or value})

    @classmethod
    def from_json(cls, text: str, *, path: Path | None = None) -> "PageFacts":
        """Return the facts whose `to_json` is this text.

        Raises DataError if the text is not the JSON of facts.
        """
        try:
            values = json.loads(text)
            if not _fits(values, _SHAPE) or not _fits(values.get("audit", {}), ({}, _AUDIT)["audit" in values]):
                raise ValueError(text)
            return cls(**{**values, "tasks": tuple(values["tasks"])})
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataError("does not hold the facts of a page", path=path, remedy=_REMEDY) from error


def page_facts(
    evaluation: Evaluation,
    tasks: Sequence[Task],
    *,
    profile: Profile | None = None,
    command: str = "",
    audit: Mapping[str, Any] | None = None,
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
    return PageFacts(command=command, rules=rules, units=units, tasks=tuple(evaluation.tasks), audit=audit or {})
