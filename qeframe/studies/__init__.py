"""Questions over many evaluations: which metric separates submissions, and what depends on the rules.

`distinguish` counts significant pairs and successful attacks, `sample_metrics` finds the smallest samples that metrics
need, `correlate_task` measures agreement with judges by document size, `sensitivity_record` compares profiles,
`power_curves` says how many units would tell submissions apart, and `trust` which measures can be trusted on given
data. The evaluation of one profile belongs to `qeframe.core.evaluation`; attacks on the metrics themselves belong to
`qeframe.gaming`. Names are imported when used.
"""

from typing import TYPE_CHECKING

from qeframe.lazy_names import lazy_names

if TYPE_CHECKING:
    from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve, compare_curves
    from qeframe.studies.judge_agreement import JudgePair, correlate_task, correlate_with_judges, judge_pairs
    from qeframe.studies.measures.study import trust
    from qeframe.studies.measures.values import Trust, TrustedData, TrustRow, trust_from_json
    from qeframe.studies.measures.verdicts import Verdicts
    from qeframe.studies.power.curves import PowerCurve, PowerStudy, power_curves
    from qeframe.studies.power.nested_draws import PowerInDraws
    from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric, sample_metrics
    from qeframe.studies.sensitivity import Reversals, count_reversals, sensitivity_record, winners
    from qeframe.studies.separation_tables import Distinction, MetricRow, distinction_coefficient, distinguish
    from qeframe.studies.tables.curves import curve_records, power_records, power_table
    from qeframe.studies.tables.distinctions import distinction_table, sampling_table
    from qeframe.studies.tables.trust import agreement_table, trust_table, trust_tables
    from qeframe.studies.trust_folder import trust_files, trust_page, trust_schema

__all__ = [
    "BETWEEN_JUDGES",
    "AgreementCurve",
    "Distinction",
    "JudgePair",
    "LeastSample",
    "MetricRow",
    "PowerCurve",
    "PowerInDraws",
    "PowerStudy",
    "Reversals",
    "SampledMetric",
    "Trust",
    "TrustRow",
    "TrustedData",
    "Verdicts",
    "agreement_table",
    "compare_curves",
    "correlate_task",
    "correlate_with_judges",
    "count_reversals",
    "curve_records",
    "distinction_coefficient",
    "distinction_table",
    "distinguish",
    "judge_pairs",
    "power_curves",
    "power_records",
    "power_table",
    "sample_metrics",
    "sampling_table",
    "sensitivity_record",
    "trust",
    "trust_files",
    "trust_from_json",
    "trust_page",
    "trust_schema",
    "trust_table",
    "trust_tables",
    "winners",
]

__getattr__, __dir__ = lazy_names(__name__)
