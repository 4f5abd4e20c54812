"""qeframe: every evaluation rule of the WMT quality-estimation and metrics tasks as a named, tested plug-in.

`score`, `compare`, `evaluate`, `stream` and `audit` do the work, and `load` returns the registry of components. The
other names are the steps of `evaluate` (profiles and tasks), the values that it returns, and the errors. Studies over
several evaluations are in `qeframe.studies`, tables and figures in `qeframe.report`. Authors of plugins import
`qeframe.plugin`. A name is imported on first use, so that ``import qeframe`` stays fast.
"""

TYPE_CHECKING = False  # as type checkers know it: importing `typing` takes much longer than this module

if TYPE_CHECKING:
    from typing import Any

    from qeframe.components.loading.hookspecs import hookimpl
    from qeframe.components.loading.loader import load
    from qeframe.components.loading.registry import Registry
    from qeframe.errors import (
        CapabilityError,
        DataError,
        PluginError,
        ProfileError,
        QeframeError,
        UnknownNameError,
    )
    from qeframe.evaluation.evaluate import evaluate
    from qeframe.evaluation.given_values.comparing import compare
    from qeframe.evaluation.given_values.comparisons import Comparisons, ComparisonsByMetric
    from qeframe.evaluation.given_values.scoring import score
    from qeframe.evaluation.plain_function import metric_from
    from qeframe.evaluation.result import Comparison, Evaluation, Result, ScoredSubmission, Signature
    from qeframe.evaluation.submissions.attacks import enter_attacks
    from qeframe.evaluation.submissions.read import choose_profile, read_tasks
    from qeframe.frames.tasks import tasks_from_frame
    from qeframe.gaming.audit import Audit, audit
    from qeframe.profiles.check import check_profile
    from qeframe.profiles.load import differences, find_profile, profile_from_toml
    from qeframe.profiles.overrides import change_profile
    from qeframe.profiles.schema import Profile, Provenance
    from qeframe.resampling.parallel import Runner
    from qeframe.shown import Drawn, Shown, View
    from qeframe.streaming.stream import stream
    from qeframe.tasks.align import align
    from qeframe.tasks.task import Submission, Task

__all__ = [
    "Audit",
    "CapabilityError",
    "Comparison",
    "Comparisons",
    "ComparisonsByMetric",
    "DataError",
    "Drawn",
    "Evaluation",
    "PluginError",
    "Profile",
    "ProfileError",
    "Provenance",
    "QeframeError",
    "Registry",
    "Result",
    "Runner",
    "ScoredSubmission",
    "Shown",
    "Signature",
    "Submission",
    "Task",
    "UnknownNameError",
    "View",
    "align",
    "audit",
    "change_profile",
    "check_profile",
    "choose_profile",
    "compare",
    "differences",
    "enter_attacks",
    "evaluate",
    "find_profile",
    "hookimpl",
    "load",
    "metric_from",
    "profile_from_toml",
    "read_tasks",
    "score",
    "stream",
    "tasks_from_frame",
]

_NAMES_OF = {
    "qeframe.components.loading.hookspecs": ["hookimpl"],
    "qeframe.components.loading.loader": ["load"],
    "qeframe.components.loading.registry": ["Registry"],
    "qeframe.errors": [
        "CapabilityError",
        "DataError",
        "PluginError",
        "ProfileError",
        "QeframeError",
        "UnknownNameError",
    ],
    "qeframe.evaluation.submissions.attacks": ["enter_attacks"],
    "qeframe.evaluation.given_values.comparing": ["compare"],
    "qeframe.evaluation.given_values.comparisons": ["Comparisons", "ComparisonsByMetric"],
    "qeframe.evaluation.given_values.scoring": ["score"],
    "qeframe.evaluation.plain_function": ["metric_from"],
    "qeframe.evaluation.submissions.read": ["choose_profile", "read_tasks"],
    "qeframe.evaluation.result": ["Comparison", "Evaluation", "Result", "ScoredSubmission", "Signature"],
    "qeframe.evaluation.evaluate": ["evaluate"],
    "qeframe.frames.tasks": ["tasks_from_frame"],
    "qeframe.gaming.audit": ["Audit", "audit"],
    "qeframe.profiles.check": ["check_profile"],
    "qeframe.profiles.load": ["differences", "find_profile", "profile_from_toml"],
    "qeframe.profiles.overrides": ["change_profile"],
    "qeframe.profiles.schema": ["Profile", "Provenance"],
    "qeframe.resampling.parallel": ["Runner"],
    "qeframe.shown": ["Drawn", "Shown", "View"],
    "qeframe.streaming.stream": ["stream"],
    "qeframe.tasks.align": ["align"],
    "qeframe.tasks.task": ["Submission", "Task"],
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}


def __getattr__(name: str) -> "Any":
    """Import a public name on first use; read the version from the installed distribution."""
    if name == "__version__":
        from importlib.metadata import version

        return version("qeframe")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'qeframe' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), "__version__", *__all__])
