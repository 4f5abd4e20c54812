"""``qeframe score`` and ``qeframe compare``: one metric on files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from qeframe.cli.options import json_option, path_type, quiet_option, seed_option, workers_option

if TYPE_CHECKING:
    from qeframe.batches.base import Batch
    from qeframe.components.metric import Metric
    from qeframe.components.registry import Registry
    from qeframe.tasks.align import MissingPolicy

__all__ = ["compare", "score"]

_best_option = click.option(
    "--best", type=click.Choice(["low", "high"]), default="low", show_default=True, help="Good end of the gold scale."
)
_missing_option = click.option(
    "--missing",
    type=click.Choice(["error", "score_as_worst", "drop_for_all"]),
    default="error",
    show_default=True,
    help="What happens to units that a submission left out.",
)


_reference_option = click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="FILE",
    type=path_type,
    help="Of texts: another reference beside GOLD; repeatable.",
)


@click.command()
@click.argument("metric")
@click.argument("gold", type=path_type)
@click.argument("submissions", nargs=-1, required=True, type=path_type)
@click.option("--each", type=click.Choice(["unit", "document"]), default=None, help="Score each of them alone.")
@_reference_option
@_best_option
@_missing_option
@json_option
def score(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    each: str | None,
    references: tuple[Path, ...],
    best: str,
    missing: str,
    as_json: bool,
) -> None:
    """Print the score of each of SUBMISSIONS against GOLD under METRIC.

    METRIC is a name that 'qeframe plugins' lists, with parameters if need be: "delta_avg(ties=input)". For metrics on
    numbers a file has one number a line, or two columns ID NUMBER. --each prints a line for each unit or document:
    texts by their line or, from SGML, by document and number, others by their id.
    """
    from qeframe.errors import DataError
    from qeframe.evaluation.comparison import score as score_batch
    from qeframe.evaluation.result import canonical_json

    found, batches, groups = _read(metric, gold, submissions, best, missing, references)
    if each is not None:
        if each == "document" and "document" not in groups:
            raise DataError("no documents are here", path=gold, remedy="give SGML, or choose --each unit")
        _print_parts(found, batches, groups.get("document", ()), whole=each == "document", as_json=as_json)
        return
    scores = {name: score_batch(found, batch, None) for name, batch in batches.items()}
    if as_json:
        click.echo(canonical_json({"metric": found.name, "scores": scores}), nl=False)
    else:
        width = max(map(len, scores))
        for name, value in scores.items():
            click.echo(f"{name:<{width}}  {_number(value)}")


@click.command()
@click.argument("metric")
@click.argument("gold", type=path_type)
@click.argument("submissions", nargs=-1, required=True, type=path_type)
@click.option("--test", default="bootstrap", show_default=True, help="A significance test, with parameters if need be.")
@click.option("--sided", type=click.Choice(["one", "two"]), default=None, help="By default two where the test can.")
@click.option("--correction", default="holm", show_default=True, help="Of the family of all pairs.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="A difference is significant if its adjusted p is below.",
)
@_reference_option
@_best_option
@_missing_option
@seed_option
@workers_option
@json_option
@quiet_option
def compare(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    test: str,
    sided: str | None,
    correction: str,
    alpha: float,
    references: tuple[Path, ...],
    best: str,
    missing: str,
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare SUBMISSIONS in pairs under METRIC and test the differences.

    One line for every pair, the better submission first. Files are as for 'qeframe score'.
    """
    from qeframe.cli.progress import working
    from qeframe.components.loader import load
    from qeframe.components.significance import Correction, SignificanceTest
    from qeframe.evaluation.comparison import ComparisonRules
    from qeframe.evaluation.comparison import compare as compare_batches
    from qeframe.evaluation.remarks import remarks_on_family
    from qeframe.evaluation.result import canonical_json
    from qeframe.report import pair_table, print_table

    found, batches, _ = _read(metric, gold, submissions, best, missing, references)
    registry = load()
    rules = ComparisonRules(
        test=registry.get(SignificanceTest, test),
        sided="one" if sided == "one" else "two" if sided == "two" else "",
        correction=registry.get(Correction, correction),
        alpha=alpha,
    )
    with working("drawing", workers=workers, quiet=quiet) as runner:
        compared = compare_batches(
            found,
            None,
            batches,
            test=rules.test,
            sided=rules.sided or None,
            correction=rules.correction,
            alpha=alpha,
            seed=seed,
            runner=runner,
        )
    if as_json:
        click.echo(canonical_json({"comparisons": compared}), nl=False)
    else:
        strong = f"significant at alpha = {alpha:g}, correction {correction}"
        print_table(pair_table(compared, f"{found.name}: comparisons", strong_means=strong))
    for remark in () if quiet else remarks_on_family(rules, compared):
        click.echo(f"qeframe: warning: {remark}", err=True)


def _print_parts(
    metric: Metric, batches: Mapping[str, Batch], documents: Sequence[str], *, whole: bool, as_json: bool
) -> None:
    """Print the score of every unit or, if `whole`, of every document."""
    from qeframe.components.metric import group_scores, segment_scores
    from qeframe.evaluation.result import canonical_json

    scores: dict[str, dict[str, float]] = {}
    for name, batch in batches.items():
        values = group_scores(metric, batch, documents) if whole else segment_scores(metric, batch)
        labels = dict.fromkeys(documents) if whole else _labels(batch, documents)
        scores[name] = dict(zip(labels, values.tolist(), strict=True))
    if as_json:
        click.echo(canonical_json({"metric": metric.name, "scores": scores}), nl=False)
        return
    widths = max(map(len, scores)), max((len(label) for parts in scores.values() for label in parts), default=0)
    for name, parts in scores.items():
        for label, value in parts.items():
            click.echo(f"{name:<{widths[0]}}  {label:<{widths[1]}}  {_number(value)}")


def _labels(batch: Batch, documents: Sequence[str]) -> list[str]:
    """Return what the units are called: document and number, line, or id."""
    from collections import Counter

    from qeframe.batches.texts import Texts

    if not documents:
        return [str(number + isinstance(batch, Texts)) for number in batch.ids.tolist()]
    seen: Counter[str] = Counter()
    labels = []
    for name in documents:
        seen[name] += 1
        labels.append(f"{name} {seen[name]}")
    return labels


def _read(
    metric: str,
    gold: Path,
    submissions: Sequence[Path],
    best: str,
    missing: str,
    references: Sequence[Path],
) -> tuple[Metric, dict[str, Batch], Mapping[str, Sequence[str]]]:
    """Return the metric, the batch of every submission, and the groups of the units."""
    from qeframe.components.loader import load
    from qeframe.components.metric import Metric
    from qeframe.tasks.align import align
    from qeframe.tasks.plain_files import plain_reading

    registry: Registry = load()
    found = registry.get(Metric, metric)
    reading = plain_reading(
        found.kind, gold, submissions, best="high" if best == "high" else "low", references=references
    )
    task = align(reading, missing=cast("MissingPolicy", missing))
    if remark := next(iter(task.batches.values())).remark():
        click.echo(f"qeframe: warning: {remark}", err=True)
    for entry in task.dropped:
        click.echo(f"qeframe: warning: {entry.count} {entry.what}: {entry.reason}", err=True)
    return found, {submission.name: batch for submission, batch in task.batches.items()}, task.groups


def _number(value: float) -> str:
    return "n/a" if value != value else f"{value:.6f}"
