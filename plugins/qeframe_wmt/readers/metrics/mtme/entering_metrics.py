"""The metrics of a language pair that enter, by their files, and the count of those that do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, SubmissionKind, is_added
from qeframe_wmt.readers.metrics.mtme.choices import PairChoice
from qeframe_wmt.readers.metrics.mtme.score_files import Folder, MetricFile

NOT_LISTED = "not in the list of metrics that take part"
"""The reason for which a metric is left out, unless a parameter names it."""


@frozen
class EnteringMetric:
    """A metric that enters: its name, the kind of submission that it is, and its files by level."""

    name: str
    kind: SubmissionKind
    files: Mapping[str, Path]


@frozen(kw_only=True)
class EnteringMetrics:
    """The metrics of a language pair."""

    metrics: tuple[EnteringMetric, ...]
    references: frozenset[str]  # those that some metric used, and those whose texts are there
    known: tuple[str, ...]  # the base names of all metrics
    dropped: tuple[Dropped, ...]  # the metrics that do not enter, and official ones without a file


def choose_metrics(folder: Folder, chosen: PairChoice, systems: Sequence[str]) -> EnteringMetrics:
    """Return the metrics that enter in a language pair whose `systems` have human scores.

    A metric enters if its base name does, or if the user enters it, and all references that it used are standard ones.
    """
    files = folder.metrics(chosen.pair)
    texts = folder.references(chosen.pair)
    used = {name for metric in files for name in metric.references if name != "all"}
    references = frozenset({*used, *texts})
    _check_standard(folder, chosen, used, {*references, *systems})
    standard = {*chosen.standard, *(["all"] if references and references <= set(chosen.standard) else [])}
    named = {metric for metric in files if chosen.listed is None or metric.base in chosen.listed}
    listed = [metric for metric, of in files.items() if metric in named or any(map(is_added, of.values()))]
    entering = [metric for metric in listed if not chosen.standard or standard.issuperset(metric.references)]
    return EnteringMetrics(
        metrics=_named(entering, files, chosen),
        references=references,
        known=tuple(dict.fromkeys(metric.base for metric in files)),
        dropped=tuple(note for note in _dropped(files, listed, entering, chosen) if note.count),
    )


def _check_standard(folder: Folder, chosen: PairChoice, used: set[str], known: set[str]) -> None:
    """Raise a `DataError` if no standard reference is in any file, although some metric used another reference."""
    if chosen.standard and used and not known.intersection(chosen.standard):
        what = f"the standard reference '{chosen.standard[0]}' is in no file"
        remedy = f'{did_you_mean(chosen.standard[0], sorted(used))} Give references={{{chosen.pair}="NAME"}}'
        raise DataError(what, path=folder.path / "metric-scores" / chosen.pair, remedy=remedy)


def _named(
    entering: Sequence[MetricFile], files: Mapping[MetricFile, Mapping[str, Path]], chosen: PairChoice
) -> tuple[EnteringMetric, ...]:
    """Return the metrics by base name where there is an official list and one variant only, else by file name."""
    counts = Counter(metric.base for metric in entering)

    def entered(metric: MetricFile) -> EnteringMetric:
        is_base = chosen.by_base_name and counts[metric.base] == 1
        official = chosen.official is None or metric.base in chosen.official
        kind: SubmissionKind = "baseline" if metric.base in chosen.baselines else "real" if official else "unofficial"
        return EnteringMetric(metric.base if is_base else metric.name, kind, files[metric])

    return tuple(entered(metric) for metric in entering)


def _dropped(
    files: Mapping[MetricFile, Mapping[str, Path]],
    listed: Sequence[MetricFile],
    entering: Sequence[MetricFile],
    chosen: PairChoice,
) -> list[Dropped]:
    unlisted = sorted({metric.base for metric in files} - {metric.base for metric in listed})
    others = [metric.name for metric in listed if metric not in entering]
    absent = sorted(set(chosen.listed or ()) - {metric.base for metric in files})
    standard = " or ".join(chosen.standard)
    reasons = (
        (NOT_LISTED, unlisted),
        (f"computed with another reference than {standard}", others),
        ("in the list of metrics that take part, without a file", absent),
    )
    return [
        Dropped(chosen.pair, "submission", len(names), f"{reason}: {', '.join(names)}") for reason, names in reasons
    ]
