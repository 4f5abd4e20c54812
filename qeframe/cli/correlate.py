"""``qeframe correlate``: how metrics agree with judges on documents of any size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qeframe.cli.options import (
    confirm_writable,
    json_option,
    out_option,
    path_type,
    quiet_option,
    seed_option,
    workers_option,
)

if TYPE_CHECKING:
    from qeframe.components.registry import Registry
    from qeframe.studies.correlate import Curve
    from qeframe.tasks.reading import Reading

__all__ = ["correlate"]

_SIZES = "1,2,5,10,20,50,100,200,500"


@click.command()
@click.argument("path", type=path_type)
@click.option("--metric", "metrics", multiple=True, required=True, metavar="METRIC", help="On texts; repeatable.")
@click.option("--reader", default="rankings", show_default=True, help="How PATH is read; parameters if need be.")
@click.option("--task", default="", metavar="NAME", help="The task, such as a language pair, if there are several.")
@click.option("--sizes", default=_SIZES, show_default=True, help="Sentences of a document, between commas.")
@click.option("--references", default="", metavar="1,2,...", help="How many the metrics see; by default all.")
@click.option("--draws", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents of each size.")
@click.option("--test-at", type=click.IntRange(min=1), default=None, help="The size at which metrics are compared.")
@out_option
@seed_option
@workers_option
@json_option
@quiet_option
def correlate(
    path: Path,
    metrics: tuple[str, ...],
    reader: str,
    task: str,
    sizes: str,
    references: str,
    draws: int,
    test_at: int | None,
    out: Path | None,
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Correlate metrics on texts with human judges, on documents of n sentences, in PATH.

    Documents are drawn with replacement, with one of the judges for each sentence. The table has the mean correlation
    over systems of every metric and, where two judges saw the same, between judges. Metrics are compared by Wilcoxon's
    signed ranks at one size, the middle one by default.
    """
    from qeframe.cli.progress import working
    from qeframe.components.loader import load
    from qeframe.components.metric import Metric
    from qeframe.evaluation.result import canonical_json
    from qeframe.report import pair_table, print_table
    from qeframe.report.tables.curves import curve_record, curve_table
    from qeframe.studies.correlate import compare_curves, study

    confirm_writable(out)
    several, numbers = _numbers(sizes, "--sizes"), _numbers(references, "--references") if references else ()
    at = _compared_size(several, test_at)
    registry = load()
    found = [registry.get(Metric, name) for name in dict.fromkeys(metrics)]
    reading = _reading(reader, path, task, registry)
    with working("correlating", workers=workers, quiet=quiet) as runner:
        curves = study(reading, found, several, references=numbers, draws=draws, seed=seed, runner=runner)
    scales = list(dict.fromkeys(curve.scale for curve in curves))
    pairs = {s: compare_curves([c for c in curves if c.scale == s], at, registry=registry) for s in scales}
    signature = (
        f"task:{reading.name}|draws:{draws}|seed:{seed}|{','.join(f'{i.path}:{i.sha256[:8]}' for i in reading.inputs)}"
    )
    settings = {"task": reading.name, "draws": draws, "seed": seed, "compared_at": at}
    record = canonical_json(curve_record(curves, pairs, settings))
    tables = [curve_table(curves, f"{reading.name}: agreement with judges", signature=signature)]
    for scale in scales:
        title = f"{scale}: metrics in documents of {at} sentences"
        note = "the units are documents drawn from the same sentences: p falls with their number"
        tables += [pair_table(pairs[scale], title, notes=[note])] if pairs[scale] else []
    if as_json:
        click.echo(record, nl=False)
    else:
        for nth, table in enumerate(tables):
            click.echo("\n" * bool(nth), nl=False)
            print_table(table)
    if out is not None:
        _write(out, curves, reading, record, tables, quiet=quiet)


def _numbers(text: str, option: str) -> tuple[int, ...]:
    from qeframe.errors import DataError

    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and int(word) > 0 for word in words):
        raise DataError(f"{option} '{text}' is no list of whole numbers from 1", remedy=f"write {option} 1,2,5")
    return tuple(sorted(set(map(int, words))))


def _compared_size(sizes: Sequence[int], chosen: int | None) -> int:
    from qeframe.errors import DataError

    if chosen is not None and chosen not in sizes:
        raise DataError(
            f"--test-at {chosen} is none of the sizes", remedy=f"choose one of {', '.join(map(str, sizes))}"
        )
    return sizes[len(sizes) // 2] if chosen is None else chosen


def _reading(reader: str, path: Path, task: str, registry: Registry) -> Reading:
    from qeframe.components.reader import Reader
    from qeframe.errors import DataError, did_you_mean

    if not path.exists():
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    readings = {reading.name: reading for reading in registry.get(Reader, reader).read(path, "high")}
    if task and task not in readings:
        raise DataError(f"there is no task '{task}'", path=path, remedy=did_you_mean(task, readings))
    able = [name for name, of in readings.items() if of.texts is not None and of.assessments]
    if not task and len(able) > 1:
        raise DataError(f"there are {len(able)} tasks", path=path, remedy=f"choose one by --task: {', '.join(able)}")
    return readings[task or (able or list(readings))[0]]


def _write(
    out: Path, curves: Sequence[Curve], reading: Reading, record: str, tables: Sequence[object], *, quiet: bool
) -> None:
    """Write the numbers, the tables and, with matplotlib, the pictures."""
    from qeframe.report import Table, as_markdown, write_files
    from qeframe.report.figures import available, images, styled
    from qeframe.report.figures.curves import curves_figure, judges_figure

    text = "\n".join(as_markdown(table) for table in tables if isinstance(table, Table))
    files = {"correlate.md": text.encode("utf-8", "backslashreplace"), "correlate.json": record.encode()}
    if available():
        with styled():
            figures = {"agreement": curves_figure(curves)}
            for assessments in reading.assessments:
                stem = "judges" if len(reading.assessments) == 1 else f"judges-{assessments.scale}"
                if (figure := judges_figure(assessments)) is not None:
                    figures[stem] = figure
            for stem, figure in figures.items():
                files |= {f"{stem}.{form}": content for form, content in images(figure).items()}
    elif not quiet:
        click.echo('qeframe: figures skipped: matplotlib is not installed; pip install "qeframe[report]"', err=True)
    write_files(out, files)
    if not quiet:
        click.echo(f"qeframe: {len(files)} files written to {out}", err=True)
