"""Evaluations: supplements, which compute more on request, and assemblers, which evaluate tasks of another shape."""

from qeframe.core.components.assembler import Assembler
from qeframe.core.components.checks.significance import adjust
from qeframe.core.components.supplement import (
    UNIT_NAMES,
    PairRules,
    SignedComparable,
    Supplement,
    SupplementInput,
    TaskScores,
    Unit,
    Weighted,
)

__all__ = [
    "UNIT_NAMES",
    "Assembler",
    "PairRules",
    "SignedComparable",
    "Supplement",
    "SupplementInput",
    "TaskScores",
    "Unit",
    "Weighted",
    "adjust",
]
