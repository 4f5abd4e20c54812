"""An assembler: a profile with a table ``[their_head]`` is evaluated on the first units of each task."""

import attrs
import numpy as np

from qeframe.plugin.evaluation import Assembler, EvaluationRequest, PartRule, evaluate_tasks, make_signature
from qeframe.plugin.readers import Task
from qeframe.plugin.results import resolve


def wrong(table):
    """Return the mistakes in the rules of a file, which may have no table of this assembler."""
    if "their_head" not in table:
        return []
    stated = table["their_head"]
    units = stated.get("units")
    unknown = [f"their_head.{key}: unknown key" for key in stated if key not in ("metric", "units")]
    return unknown if isinstance(units, int) and units > 0 else [*unknown, "their_head.units: not a positive number"]


def rules(profile):
    """Return what the profile names: one metric."""
    return [PartRule(metric=profile.tables["their_head"]["metric"])]


def first_units(task: Task, units: int) -> Task:
    """Return the first units of a task."""
    chosen = np.arange(min(units, task.units))
    batches = {submission: batch.take(chosen) for submission, batch in task.batches.items()}
    groups = {name: labels[: len(chosen)] for name, labels in task.groups.items()}
    return attrs.evolve(task, batches=batches, groups=groups)


def evaluate(resolved, tasks, request: EvaluationRequest):
    """Evaluate the first units by the metric of the table; the signature is that of the rules that were asked for."""
    table = resolved.profile.tables["their_head"]
    plain = attrs.evolve(resolved.profile, tables={}, primary=table["metric"])
    cut = [first_units(task, table["units"]) for task in tasks]
    evaluation = evaluate_tasks(resolve(plain, request.registry), cut, request)
    return attrs.evolve(evaluation, signature=make_signature(resolved, tasks, request.seed, request.registry))


assembler = Assembler(
    name="their_head",
    summary="The first units of each task",
    key="their_head",
    replaces=("primary", "secondary"),
    wrong=wrong,
    rules=rules,
    evaluate=evaluate,
)
