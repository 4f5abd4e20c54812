"""``qeframe grid``: which words of a candidate match which words of its references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qeframe.cli.options import path_type, quiet_option

if TYPE_CHECKING:
    from qeframe.batches.alignment import Alignment
    from qeframe.batches.texts import Texts
    from qeframe.components.metric import Metric

__all__ = ["grid"]


@click.command()
@click.argument("candidate")
@click.argument("references", nargs=-1, required=True)
@click.option("--segment", type=click.IntRange(min=1), default=1, show_default=True, help="Its line, from 1.")
@click.option("--text", "as_text", is_flag=True, help="CANDIDATE and REFERENCES are the texts themselves.")
@click.option("--metric", default="gtm_f(exponent=2)", show_default=True, help="A metric that matches words.")
@click.option("--out", type=path_type, default=None, help="Draw it into this file too: .svg or .png.")
@quiet_option
def grid(
    candidate: str,
    references: tuple[str, ...],
    segment: int,
    as_text: bool,
    metric: str,
    out: Path | None,
    quiet: bool,
) -> None:
    """Print the bitext grid of one segment: its equal words, and the blocks that a metric matches.

    CANDIDATE and REFERENCES are files with one segment a line, or SGML. Candidate words stand down, reference
    words across; precision, recall and the score below.
    """
    import shutil
    import sys

    from qeframe.report.tables.bitext import grid_caption, grid_text

    _check_out(out)
    measure, align = _metric(metric)
    batch = _given(candidate, references) if as_text else _read(candidate, references, segment)
    (alignment,) = align(batch)
    caption = grid_caption(alignment, _scores(measure, batch))
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo(grid_text(alignment, width=width, encoding=sys.stdout.encoding or "utf-8"))
    click.echo(caption)
    if out is not None:
        from qeframe.report.figures.bitext import grid_figure
        from qeframe.report.figures.canvas import images, styled
        from qeframe.report.write import write_files

        with styled():
            content = images(grid_figure(alignment, caption))["png" if out.suffix == ".png" else "svg"]
        write_files(out.parent, {out.name: content})
        if not quiet:
            click.echo(f"qeframe: written to {out}", err=True)


def _check_out(out: Path | None) -> None:
    """Refuse, before any work, a file that cannot be drawn."""
    from qeframe.errors import DataError
    from qeframe.report.figures.canvas import available

    if out is None:
        return
    if out.suffix not in (".svg", ".png") or out.is_dir():
        raise DataError("no name of a picture", path=out, remedy="name a file that ends in .svg or .png")
    if not available():
        raise DataError("matplotlib is not installed", remedy='run: pip install "qeframe[report]"')


def _metric(name: str) -> tuple[Metric, Callable[[Texts], Sequence[Alignment]]]:
    """Return the metric, and what it has to say which words it matches."""
    from qeframe.components.loader import load
    from qeframe.components.metric import Metric
    from qeframe.errors import CapabilityError

    found = load().get(Metric, name)
    if found.alignments is None:
        raise CapabilityError(f"{found.name} does not say which words it matches; name another metric, such as gtm_f")
    return found, found.alignments


def _given(candidate: str, references: Sequence[str]) -> Texts:
    from qeframe.batches.texts import Texts

    return Texts.from_plain([list(references)], [candidate])


def _read(candidate: str, references: Sequence[str], segment: int) -> Texts:
    from qeframe.batches.texts import Texts
    from qeframe.errors import DataError, counted
    from qeframe.tasks.plain_files import plain_reading

    reading = plain_reading(Texts, candidate, references)
    if segment > len(reading.gold.ids):
        what = f"there is no segment {segment}: the file has {counted(len(reading.gold.ids), 'segment')}"
        raise DataError(what, path=candidate, remedy="choose another by --segment")
    texts = [side.values[segment - 1] for side in (reading.gold, *reading.submissions)]
    return Texts.from_plain([texts[1:]], texts[:1])


def _scores(metric: Metric, batch: Texts) -> list[tuple[str, float]]:
    from qeframe.evaluation.comparison import score

    details = metric.details(batch) if metric.details else {}
    parts = [(name, float(details[name])) for name in ("precision", "recall") if name in details]
    return [*parts, (metric.name, score(metric, batch, None))]
