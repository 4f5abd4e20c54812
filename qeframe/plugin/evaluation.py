"""Evaluations: supplements, which compute more on request, and assemblers, which evaluate tasks of another shape."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.components.assembler import Assembler
    from qeframe.core.components.checks.significance import adjust
    from qeframe.core.components.supplement import (
        UNIT_NAMES,
        ComparedTask,
        PairRules,
        Supplement,
        SupplementInput,
        TaskScores,
        Unit,
    )
    from qeframe.core.evaluation.run import EvaluationRequest, evaluate_tasks
    from qeframe.core.evaluation.signature import make_signature
    from qeframe.core.profiles.schema import PartRule

__all__ = [
    "UNIT_NAMES",
    "Assembler",
    "ComparedTask",
    "EvaluationRequest",
    "PairRules",
    "PartRule",
    "Supplement",
    "SupplementInput",
    "TaskScores",
    "Unit",
    "adjust",
    "evaluate_tasks",
    "make_signature",
]

__getattr__, __dir__ = lazy_names(__name__)
