"""Results: what an evaluation returned, read back from its file, and the steps by which another one is computed."""

from qeframe.api.read import choose_profile, read_readings
from qeframe.core.display import canonical_json
from qeframe.core.loader import load
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.core.result import ScoredSubmission
from qeframe.data.align import align

__all__ = [
    "ResolvedProfile",
    "ScoredSubmission",
    "align",
    "canonical_json",
    "choose_profile",
    "load",
    "read_readings",
    "resolve",
]
