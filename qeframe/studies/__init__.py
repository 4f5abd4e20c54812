"""Questions over many evaluations: which metric separates submissions, and what depends on the rules.

`distinguish` counts significant pairs and successful attacks, `sample_metrics` finds the smallest samples that metrics
need, `correlate_task` measures agreement with judges by document size, `sensitivity_record` compares profiles, and
`power_curves` says how many units would tell submissions apart. The evaluation of one profile belongs to
`qeframe.core.evaluation`; attacks on the metrics themselves belong to `qeframe.gaming`. Names are imported when used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve, compare_curves
    from qeframe.studies.distinction_coefficient import Distinction, distinction_coefficient
    from qeframe.studies.judge_agreement import correlate_with_judges
    from qeframe.studies.power.curves import PowerCurve, PowerStudy, power_curves
    from qeframe.studies.power.nested_draws import PowerInDraws
    from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric, sample_metrics
    from qeframe.studies.sensitivity import Reversals, count_reversals, sensitivity_record, winners
    from qeframe.studies.separation_tables import MetricRow, distinguish
    from qeframe.studies.task_agreement import correlate_task

__all__ = [
    "BETWEEN_JUDGES",
    "AgreementCurve",
    "Distinction",
    "LeastSample",
    "MetricRow",
    "PowerCurve",
    "PowerInDraws",
    "PowerStudy",
    "Reversals",
    "SampledMetric",
    "compare_curves",
    "correlate_task",
    "correlate_with_judges",
    "count_reversals",
    "distinction_coefficient",
    "distinguish",
    "power_curves",
    "sample_metrics",
    "sensitivity_record",
    "winners",
]

_NAMES_OF = {
    "agreement_curves": ["BETWEEN_JUDGES", "AgreementCurve", "compare_curves"],
    "distinction_coefficient": ["Distinction", "distinction_coefficient"],
    "separation_tables": ["MetricRow", "distinguish"],
    "judge_agreement": ["correlate_with_judges"],
    "power.curves": ["PowerCurve", "PowerStudy", "power_curves"],
    "power.nested_draws": ["PowerInDraws"],
    "sampling.least_samples": ["LeastSample", "SampledMetric", "sample_metrics"],
    "sensitivity": ["Reversals", "count_reversals", "sensitivity_record", "winners"],
    "task_agreement": ["correlate_task"],
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'qeframe.studies' has no attribute '{name}'")
    return getattr(importlib.import_module(f"qeframe.studies.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
