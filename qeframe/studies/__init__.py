"""Questions over many evaluations: which metric to use on given data, and what depends on the rules.

`distinguish` says which metric tells submissions apart, `distinguish_by_attacks` also counts the submissions that
attacks beat, `sample_metrics` finds the smallest samples that metrics need, `correlate_task` measures agreement with
judges by document size, `sensitivity_record` compares profiles, and `power_curves` says how many units would tell
submissions apart. The evaluation of one profile belongs to `qeframe.assembly`; attacks on the metrics themselves
belong to `qeframe.gaming`. Names are imported when used.
"""

from typing import TYPE_CHECKING

from qeframe.lazy_names import lazy_names

if TYPE_CHECKING:
    from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve, compare_curves
    from qeframe.studies.judge_agreement import JudgePair, correlate_task, correlate_with_judges, judge_pairs
    from qeframe.studies.metric_study import MetricStudy, StudiedMetric, distinguish, distinguish_schema
    from qeframe.studies.power.curves import PowerCurve, PowerStudy, power_curves
    from qeframe.studies.power.nested_draws import PowerInDraws
    from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric, sample_metrics
    from qeframe.studies.selections import by_selection
    from qeframe.studies.sensitivity import Reversals, count_reversals, sensitivity_record, winners
    from qeframe.studies.separation_tables import (
        Distinction,
        MetricRow,
        distinction_coefficient,
        distinguish_by_attacks,
    )
    from qeframe.studies.tables.curves import curve_records, power_records, power_table
    from qeframe.studies.tables.distinctions import distinction_table, metric_table, sampling_table
    from qeframe.studies.verdicts import Verdicts

__all__ = [
    "BETWEEN_JUDGES",
    "AgreementCurve",
    "Distinction",
    "JudgePair",
    "LeastSample",
    "MetricRow",
    "MetricStudy",
    "PowerCurve",
    "PowerInDraws",
    "PowerStudy",
    "Reversals",
    "SampledMetric",
    "StudiedMetric",
    "Verdicts",
    "by_selection",
    "compare_curves",
    "correlate_task",
    "correlate_with_judges",
    "count_reversals",
    "curve_records",
    "distinction_coefficient",
    "distinction_table",
    "distinguish",
    "distinguish_by_attacks",
    "distinguish_schema",
    "judge_pairs",
    "metric_table",
    "power_curves",
    "power_records",
    "power_table",
    "sample_metrics",
    "sampling_table",
    "sensitivity_record",
    "winners",
]

_NAMES = {
    "qeframe.studies.agreement_curves": ["BETWEEN_JUDGES", "AgreementCurve", "compare_curves"],
    "qeframe.studies.judge_agreement": ["JudgePair", "correlate_task", "correlate_with_judges", "judge_pairs"],
    "qeframe.studies.metric_study": ["MetricStudy", "StudiedMetric", "distinguish", "distinguish_schema"],
    "qeframe.studies.power.curves": ["PowerCurve", "PowerStudy", "power_curves"],
    "qeframe.studies.power.nested_draws": ["PowerInDraws"],
    "qeframe.studies.sampling.least_samples": ["LeastSample", "SampledMetric", "sample_metrics"],
    "qeframe.studies.selections": ["by_selection"],
    "qeframe.studies.sensitivity": ["Reversals", "count_reversals", "sensitivity_record", "winners"],
    "qeframe.studies.separation_tables": [
        "Distinction",
        "MetricRow",
        "distinction_coefficient",
        "distinguish_by_attacks",
    ],
    "qeframe.studies.tables.curves": ["curve_records", "power_records", "power_table"],
    "qeframe.studies.tables.distinctions": ["distinction_table", "metric_table", "sampling_table"],
    "qeframe.studies.verdicts": ["Verdicts"],
}
__getattr__, __dir__ = lazy_names(__name__, _NAMES)
