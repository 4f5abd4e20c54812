"""``qeframe score`` and ``qeframe compare``: submissions under one metric, and the differences between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

import qeframe
from qeframe import report
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import print_columns, say, write_json
from qeframe.core.errors import DataError, counted

if TYPE_CHECKING:
    from qeframe.core.batch import Batch, Best
    from qeframe.core.metric import Metric
    from qeframe.core.significance import Sided
    from qeframe.core.task import MissingPolicy


missing_option = options.choice_option(
    "--missing", ["error", "score_as_worst", "drop_for_all"], "How units without an answer count."
)
reference_option = click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="FILE",
    type=options.path_type,
    help="For texts: another reference in addition to GOLD; repeatable.",
)


def read_metric_input(
    metric: str,
    gold: Path,
    submissions: Sequence[Path],
    best: Best,
    missing: MissingPolicy,
    references: Sequence[Path],
    *,
    quiet: bool = False,
) -> tuple[Metric, dict[str, Batch], Mapping[str, Sequence[str]]]:
    """Read gold and submissions for a metric, and print a warning for everything that was left out unless `quiet`.

    Returns the batch of every submission, by its name. For each grouping, the group of every unit. Raises QeframeError
    if there is no such metric, or the files cannot be read or aligned.
    """
    from qeframe.core.metric import Metric
    from qeframe.kinds.plain_files import check_has_plain_files, plain_reading

    registry = qeframe.load()
    chosen = registry.get(Metric, metric)
    check_has_plain_files(chosen, registry)
    if not submissions:
        remedy = f"name them after GOLD; if {gold.name} is a table of gold and submissions: qeframe run PROFILE {gold}"
        raise DataError("no file of a submission is named", remedy=remedy)
    reading = plain_reading(chosen.kind, gold, submissions, best=best, references=references)
    task = qeframe.align(reading, missing=missing, choice="give --missing {}")
    remark = next(iter(task.batches.values())).gold_warning()
    dropped = [f"{counted(entry.count, entry.what)}: {entry.reason}" for entry in task.dropped]
    say(*(f"warning: {note}" for note in (remark, *dropped) if note), quiet=quiet)
    return chosen, {submission.name: batch for submission, batch in task.batches.items()}, task.groups


@click.command()
@click.argument("metric")
@click.argument("gold", type=options.path_type)
@click.argument("submissions", nargs=-1, metavar="SUBMISSIONS...", type=options.path_type)
@click.option("--each", type=click.Choice(["unit", "document"]), help="Score each unit or document on its own.")
@click.option(
    "--interval",
    metavar="TEST",
    help="Also print an interval: 'default' (jackknife, or bootstrap for metrics that are not smooth), or a test that "
    "gives one, such as 'bootstrap(draws=5000)'.",
)
@click.option("--confidence", type=options.share_type, default=0.95, show_default=True, help="Level of the interval.")
@reference_option
@options.best_option
@missing_option
@options.seed_option
@options.json_option
@options.quiet_option
def score(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    each: str | None,
    interval: str | None,
    confidence: float,
    references: tuple[Path, ...],
    best: Best,
    missing: MissingPolicy,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the scores of SUBMISSIONS under METRIC.

    METRIC is a name that 'qeframe plugins' lists, with parameters if needed: "delta_avg(ties=input)". For metrics on
    numbers, a file has one number on each line, or two columns ID NUMBER. --each prints one line for each unit or
    document, of a single submission ID NUMBER again; --interval a heading and the ends of an interval. Texts are named
    by their line, texts from SGML by document and number, other units by their id.
    """
    chosen, batches, groups = read_metric_input(metric, gold, submissions, best, missing, references, quiet=quiet)
    if each is not None and interval is not None:
        raise DataError("a single unit or document has no interval", remedy="leave --each or --interval out")
    if each is not None:
        if each == "document" and "document" not in groups:
            raise DataError("the file has no documents", path=gold, remedy="give SGML, or choose --each unit")
        _print_parts(chosen, batches, groups.get("document", ()), whole=each == "document", as_json=as_json)
        return
    scores: dict[str, float] = {}
    ends: dict[str, dict[str, float]] = {}
    limits: dict[str, dict[str, Any]] = {}
    for name, batch in batches.items():
        if interval is None:
            scores[name] = qeframe.score(chosen, batch, None)
        else:
            result = qeframe.score(chosen, batch, None, interval=interval, confidence=confidence, seed=seed)
            scores[name], ends[name] = result.value, {"low": result.low, "high": result.high}
            told = {key: result.details[key] for key in ("no_interval", "few_units") if key in result.details}
            limits |= {name: told} if told else {}
    without = {name: told["no_interval"] for name, told in limits.items() if "no_interval" in told}
    few = {name: told["few_units"] for name, told in limits.items() if "few_units" in told}
    if as_json:
        from qeframe.api.arrays.remarks import why_undefined

        how = {"interval": interval, "confidence": confidence, "intervals": ends, "seed": seed, "without": without}
        how |= {"few_units": few} if few else {}
        undefined = {name: why_undefined(batches[name]) for name, value in scores.items() if value != value}
        record = {"metric": chosen.name, "scores": scores, **(how if interval is not None else {})}
        record |= {"undefined": undefined} if undefined else {}
        write_json(record)
    else:
        numbers = {name: (value, *ends.get(name, {}).values()) for name, value in scores.items()}
        ends_of = f"{100 * confidence:g} %"
        head = [("submission", chosen.name, f"low ({ends_of})", f"high ({ends_of})")] if interval is not None else []
        print_columns([*head, *((name, *map(_number, values)) for name, values in numbers.items())])
    if not quiet:
        say(*(f"warning: {remark}" for remark in _remarks(chosen, scores, limits, batches)))


def _remarks(
    metric: Metric, scores: Mapping[str, float], limits: Mapping[str, Mapping[str, Any]], batches: Mapping[str, Batch]
) -> Iterator[str]:
    """Yield what limits the scores; what says so is imported only if there may be something."""
    if all(score != score for score in scores.values()):
        import numpy as np

        from qeframe.assembly.remarks_on_scores import remark_on_metric

        of_metric = remark_on_metric(metric, np.array(list(scores.values())), qeframe.load())
    else:
        of_metric = ""
    undefined = [name for name, score in scores.items() if score != score]
    if of_metric:
        yield of_metric
    elif undefined:
        from qeframe.api.arrays.remarks import why_undefined

        yield from (f"{metric.name} of {name} is undefined: {why_undefined(batches[name])}" for name in undefined)
    without = {name: of for name, of in limits.items() if "no_interval" in of and name not in undefined}
    yield from (f"{name} has no interval: {of['no_interval']}" for name, of in without.items())
    if limits:
        from qeframe.api.arrays.remarks import on_few_units

        yield from on_few_units(metric.name, limits)


def _print_parts(
    metric: Metric, batches: Mapping[str, Batch], documents: Sequence[str], *, whole: bool, as_json: bool
) -> None:
    """Print the score of every unit or, if `whole`, of every document."""
    from qeframe.core.metric_calls import bind, scores_of_groups, unit_scores

    scores: dict[str, dict[str, float]] = {}
    for name, batch in batches.items():
        statistic = bind(metric, batch)
        values = scores_of_groups(metric, statistic, documents) if whole else unit_scores(metric, statistic)
        labels = dict.fromkeys(documents) if whole else _labels(batch, documents)
        scores[name] = dict(zip(labels, values.tolist(), strict=True))
    if as_json:
        write_json({"metric": metric.name, "scores": scores})
        return
    rows = [(name, label, _number(value)) for name, parts in scores.items() for label, value in parts.items()]
    print_columns([row[1:] for row in rows] if len(scores) == 1 else rows)  # of one submission: a plain file again


def _labels(batch: Batch, documents: Sequence[str]) -> list[str]:
    """Return the label of every unit: document and number, line, or id."""
    from collections import Counter

    if not documents:
        return [str(number + batch.from_texts) for number in batch.ids.tolist()]
    seen: Counter[str] = Counter()
    labels = []
    for name in documents:
        seen[name] += 1
        labels.append(f"{name} {seen[name]}")
    return labels


def _number(value: float) -> str:
    return "n/a" if value != value else f"{value:.6f}"


@click.command()
@click.argument("metric")
@click.argument("gold", type=options.path_type)
@click.argument("submissions", nargs=-1, metavar="SUBMISSIONS...", type=options.path_type)
@options.names_option("--also", "others", "METRIC", "Another metric of the same kind of data; repeatable.")
@options.choice_option(
    "--family",
    ["all", "metric"],
    "With --also, what is corrected together: all pairs under all metrics, or the pairs of each metric.",
)
@click.option(
    "--test",
    default="default",
    show_default="jackknife_and_exchange; exchange or bootstrap_t for metrics that are not smooth",
    help="Significance test, with parameters if needed.",
)
@click.option("--sided", type=click.Choice(["one", "two"]), help="Default: two if the test can.")
@click.option(
    "--correction",
    default="default",
    show_default="that of the default test, such as romano_wolf_and_max_t; else holm",
    help="Correction of the p-values of all pairs.",
)
@click.option(
    "--alpha",
    type=options.share_type,
    default=0.05,
    show_default=True,
    help="A difference is significant if its adjusted p is below this.",
)
@click.option("--simultaneous", is_flag=True, help="Intervals that hold for all pairs together.")
@click.option(
    "--equivalence",
    type=options.DecimalNumber(min=0, min_open=True),
    metavar="DELTA",
    help="Also test whether differences are smaller than DELTA.",
)
@reference_option
@options.best_option
@missing_option
@options.common_options
def compare(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    others: tuple[str, ...],
    family: Literal["all", "metric"],
    test: str,
    sided: Sided | None,
    correction: str,
    alpha: float,
    simultaneous: bool,
    equivalence: float | None,
    references: tuple[Path, ...],
    best: Best,
    missing: MissingPolicy,
    common: options.CommonOptions,
) -> None:
    """Test the differences between SUBMISSIONS under METRIC.

    All pairs are compared. Each line of a table is one pair, the better submission first. The files are those of
    'qeframe score'. There is a table for each metric.
    """
    from qeframe.api.arrays.comparing import compare_by_rules, rules_of_metrics
    from qeframe.core.metric import Metric

    chosen, batches, _ = read_metric_input(metric, gold, submissions, best, missing, references, quiet=common.quiet)
    registry = qeframe.load()
    metrics = [chosen, *(registry.get(Metric, other) for other in others)]
    rules = rules_of_metrics(
        metrics,
        registry,
        test=test,
        sided=sided,
        correction=correction,
        alpha=alpha,
        simultaneous=simultaneous,
        equivalence=equivalence,
    )
    with common.working("drawing") as runner:
        tables = compare_by_rules(
            metrics, None, batches, rules, registry, family=family, seed=common.seed, runner=runner
        )
    if common.as_json:
        record = {
            "alpha": alpha,
            "correction": rules[0].correction.name,
            "family": family,
            "comparisons": [pair for compared in tables for pair in compared],
            "warnings": tables.warnings,
        }
        write_json(record)
    else:
        for compared in tables:
            report.print_table(
                report.pair_table(
                    compared, f"{compared.metric}: comparisons", alpha=alpha, strong_means=compared.significance
                )
            )
    say(*(f"warning: {remark}" for remark in tables.warnings), quiet=common.quiet)
