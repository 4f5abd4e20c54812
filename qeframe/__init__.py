"""qeframe: every evaluation rule of the WMT quality-estimation and metrics tasks as a named, tested plug-in.

`score`, `compare`, `evaluate` and `audit` do the work, and `load` returns the registry of components. The
other names are the steps of `evaluate` (profiles and tasks), the values that it returns, and the errors. Studies over
several evaluations are in `qeframe.studies`, tables and figures in `qeframe.report`. Authors of plugins import
`qeframe.plugin`. A name is imported on first use, so that ``import qeframe`` stays fast.
"""

from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers know it: importing `typing` takes much longer than this module

if TYPE_CHECKING:
    from typing import Any

    from qeframe.api.arrays.comparing import compare
    from qeframe.api.arrays.comparisons import Comparisons, ComparisonsByMetric
    from qeframe.api.arrays.scoring import score
    from qeframe.api.attacks import enter_attacks
    from qeframe.api.chunks import score_chunks
    from qeframe.api.evaluate import evaluate
    from qeframe.api.frames.tasks import tasks_from_frame
    from qeframe.api.overrides import change_profile
    from qeframe.api.plain_function import metric_from
    from qeframe.api.progress import progress
    from qeframe.api.read import choose_profile, read_tasks
    from qeframe.core.display import Drawn, Shown, View
    from qeframe.core.errors import (
        CapabilityError,
        DataError,
        PluginError,
        ProfileError,
        QeframeError,
        UnknownNameError,
    )
    from qeframe.core.findings import Comparison
    from qeframe.core.hookspecs import hookimpl
    from qeframe.core.loader import load
    from qeframe.core.profile import Profile, Provenance
    from qeframe.core.profile_checks import check_profile
    from qeframe.core.profile_files import differences, find_profile, profile_from_toml
    from qeframe.core.registry import Registry
    from qeframe.core.result import Evaluation, Result, ScoredSubmission, Signature
    from qeframe.core.runner import Runner
    from qeframe.core.task import Submission, Task
    from qeframe.data.align import align
    from qeframe.gaming.audit import Audit, audit
    from qeframe.report.tables.comparisons import place_in_words

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
    "place_in_words",
    "profile_from_toml",
    "progress",
    "read_tasks",
    "score",
    "score_chunks",
    "tasks_from_frame",
]


_NAMES = {
    "qeframe.api.arrays.comparing": ["compare"],
    "qeframe.api.arrays.comparisons": ["Comparisons", "ComparisonsByMetric"],
    "qeframe.api.arrays.scoring": ["score"],
    "qeframe.api.attacks": ["enter_attacks"],
    "qeframe.api.chunks": ["score_chunks"],
    "qeframe.report.tables.comparisons": ["place_in_words"],
    "qeframe.api.evaluate": ["evaluate"],
    "qeframe.api.frames.tasks": ["tasks_from_frame"],
    "qeframe.api.overrides": ["change_profile"],
    "qeframe.api.plain_function": ["metric_from"],
    "qeframe.api.read": ["choose_profile", "read_tasks"],
    "qeframe.core.display": ["Drawn", "Shown", "View"],
    "qeframe.core.errors": [
        "CapabilityError",
        "DataError",
        "PluginError",
        "ProfileError",
        "QeframeError",
        "UnknownNameError",
    ],
    "qeframe.core.hookspecs": ["hookimpl"],
    "qeframe.core.loader": ["load"],
    "qeframe.core.findings": ["Comparison"],
    "qeframe.core.profile": ["Profile", "Provenance"],
    "qeframe.core.profile_checks": ["check_profile"],
    "qeframe.core.profile_files": ["differences", "find_profile", "profile_from_toml"],
    "qeframe.core.registry": ["Registry"],
    "qeframe.core.result": ["Evaluation", "Result", "ScoredSubmission", "Signature"],
    "qeframe.core.runner": ["Runner"],
    "qeframe.core.task": ["Submission", "Task"],
    "qeframe.data.align": ["align"],
    "qeframe.api.progress": ["progress"],
    "qeframe.gaming.audit": ["Audit", "audit"],
}
_find, _ = lazy_names(__name__, _NAMES)


def __getattr__(name: str) -> "Any":
    """Return a public name, the module of errors, or the version, which is that of the installed distribution."""
    if name == "errors":
        from importlib import import_module

        return import_module("qeframe.errors")
    if name != "__version__":
        return _find(name)
    from importlib.metadata import version

    return version("qeframe")


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", *(name for name in globals() if name.startswith("__"))})
