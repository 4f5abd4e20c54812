"""What task sets bring to the registry."""

from collections.abc import Sequence
from typing import Any

from qeframe.core.components.assembler import Assembler
from qeframe.core.components.loading.hookspecs import hookimpl
from qeframe.task_sets.part_tables import incompatible_parts, part_rules, with_part_parameter, wrong_parts


def _evaluate(*given: Any) -> Any:
    """Import the evaluation when it is needed: hooks are read for a list of plugins, too."""
    from qeframe.task_sets.assembly import evaluate_task_set

    return evaluate_task_set(*given)


_TASK_SETS = Assembler(
    name="task_sets",
    summary="parts of several metrics, levels and selections, and a score over all of them",
    source="mt-metrics-eval, the task sets of the WMT22 to WMT25 metrics tasks",
    key="parts",
    replaces=("primary", "secondary", "within", "across", "weights", "columns"),
    wrong=wrong_parts,
    incompatible=incompatible_parts,
    rules=part_rules,
    evaluate=_evaluate,
    with_parameter=with_part_parameter,
)


@hookimpl
def qeframe_assemblers() -> Sequence[Assembler]:
    """Return the evaluation of the task sets of the metrics tasks."""
    return [_TASK_SETS]
