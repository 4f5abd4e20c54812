"""``qeframe correlate``: how metrics agree with judges on documents of several sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe import report, studies
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import take_out, write_out
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import DataError, did_you_mean

if TYPE_CHECKING:
    from qeframe.data.reading import Reading
    from qeframe.report.folders.result_folder import ResultFolder

_SIZES = "1,2,5,10,20,50,100,200,500"


@click.command()
@click.argument("path", type=options.path_type)
@options.names_option("--metric", "metrics", "METRIC", "A metric on texts; repeatable.", required=True)
@click.option("--reader", default="rankings", show_default=True, help="Reader of PATH, with parameters if needed.")
@click.option(
    "--task", default="", metavar="NAME", help="Name of the task, such as a language pair, if PATH has several."
)
@click.option(
    "--sizes", default=_SIZES, show_default=True, help="Numbers of sentences in a document, separated by commas."
)
@click.option(
    "--references", default="", metavar="1,2,...", help="Numbers of references that the metrics use. Default: all."
)
@options.number_option("--draws", "Number of documents of each size.", default=1000)
@options.number_option("--test-at", "Size at which metrics are compared. Default: the middle one.")
@options.out_option_with(
    "Write correlate.json and correlate.md into this folder, and figures if matplotlib is installed."
)
@options.common_options
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
    common: options.CommonOptions,
) -> None:
    """Correlate metrics with human judges by document size.

    PATH holds texts and judgments, as the reader expects them. A document is drawn with replacement: its sentences, and
    for each sentence one of its judges. The table has the mean correlation over systems of every metric and, where two
    judges saw the same translations, between judges; another table has the judges who agree least. Metrics are compared
    at one size by Wilcoxon's signed-rank test.
    """
    from qeframe.core.display import canonical_json
    from qeframe.core.metric import Metric
    from qeframe.studies.tables.curves import curve_record, curve_table, judges_table

    result_folder = take_out(out, path)
    size_list = _numbers(sizes, "--sizes")
    reference_counts = _numbers(references, "--references") if references else ()
    at = size_list[len(size_list) // 2] if test_at is None else test_at
    if at not in size_list:
        raise DataError(
            f"--test-at {at} is not one of the sizes", remedy=f"choose one of {', '.join(map(str, size_list))}"
        )
    registry = qeframe.load()
    chosen = [registry.get(Metric, name) for name in dict.fromkeys(metrics)]
    reading = _reading(reader, path, task, registry)
    with common.working("correlating") as runner:
        curves = studies.correlate_task(
            reading, chosen, size_list, references=reference_counts, draws=draws, seed=common.seed, runner=runner
        )
    scales = list(dict.fromkeys(curve.scale for curve in curves))
    pairs = {s: studies.compare_curves([c for c in curves if c.scale == s], at, registry=registry) for s in scales}
    inputs = ",".join(f"{file.path}:{file.sha256[:8]}" for file in reading.inputs)
    signature = f"task:{reading.name}|draws:{draws}|seed:{common.seed}|{inputs}"
    settings = {"task": reading.name, "draws": draws, "seed": common.seed, "compared_at": at}
    judges = [pair for assessments in reading.assessments for pair in studies.judge_pairs(assessments)]
    record = canonical_json(curve_record(curves, pairs, settings, judges))
    tables = [curve_table(curves, f"{reading.name}: agreement with judges", signature=signature)]
    tables += [table for scale in scales if (table := judges_table(judges, scale)) is not None]
    tables += _pair_tables(pairs, at)
    common.show(record, tables)
    if result_folder is not None:
        _write(result_folder, curves, reading, record, tables, quiet=common.quiet)


def _pair_tables(pairs: Mapping[str, Sequence[qeframe.Comparison]], at: int) -> list[report.Table]:
    """Return the table of compared metrics for every scale that has comparisons."""
    note = "the units are documents drawn from the same sentences: more draws give a smaller p"
    return [
        report.pair_table(compared, f"{scale}: metrics on documents of {at} sentences", notes=[note])
        for scale, compared in pairs.items()
        if compared
    ]


def _numbers(text: str, option: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and int(word) > 0 for word in words):
        raise DataError(f"{option} '{text}' is not a list of positive whole numbers", remedy=f"write {option} 1,2,5")
    return tuple(sorted(set(map(int, words))))


def _reading(reader: str, path: Path, task: str, registry: qeframe.Registry) -> Reading:
    from qeframe.core.reader import Reader
    from qeframe.data.reader_checks import read

    if not path.exists():
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    readings = {reading.name: reading for reading in read(registry.get(Reader, reader), path, "high")}
    if task and task not in readings:
        raise DataError(f"there is no task '{task}'", path=path, remedy=did_you_mean(task, readings))
    usable = [name for name, reading in readings.items() if reading.texts is not None and reading.assessments]
    if not task and len(usable) > 1:
        raise DataError(
            f"there are {len(usable)} tasks", path=path, remedy=f"choose one by --task: {', '.join(usable)}"
        )
    return readings[task or (usable or list(readings))[0]]


def _write(
    out: ResultFolder,
    curves: Sequence[studies.AgreementCurve],
    reading: Reading,
    record: str,
    tables: Sequence[report.Table],
    *,
    quiet: bool,
) -> None:
    """Write the numbers, the tables and, if matplotlib is installed, the figures."""
    from qeframe.report.figures import available, images, styled
    from qeframe.report.result_files.files import NO_FIGURES
    from qeframe.studies.figures import curves_figure, judges_figure
    from qeframe.studies.tables.curves import FEWEST

    text = "\n".join(report.as_markdown(table) for table in tables)
    files: dict[str, str | bytes] = {"correlate.md": text, "correlate.json": record}
    if available():
        with styled():
            figures = {"agreement": curves_figure(curves)}
            for assessments in reading.assessments:
                stem = "judges" if len(reading.assessments) == 1 else f"judges-{assessments.scale}"
                if (figure := judges_figure(assessments)) is not None:
                    figures[stem] = figure
                worst = next((pair for pair in studies.judge_pairs(assessments) if pair.translations >= FEWEST), None)
                if worst and (figure := judges_figure(assessments, worst)) is not None:
                    figures[stem.replace("judges", "judges-worst", 1)] = figure
            for stem, figure in figures.items():
                files |= {f"{stem}.{form}": content for form, content in images(figure).items()}
    else:
        say(NO_FIGURES, quiet=quiet)
    write_out(out, files, quiet=quiet)
