"""What the page of a run shows beside ``evaluation.json``, kept in ``report.json`` so that it can be made again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.errors import DataError
from qeframe.evaluation.canonical_json import canonical_json
from qeframe.evaluation.result import Evaluation
from qeframe.profiles.schema import RULE_KEYS, Profile
from qeframe.report.html.unit_facts import unit_facts
from qeframe.tasks.task import Task

__all__ = ["FACTS", "PageFacts", "page_facts"]

FACTS = "report.json"
"""The name of the file in the folder of a result."""

_REMEDY = f"give the {FACTS} that 'qeframe run --out' wrote, or remove it"


@frozen(kw_only=True)
class PageFacts:
    """The facts of one run.

    Parameters
    ----------
    command : str
        The command that makes the result again; empty if it was made in Python.
    rules : mapping of str to mapping
        By the key of a rule: ``certainty``, ``source`` and ``note``. Empty if the profile is not known.
    units : mapping of str to mapping
        By task, what `unit_facts` returns.
    tasks : tuple of str
        The tasks in the order of the run, which the sorted keys of JSON do not have.
    """

    command: str = ""
    rules: Mapping[str, Mapping[str, str]] = field(factory=dict)
    units: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    tasks: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return canonical JSON."""
        return canonical_json({f.name: getattr(self, f.name) for f in attrs.fields(PageFacts)})

    @classmethod
    def from_json(cls, text: str, *, path: Path | None = None) -> PageFacts:
        """Return the facts whose `to_json` is this text.

        Raises
        ------
        DataError
            If the text is not the JSON of facts.
        """
        try:
            values = json.loads(text)
            return cls(**{**values, "tasks": tuple(values["tasks"])})
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataError("does not hold the facts of a page", path=path, remedy=_REMEDY) from error


def page_facts(
    evaluation: Evaluation, tasks: Sequence[Task], *, profile: Profile | None = None, command: str = ""
) -> PageFacts:
    """Return the facts of a run from its tasks and its profile.

    A task that was read in several selections has the facts of each; the name then has the selection in brackets.
    """
    units = {}
    for task in tasks:
        facts = unit_facts(task)
        if facts is not None:
            units[f"{task.name} ({task.selection})" if task.selection else task.name] = facts
    known = {key: profile.certainty(key) for key in RULE_KEYS} if profile else {}
    rules = {key: {"certainty": p.certainty, "source": p.source, "note": p.note} for key, p in known.items()}
    return PageFacts(command=command, rules=rules, units=units, tasks=tuple(evaluation.tasks))
