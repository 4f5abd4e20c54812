"""Evaluations: supplements, which compute more on request."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.core.significance import adjust
    from qeframe.core.supplement import (
        UNIT_NAMES,
        ComparedTask,
        PairRules,
        Supplement,
        SupplementInput,
        TaskScores,
        Unit,
    )

__all__ = ["UNIT_NAMES", "ComparedTask", "PairRules", "Supplement", "SupplementInput", "TaskScores", "Unit", "adjust"]

__getattr__, __dir__ = lazy_names(__name__)
