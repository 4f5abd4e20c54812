"""Results: what an evaluation returned, read back from its file, and the steps by which another one is computed."""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from qeframe.api.read import choose_profile, read_readings
    from qeframe.api.saved import read_evaluation
    from qeframe.core.components.loading.loader import load
    from qeframe.core.evaluation.canonical_json import canonical_json, plain_values
    from qeframe.core.evaluation.compared_pair import Comparison
    from qeframe.core.evaluation.result import Evaluation, Result, ScoredSubmission, Signature
    from qeframe.core.profiles.resolved import ResolvedProfile, resolve
    from qeframe.core.resampling.parallel import Runner
    from qeframe.data.align import align

__all__ = [
    "Comparison",
    "Evaluation",
    "ResolvedProfile",
    "Result",
    "Runner",
    "ScoredSubmission",
    "Signature",
    "align",
    "canonical_json",
    "choose_profile",
    "load",
    "plain_values",
    "read_evaluation",
    "read_readings",
    "resolve",
]

__getattr__, __dir__ = lazy_names(__name__)
