"""Audit all metrics, and write the tables of ``docs/reference/audit.md``.

``python docs/studies/audit.py`` tries every listed attack on every metric, and writes ``audit.tsv``, a line for each
metric, and ``audit-attacks.tsv``, a line for each metric and attack. With ``--search`` it searches for attacks that are
not listed, and writes ``audit-search.tsv``. With ``--each FOLDER``, the folder of ``wmt23-metrics-pairs``, it tries two
attacks on each submission of WMT23, and writes ``audit-submissions.tsv``. The first two take hours.
"""

import argparse
import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

import qeframe
from qeframe.gaming.audit import Audit, AuditedMetric
from qeframe.gaming.tables.finds import finds_table
from qeframe.gaming.winner import Gains, gains_of_submissions
from qeframe.report.layouts.number_format import format_number

REFERENCE = Path(__file__).parents[1] / "reference"
GAMED = 0.05
"""The smallest index of a metric that is said to be gamed."""
AUDITED = (
    "f1_bad",
    "f1_ok",
    "f1_mult",
    "f1_weighted",
    "mcc",
    "cohen_kappa",
    "precision",
    "recall",
    "f_beta",
    "seqcor",
    "phrase_f1_bad",
    "phrase_f1_bad(reading=clipped)",
    "phrase_f1_bad(reading=softconf)",
    "phrase_f1_bad(reading=symmetric)",
    "phrase_f1_ok",
    "phrase_f1_mult",
    "phrase_f1_mult(reading=clipped)",
    "phrase_f1_mult(reading=softconf)",
    "phrase_f1_mult(reading=symmetric)",
    "span_f1",
    "span_f1(rule=2023)",
    "span_precision",
    "span_recall",
    "mpp_f",
    "mpp_precision",
    "mpp_recall",
    "mpp_f(average=macro)",
    "mpp_f(measure=any)",
    "mpp_f(matching=many_to_many)",
    "auroc",
    "average_precision",
    "brier",
    "ece",
    "detection_mcc",
    "detection_mcc(at=gold_rate)",
    "detection_mcc(at=best)",
    "detection_kappa",
    "detection_precision",
    "detection_recall",
    "detection_f1",
    "recall_at_k",
    "recall_at_precision",
    "token_auroc",
    "token_average_precision",
    "token_recall_at_k",
    "token_recall_at_k(ties=last)",
    "mae",
    "rmse",
    "pearson",
    "spearman",
    "kendall_tau_b",
    "kendall_tau_c",
    "delta_avg",
    "delta_avg(replicate=perl)",
    "kendall(ties=wmt12)",
    "kendall(ties=wmt13)",
    "kendall(ties=wmt14)",
    "kendall(ties=hties)",
    "kendall(ties=darr)",
    "kendall(ties=acc23)",
    "acc_eq",
    "acc_eq(epsilon=0)",
    "acc_eq(epsilon=crossed)",
    "tau_b",
    "tau_b(grouping=item)",
    "tau_b(grouping=item, undefined=zero)",
    "tau_c",
    "segment_pearson",
    "segment_pearson(grouping=item)",
    "segment_pearson(grouping=item, undefined=zero)",
    "segment_pearson(grouping=system)",
    "segment_spearman",
    "pairwise_accuracy",
    "spa",
    "system_pearson",
    "system_spearman",
    "gtm_precision",
    "gtm_recall",
    "gtm_f",
    "gtm_f(exponent=2)",
    "bleu",
    "sentence_bleu",
    "chrf",
    "nist",
    "wer",
    "per",
    "cder",
    "preference_accuracy",
    "preference_accuracy(ties=0.5)",
    "tail_auc",
    "tail_mae",
    "tail_precision",
    "tail_recall",
    "edit_rate",
    "gain_to_edit_ratio",
    "preference_bias",
    "annotation_f1",
    "annotation_precision",
    "annotation_recall",
    "section_tau",
    "exact_span_f1",
    "exact_span_precision",
    "exact_span_recall",
    "accuracy",
    "balanced_accuracy",
    "f1_average",
    "f_beta(beta=inf)",
    "krippendorff_alpha",
    "krippendorff_alpha(level=nominal)",
    "krippendorff_alpha(level=ordinal)",
    "weighted_kappa",
    "weighted_kappa(weights=linear)",
)
"""All metrics that generated gold can be made for, with the parameters that change what can be gained."""
SEARCHED = (
    "f1_bad",
    "f1_mult",
    "f1_weighted",
    "mcc",
    "seqcor",
    "phrase_f1_bad",
    "phrase_f1_mult",
    "phrase_f1_mult(reading=clipped)",
    "phrase_f1_mult(reading=softconf)",
    "span_f1",
    "mpp_f",
    "mae",
    "rmse",
    "pearson",
    "kendall_tau_b",
    "brier",
    "token_auroc",
    "token_average_precision",
    "kendall(ties=wmt12)",
    "kendall(ties=wmt13)",
    "kendall",
    "kendall(ties=hties)",
    "kendall(ties=acc23)",
    "acc_eq",
    "tau_b",
    "tau_b(grouping=item, undefined=zero)",
    "segment_pearson",
    "segment_pearson(grouping=item, undefined=zero)",
    "segment_spearman",
    "pairwise_accuracy",
    "system_pearson",
    "gtm_f",
    "per",
    "preference_accuracy",
)
"""The metrics whose spaces of attacks are searched."""
OF_SUBMISSIONS = ("segment_pearson", "segment_pearson(grouping=item, undefined=zero)", "acc_eq")
OWN_MEANS = ("add_item_means", "add_system_means")


def of_metrics(audit: Audit) -> Iterator[dict[str, str]]:
    """Yield a row for each metric, those that can be gamed most first."""
    for metric in sorted(audit.metrics, key=lambda metric: (-metric.gaming_index, metric.metric)):
        yield {"metric": metric.metric, **_index(metric), **_worst(metric)}


def _index(metric: AuditedMetric) -> dict[str, str]:
    low, high = (format_number(end, 3) for end in (metric.low, metric.high))
    gamed = "yes" if metric.gaming_index >= GAMED else "no"
    return {"index": format_number(metric.gaming_index, 2), "low": low, "high": high, "gamed": gamed}


def _worst(metric: AuditedMetric) -> dict[str, str]:
    worst = metric.worst
    if worst is None:
        return {"attack": "", "kind": "", "golds": ""}
    return {"attack": worst.name, "kind": worst.kind, "golds": str(worst.golds)}


def of_attacks(audit: Audit) -> Iterator[dict[str, str]]:
    """Yield a row for each attack on each metric."""
    for metric in audit.metrics:
        for attack in metric.attacks:
            index = "" if math.isnan(attack.index) else format_number(attack.index, 2)
            yield {"metric": metric.metric, "attack": attack.attack, "kind": attack.kind, "index": index}


def of_finds(audit: Audit) -> Iterator[dict[str, str]]:
    """Yield a row for each space of attacks that was searched."""
    table = finds_table(audit)
    for row in table.rows:
        yield {column.title: cell.text for column, cell in zip(table.columns, row, strict=True)}


def of_gains(gains: Gains) -> Iterator[dict[str, str]]:
    """Yield a row for each attack of each submission."""
    for gain in gains.gains:
        yield {
            "metric": gain.metric,
            "task": gain.task,
            "submission": gain.submission,
            "score": format_number(gain.score, 3),
            "rank": str(gain.rank),
            "attack": gain.attack,
            "gain": format_number(gain.gain, 3),
            "error": format_number(gain.error, 3),
            "index": format_number(gain.index, 3),
            "setting": gain.setting,
            "rank after": str(gain.attacked_rank),
        }


def as_lines(rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows as tab-separated values under the line of their names."""
    every, text = list(rows), StringIO()
    writer = csv.DictWriter(text, list(every[0]), delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")
    writer.writeheader()
    writer.writerows(every)
    return text.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--each", type=Path, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    written: dict[str, Iterator[dict[str, str]]] = {}
    with qeframe.progress("attacking"):
        if asked.each is not None:
            rules = qeframe.choose_profile("wmt23_metrics_segment", ())
            tasks = qeframe.read_tasks(rules, asked.each)
            written["audit-submissions"] = of_gains(gains_of_submissions(OF_SUBMISSIONS, tasks, attacks=OWN_MEANS))
        elif asked.search:
            written["audit-search"] = of_finds(qeframe.audit(SEARCHED, claims=False, search=True))
        else:
            audit = qeframe.audit(AUDITED, claims=False)
            written |= {"audit": of_metrics(audit), "audit-attacks": of_attacks(audit)}
    for name, rows in written.items():
        (REFERENCE / f"{name}.tsv").write_text(as_lines(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
