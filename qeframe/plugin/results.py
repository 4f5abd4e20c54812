"""Results: an evaluation, what it returns, and the steps by which another one is computed."""

from qeframe.api.evaluate import evaluate
from qeframe.api.read import choose_profile, read_readings
from qeframe.core.loader import load
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.core.result import Evaluation
from qeframe.data.align import align
from qeframe.report.result_files.evaluation_folder import profile_to_toml

__all__ = [
    "Evaluation",
    "ResolvedProfile",
    "align",
    "choose_profile",
    "evaluate",
    "load",
    "profile_to_toml",
    "read_readings",
    "resolve",
]
