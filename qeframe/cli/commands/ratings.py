"""``qeframe ratings``: the ratings of human raters as scores of segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import json_option, out_option_with, path_type

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.core.tasks.assessments import Assessments
    from qeframe.core.tasks.reading import Reading


@click.command()
@click.argument("reader", shell_complete=complete_name("readers"))
@click.argument("path", type=path_type)
@out_option_with(
    "Write a file for each task into this folder, with a line for each system and segment; None where unrated."
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["average", "mtme"]),
    default="average",
    show_default=True,
    help="average: NAME.SCALE.avg_seg_scores.tsv with SYSTEM SCORE SEGMENT, as averages of MQM are published. mtme: "
    "NAME.SCALE.seg.score with SYSTEM SCORE in full precision, as mt-metrics-eval reads it.",
)
@json_option
def ratings(reader: str, path: Path, out: Path | None, layout: str, as_json: bool) -> None:
    """Turn the ratings in PATH into scores of segments: the mean over raters.

    READER is a reader of ratings that 'qeframe plugins' lists, with parameters if needed:
    'mqm_ratings(layout=rating, weights=["major=5", "minor=1"])'. Prints the mean score of each system over the segments
    in which it was rated, and how often it was rated.
    """
    from qeframe.core.evaluation.canonical_json import canonical_json

    readings = _read(reader, path)
    tables = {reading.name: _table(reading) for reading in readings}
    if out is not None:
        _write(readings, out, layout)
    if as_json:
        click.echo(canonical_json({name: {"systems": table} for name, table in tables.items()}), nl=False)
    else:
        _print(tables)
    for entry in (entry for reading in readings for entry in reading.dropped):
        click.echo(f"qeframe: warning: {entry.task}: {entry.count} {entry.what}: {entry.reason}", err=True)


def _read(reader: str, path: Path) -> Sequence[Reading]:
    """Read the tasks; raise a `DataError` if a task has no assessments."""
    from qeframe.core.components.loading.loader import load
    from qeframe.core.components.reader import Reader
    from qeframe.core.errors import DataError
    from qeframe.data.reader_checks import read

    chosen = load().get(Reader, reader)
    readings = read(chosen, path, "high")
    if any(len(reading.assessments) != 1 for reading in readings):
        remedy = "name a reader of ratings, or use 'qeframe run' for the files of a task"
        raise DataError(f"the reader '{chosen.name}' reads no ratings", path=path, remedy=remedy)
    return readings


def _table(reading: Reading) -> list[dict[str, Any]]:
    """Return the name, the mean score, the segments and the ratings of every system, the best first."""
    import numpy as np

    (assessments,) = reading.assessments
    scores, rated = reading.gold.values, np.isfinite(assessments.values).sum(axis=0)
    rows = [
        {
            "name": system,
            "score": float(np.nanmean(scores[:, column])) + 0.0 if rated[column] else None,
            "segments": int(np.isfinite(scores[:, column]).sum()),
            "ratings": int(rated[column]),
        }
        for column, system in enumerate(assessments.systems)
    ]
    return sorted(rows, key=lambda row: (row["score"] is None, -(row["score"] or 0.0)))


def _print(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    from qeframe.core.errors import one_line

    header = ("task", "system", "score", "segments", "ratings")
    rows = [
        (one_line(name), one_line(row["name"]), _shown(row["score"]), str(row["segments"]), str(row["ratings"]))
        for name, table in tables.items()
        for row in table
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        cells = [f"{text:<{width}}" for text, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _shown(score: float | None) -> str:
    return "n/a" if score is None else f"{score:.4f}"


def _write(readings: Sequence[Reading], out: Path, layout: str) -> None:
    """Write the scores of every task; raise a `DataError` where a file is there already, before anything is written."""
    from qeframe.core.errors import DataError

    lines, ending = (_published, "avg_seg_scores.tsv") if layout == "average" else (_of_mtme, "seg.score")
    texts = {out / f"{reading.name}.{reading.assessments[0].scale}.{ending}": lines(reading) for reading in readings}
    present = next((file for file in texts if file.exists()), None)
    if present is not None:
        raise DataError("this file is there already", path=present, remedy="name another folder for --out")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        remedy = "name another folder for --out"
        raise DataError(f"cannot be written: {error.strerror}", path=out, remedy=remedy) from error
    click.echo(f"qeframe: {len(texts)} files written to {out}", err=True)


def _published(reading: Reading) -> str:
    """Return six decimals, and the number of the segment, as in google/wmt-mqm-human-evaluation."""
    scale, segments = reading.assessments[0].scale, reading.gold.ids.tolist()
    lines = (
        f"{system}\t{'None' if score != score else f'{score:.6f}'} {segment}\n"
        for system, scores in _by_system(reading)
        for segment, score in zip(segments, scores, strict=True)
    )
    return f"system {scale}_avg_score seg_id\n" + "".join(lines)


def _of_mtme(reading: Reading) -> str:
    return "".join(
        f"{system}\t{None if score != score else score}\n" for system, scores in _by_system(reading) for score in scores
    )


def _by_system(reading: Reading) -> Iterator[tuple[str, list[float]]]:
    assessments: Assessments = reading.assessments[0]
    return zip(assessments.systems, reading.gold.values.T.tolist(), strict=True)
