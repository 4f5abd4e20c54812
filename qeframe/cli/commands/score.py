"""``qeframe score``: the scores of submissions under one metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.json_lines import write_json
from qeframe.cli.shared.metric_input import best_option, missing_option, read_metric_input, reference_option
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import DataError, one_line

if TYPE_CHECKING:
    from qeframe.core.batches.base import Batch
    from qeframe.core.components.metric import Metric


@click.command()
@click.argument("metric", shell_complete=complete_name("metrics"))
@click.argument("gold", type=options.path_type)
@click.argument("submissions", nargs=-1, required=True, type=options.path_type)
@click.option(
    "--each", type=click.Choice(["unit", "document"]), default=None, help="Score each unit or document on its own."
)
@click.option(
    "--interval",
    shell_complete=complete_name("significance_tests"),
    default=None,
    metavar="TEST",
    help="Also print an interval: 'default' (jackknife, or bootstrap for metrics that are not smooth), or a test that "
    "gives one, such as 'bootstrap(draws=5000)'.",
)
@click.option("--confidence", type=options.share_type, default=0.95, show_default=True, help="Level of the interval.")
@reference_option
@best_option
@missing_option
@options.seed_option
@options.json_option
@options.jsonl_option
@options.quiet_option
def score(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    each: str | None,
    interval: str | None,
    confidence: float,
    references: tuple[Path, ...],
    best: str,
    missing: str,
    seed: int,
    as_json: bool,
    as_lines: bool,
    quiet: bool,
) -> None:
    """Print the scores of SUBMISSIONS under METRIC.

    METRIC is a name that 'qeframe plugins' lists, with parameters if needed: "delta_avg(ties=input)". For metrics on
    numbers, a file has one number on each line, or two columns ID NUMBER. --each prints one line for each unit or
    document, --interval a heading and the ends of an interval. Texts are named by their line, texts from SGML by
    document and number, other units by their id.
    """
    from qeframe.cli.shared.json_lines import write_line

    chosen, batches, groups = read_metric_input(metric, gold, submissions, best, missing, references, quiet=quiet)
    if each is not None and interval is not None:
        raise DataError("a single unit or document has no interval", remedy="leave --each or --interval out")
    if each is not None:
        if each == "document" and "document" not in groups:
            raise DataError("the file has no documents", path=gold, remedy="give SGML, or choose --each unit")
        _print_parts(
            chosen, batches, groups.get("document", ()), whole=each == "document", as_json=as_json, as_lines=as_lines
        )
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
        if as_lines:
            record = {"metric": chosen.name, "submission": name, "score": scores[name]}
            write_line("score", {**record, **ends.get(name, {}), **limits.get(name, {})})
    without = {name: told["no_interval"] for name, told in limits.items() if "no_interval" in told}
    few = {name: told["few_units"] for name, told in limits.items() if "few_units" in told}
    if as_json:
        how = {"interval": interval, "confidence": confidence, "intervals": ends, "seed": seed, "without": without}
        how |= {"few_units": few} if few else {}
        record = {"metric": chosen.name, "scores": scores, **(how if interval is not None else {})}
        write_json(record)
    elif not as_lines:
        numbers = {name: (value, *ends.get(name, {}).values()) for name, value in scores.items()}
        ends_of = f"{100 * confidence:g} %"
        head = [("submission", chosen.name, f"low ({ends_of})", f"high ({ends_of})")] if interval is not None else []
        _print_columns([*head, *((name, *map(_number, values)) for name, values in numbers.items())])
    if not quiet:
        say(*(f"warning: {remark}" for remark in _remarks(chosen, scores, limits)))


def _remarks(metric: Metric, scores: Mapping[str, float], limits: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield what limits the scores; what says so is imported only if there may be something."""
    if all(score != score for score in scores.values()):
        import numpy as np

        from qeframe.additions.warnings_on_results import remark_on_metric

        if remark := remark_on_metric(metric, np.array(list(scores.values())), qeframe.load()):
            yield remark
    yield from (f"{name} has no interval: {of['no_interval']}" for name, of in limits.items() if "no_interval" in of)
    if limits:
        from qeframe.additions.warnings_on_intervals import on_few_units

        yield from on_few_units(metric.name, limits)


def _print_parts(
    metric: Metric,
    batches: Mapping[str, Batch],
    documents: Sequence[str],
    *,
    whole: bool,
    as_json: bool,
    as_lines: bool,
) -> None:
    """Print the score of every unit or, if `whole`, of every document."""
    from qeframe.cli.shared.json_lines import write_lines
    from qeframe.core.components.checks.metric import scores_of_groups, unit_scores

    scores: dict[str, dict[str, float]] = {}
    for name, batch in batches.items():
        values = scores_of_groups(metric, batch, documents) if whole else unit_scores(metric, batch)
        labels = dict.fromkeys(documents) if whole else _labels(batch, documents)
        scores[name] = dict(zip(labels, values.tolist(), strict=True))
        if as_lines:
            unit = "document" if whole else "unit"
            parts = ({unit: label, "score": value} for label, value in scores[name].items())
            write_lines("score", parts, metric=metric.name, submission=name)
    if as_lines:
        return
    if as_json:
        write_json({"metric": metric.name, "scores": scores})
        return
    _print_columns([(name, label, _number(value)) for name, parts in scores.items() for label, value in parts.items()])


def _print_columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows of texts in aligned columns, control characters made visible."""
    shown = [tuple(map(one_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        click.echo("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())


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
