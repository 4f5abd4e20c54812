"""``qeframe grid``: which words of a segment match its references."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import CapabilityError, DataError, counted

if TYPE_CHECKING:
    from qeframe.core.batch import Batch
    from qeframe.core.metric import Metric


@click.command()
@click.argument("candidate")
@click.argument("references", nargs=-1, required=True)
@options.number_option("--segment", "Number of the segment, from 1.", default=1)
@click.option("--text", "as_text", is_flag=True, help="CANDIDATE and REFERENCES are texts, not files.")
@click.option("--metric", default="gtm_f(exponent=2)", show_default=True, help="A metric that matches words.")
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

    from qeframe.kinds.texts.alignments import alignments
    from qeframe.report.tables.grid import grid_caption, grid_text

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
        from qeframe.report.figures.grid import grid_figure
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
    from qeframe.core.metric import Metric

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
    from qeframe.core.metric_calls import details
    from qeframe.kinds.texts.alignments import detail

    reported = details(metric, batch)
    parts = [(name, detail(metric, reported, name)) for name in ("precision", "recall") if name in reported]
    return [*parts, (metric.name, qeframe.score(metric, batch, None))]
