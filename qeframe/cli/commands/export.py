"""``qeframe export`` and ``qeframe ratings``: what readers read, in other layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import qeframe
from qeframe import report
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import take_out
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.standard_streams import print_columns, say, write_json
from qeframe.core.errors import DataError, counted

if TYPE_CHECKING:
    from qeframe.core.reader import Reader
    from qeframe.data.reading import Assessments, Reading


@click.command()
@options.profile_argument
@click.argument("path", type=options.path_type)
@click.option("--out", type=options.path_type, required=True, help="The folder for the files.")
@click.option("--format", "layout", required=True, metavar="FORMAT", help="The layout, such as 'mtme(gold=mqm)'.")
@options.set_option
@options.leaving_out_options
@options.quiet_option
def export(
    profile: str,
    path: Path,
    out: Path,
    layout: str,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    quiet: bool,
) -> None:
    """Write the tasks in PATH in another layout.

    They are read as PROFILE reads them. PROFILE and PATH are those of 'qeframe run'; --set changes rules, such as those
    that select systems. FORMAT is a reader whose layout can be written, with parameters if needed. Metrics that the
    profile computes from texts are written too. What the reader left out, and what the layout cannot hold, is counted
    on standard error.
    """
    from qeframe.data.reader_checks import write

    result_folder = take_out(out, path)
    registry = qeframe.load()
    written_by = _find_layout(layout, registry)
    chosen = qeframe.choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        readings, _ = leaving.readings(chosen, path, registry, runner)
    written = write(written_by, readings)
    assert result_folder is not None
    report.write_files(result_folder, written.files)
    dropped = [*(note for reading in readings for note in reading.dropped), *written.dropped]
    for note in dict.fromkeys(dropped):  # several readings of a task may leave out the same
        where = f"{note.task}: " if note.task else ""
        say(f"{where}{counted(note.count, note.what)}: {note.reason}", quiet=quiet)
    say(f"{counted(len(written.files), 'file')} written to {out}", quiet=quiet)


def _find_layout(asked: str, registry: qeframe.Registry) -> Reader:
    """Return the reader of a layout that can be written; of another one, the error lists those that can."""
    from qeframe.core.calls import parse_call
    from qeframe.core.reader import Reader

    name = parse_call(asked).name
    if name in registry.names(Reader) and (reader := registry.get(Reader, asked)).write:
        return reader
    known = [reader.name for reader in registry.all(Reader) if reader.write]
    raise registry.unknown("format", name, known, f"what can be written: {', '.join(known) or 'nothing'}")


@click.command()
@click.argument("reader")
@click.argument("path", type=options.path_type)
@options.out_option_with(
    "Write a file for each task into this folder, with a line for each system and segment; None where unrated."
)
@options.choice_option(
    "--format",
    ["average", "mtme"],
    "average: NAME.SCALE.avg_seg_scores.tsv with SYSTEM SCORE SEGMENT, as averages of MQM are published. mtme: "
    "NAME.SCALE.seg.score with SYSTEM SCORE in full precision, as mt-metrics-eval reads it.",
    dest="layout",
)
@options.json_option
def ratings(reader: str, path: Path, out: Path | None, layout: str, as_json: bool) -> None:
    """Turn the ratings in PATH into scores of segments.

    A score is the mean over raters. READER is a reader of ratings that 'qeframe plugins' lists, with parameters if
    needed: 'mqm_ratings(layout=rating, weights=["major=5", "minor=1"])'. Prints the mean score of each system over the
    segments in which it was rated, and how often it was rated.
    """
    readings = _read(reader, path)
    tables = {reading.name: _table(reading) for reading in readings}
    if out is not None:
        _write(readings, out, layout)
    if as_json:
        write_json({name: {"systems": table} for name, table in tables.items()})
    else:
        _print(tables)
    for entry in (entry for reading in readings for entry in reading.dropped):
        say(f"warning: {entry.task}: {entry.count} {entry.what}: {entry.reason}")


def _read(reader: str, path: Path) -> Sequence[Reading]:
    """Read the tasks; raise a `DataError` if a task has no assessments."""
    from qeframe.core.reader import Reader
    from qeframe.data.reader_checks import read

    chosen = qeframe.load().get(Reader, reader)
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
    header = ("task", "system", "score", "segments", "ratings")
    rows = [
        (name, row["name"], shown, str(row["segments"]), str(row["ratings"]))
        for name, table in tables.items()
        for row in table
        for shown in ["n/a" if row["score"] is None else f"{row['score']:.4f}"]
    ]
    print_columns([header, *rows])


def _write(readings: Sequence[Reading], out: Path, layout: str) -> None:
    """Write the scores of every task; raise a `DataError` where a file is there already, before anything is written."""
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
    say(f"{len(texts)} files written to {out}")


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
