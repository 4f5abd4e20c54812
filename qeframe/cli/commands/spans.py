"""``qeframe spans`` and ``qeframe grid``: what is marked in the texts of segments, and which words match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.completion import complete_name, complete_task
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import CapabilityError, DataError, UnknownNameError, counted, one_line

if TYPE_CHECKING:
    from qeframe.core.batches.base import Batch
    from qeframe.core.components.metric import Metric


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("path", type=options.path_type)
@click.option("--submission", help="Name of the submission; the first one by default.")
@click.option(
    "--task",
    "task_name",
    shell_complete=complete_task,
    help="Name of the task, such as en-de; the first one by default.",
)
@click.option("--segment", "segments", multiple=True, help="Name or number of a segment in the files; repeatable.")
@options.number_option("--worst", "How many segments, without --segment.", default=3)
@options.out_option_with("Also draw the segments into this file, which ends in .svg.")
@options.set_option
@options.quiet_option
def spans(
    profile: str,
    path: Path,
    submission: str | None,
    task_name: str | None,
    segments: tuple[str, ...],
    worst: int,
    out: Path | None,
    settings: tuple[str, ...],
    quiet: bool,
) -> None:
    """Print the error spans of segments, those of the gold and those of a submission.

    The spans are shown below the text, and listed. Without --segment, the segments are those without which the primary
    metric of PROFILE would be best. PATH holds what the profile's reader expects, as for 'qeframe run'.
    """
    import shutil
    import sys

    from qeframe.report.tables.marked_text import marked_text, text_of_marks

    if out is not None and (out.suffix != ".svg" or out.is_dir()):
        raise DataError("this is not the name of a picture", path=out, remedy="name a file that ends in .svg")
    metrics, tasks = _read(profile, path, settings)
    task = _named(tasks, task_name)
    name, batch = _answers(task, submission)
    units = [_unit(task, batch, segment) for segment in segments] or _worst_units(metrics[0], batch, worst)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    drawn = [(_title(task, batch, unit, metrics), marked_text(batch, unit, name)) for unit in units]
    for number, (title, marked) in enumerate(drawn):
        click.echo("\n" * bool(number) + one_line(title))
        click.echo(_writable(text_of_marks(marked, width=width)), nl=False)
    if not drawn:
        say("no segment lowers the score", quiet=quiet)
    if out is not None:
        from qeframe.report.figures.segments import marks_svg
        from qeframe.report.result_files.files import write_file

        write_file(out, marks_svg(drawn))
        say(f"written to {out}", quiet=quiet)


def _read(profile: str, path: Path, settings: Sequence[str]) -> tuple[list[Metric], list[qeframe.Task]]:
    """Return the metrics of a profile, the primary one first, and the tasks at a path.

    Raises DataError if the profile is not about spans.
    """
    from qeframe.core.batches.base import Batch
    from qeframe.core.components.metric import Metric

    registry = qeframe.load()
    chosen = qeframe.choose_profile(profile, settings, registry)
    if chosen.is_assembled:
        what = f"profile '{chosen.name}' is a task set, not one of error spans"
        raise DataError(what, remedy="choose a profile of error spans, such as wmt25_qe_span")
    metrics = [registry.get(Metric, name) for name in (chosen.primary, *chosen.secondary)]
    if metrics[0].kind.marked_text is Batch.marked_text:
        what = f"{metrics[0].name}, the primary metric, works on {metrics[0].kind.__name__}, not on error spans"
        raise DataError(what, remedy="choose a profile of error spans, such as wmt25_qe_span")
    return metrics, qeframe.read_tasks(chosen, path, registry)


def _named(tasks: Sequence[qeframe.Task], name: str | None) -> qeframe.Task:
    by_name = {task.name: task for task in tasks}
    if name is not None and name not in by_name:
        raise UnknownNameError("task", name, by_name)
    return by_name[name] if name is not None else tasks[0]


def _answers(task: qeframe.Task, name: str | None) -> tuple[str, Batch]:
    by_name = {submission.name: batch for submission, batch in task.batches.items()}
    if name is not None and name not in by_name:
        raise UnknownNameError(f"submission of {task.name}", name, by_name)
    chosen = name if name is not None else next(iter(by_name))
    return chosen, by_name[chosen]


def _unit(task: qeframe.Task, batch: Batch, segment: str) -> int:
    units = {str(identity): unit for unit, identity in enumerate(batch.ids.tolist())}
    units |= {task.unit_name(identity): unit for unit, identity in enumerate(batch.ids.tolist())}
    if segment not in units:
        raise UnknownNameError(f"segment of {task.name}", segment, list(units)[:1000])
    return units[segment]


def _worst_units(metric: Metric, batch: Batch, count: int) -> list[int]:
    """Return the segments without which the score would be best, the worst first."""
    import numpy as np

    from qeframe.core.resampling.statistic import Additive

    statistic = metric.bind(batch)
    if not isinstance(statistic, Additive):
        raise CapabilityError(
            f"{metric.name} is not additive: its worst segments are not known; choose one by --segment"
        )
    total = statistic.rows.sum(axis=0)
    sign = 1 if metric.higher_is_better else -1
    gain = sign * (statistic.score(total - statistic.rows) - statistic.score(total))
    order = np.argsort(-gain, kind="stable")[:count]
    return [int(unit) for unit in order if gain[unit] > 0]


def _title(task: qeframe.Task, batch: Batch, unit: int, metrics: Sequence[Metric]) -> str:
    """Return the name of a segment and its own scores."""
    import numpy as np

    from qeframe.report.layouts.number_format import format_number

    one_unit, weight = batch.take(np.array([unit])), np.ones(1)
    scores = [f"{metric.name} {format_number(float(metric.bind(one_unit)(weight)), 3)}" for metric in metrics]
    return f"{task.name}, segment {task.unit_name(batch.ids[unit])}: {', '.join(scores)}"


def _writable(text: str) -> str:
    """Return a text without characters that standard output cannot write."""
    import sys

    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


@click.command()
@click.argument("candidate")
@click.argument("references", nargs=-1, required=True)
@options.number_option("--segment", "Number of the segment, from 1.", default=1)
@click.option("--text", "as_text", is_flag=True, help="CANDIDATE and REFERENCES are texts, not files.")
@click.option(
    "--metric",
    default="gtm_f(exponent=2)",
    show_default=True,
    shell_complete=complete_name("metrics"),
    help="A metric that matches words.",
)
@options.out_option_with("Also draw the grid into this file: .svg or .png.")
@options.quiet_option
def grid(
    candidate: str, references: tuple[str, ...], segment: int, as_text: bool, metric: str, out: Path | None, quiet: bool
) -> None:
    """Print which words of a segment match its references.

    The bitext grid shows the equal words and the blocks that a metric matches. CANDIDATE and REFERENCES are files with
    one segment on each line, or SGML. Candidate words are rows, reference words are columns. Precision, recall and the
    score are printed below.
    """
    import shutil
    import sys

    from qeframe.core.components.checks.metric import alignments
    from qeframe.report.tables.marked_text import grid_caption, grid_text

    _check_figure(out)
    measure = _matching_metric(metric)
    kind = measure.kind
    if as_text:
        batch = kind.from_plain([list(references)], [candidate])
    else:
        batch = _from_files(kind, candidate, references, segment)
    (alignment,) = alignments(measure, batch)
    caption = grid_caption(alignment, _scores_of_grid(measure, batch))
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo(grid_text(alignment, width=width, encoding=sys.stdout.encoding or "utf-8"))
    click.echo(caption)
    if out is not None:
        from qeframe.report.figures.segments import grid_figure
        from qeframe.report.figures.style import images, styled
        from qeframe.report.result_files.files import write_file

        with styled():
            content = images(grid_figure(alignment, caption))["png" if out.suffix == ".png" else "svg"]
        write_file(out, content)
        say(f"written to {out}", quiet=quiet)


def _check_figure(out: Path | None) -> None:
    """Raise a `DataError` if no figure can be written to `out`, before any computation starts."""
    from qeframe.report.figures.style import available

    if out is None:
        return
    if out.suffix not in (".svg", ".png") or out.is_dir():
        raise DataError("this is not the name of a figure", path=out, remedy="name a file that ends in .svg or .png")
    if not available():
        raise DataError("matplotlib is not installed", remedy='run: pip install "qeframe[report]"')


def _matching_metric(name: str) -> Metric:
    """Return the metric, which must give the words that it matches."""
    from qeframe.core.components.metric import Metric

    metric = qeframe.load().get(Metric, name)
    if metric.alignments is None:
        raise CapabilityError(f"{metric.name} has no alignments of words; choose another metric, such as gtm_f")
    return metric


def _from_files(kind: type[Batch], candidate: str, references: Sequence[str], segment: int) -> Batch:
    from qeframe.kinds.plain_files import plain_reading

    reading = plain_reading(kind, candidate, references)
    if segment > len(reading.gold.ids):
        what = f"there is no segment {segment}: the file has {counted(len(reading.gold.ids), 'segment')}"
        raise DataError(what, path=candidate, remedy="choose another by --segment")
    texts = [side.values[segment - 1] for side in (reading.gold, *reading.submissions)]
    return kind.from_plain([texts[1:]], texts[:1])


def _scores_of_grid(metric: Metric, batch: Batch) -> list[tuple[str, float]]:
    from qeframe.core.components.checks.metric import detail, details

    reported = details(metric, batch)
    parts = [(name, detail(metric, reported, name)) for name in ("precision", "recall") if name in reported]
    return [*parts, (metric.name, qeframe.score(metric, batch, None))]
