"""``qeframe fetch``: download the published files of a shared task."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import print_tables, say, write_json

if TYPE_CHECKING:
    from qeframe.data.download import Watch
    from qeframe.data.published.data_source import DataSource
    from qeframe.report.layouts.table import Table


@click.command()
@click.argument("name", required=False)
@click.option(
    "--to", type=options.path_type, help="The folder for the data, which is made. Default: a folder in the cache."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=4000,
    show_default=True,
    help="The most megabytes of a file whose size is not declared.",
)
@options.json_option
@options.quiet_option
def fetch(name: str | None, to: Path | None, limit: int, as_json: bool, quiet: bool) -> None:
    """Download the published files of a shared task.

    NAME is a data source. Without it, all data sources are listed: the task, the size and license where they are
    stated, the place and revision, and what is checked by SHA-256. With it, the data are downloaded, checked and
    unpacked, and their folder is printed, with the commands that they are for. The environment variable QEFRAME_CACHE
    names another folder for all data.
    """
    from qeframe.data.published.beside_profiles import find_data_sources, named

    registry = qeframe.load()
    sources = find_data_sources(registry)
    if name is not None:
        _fetch(named(name, sources, "data source", registry), to, limit=limit, as_json=as_json, quiet=quiet)
    elif to is not None:
        raise click.UsageError("--to needs NAME: the data source to download")
    elif as_json:
        write_json([_record(source) for source in sources.values()])
    else:
        print_tables([data_source_table([*sources.values()])])


def _record(source: DataSource) -> dict[str, object]:
    stated = {key: getattr(source, key) for key in ("name", "source", "revision", "license", "checked")}
    files = [{"url": file.url, "path": file.path, "sha256": file.sha256} for file in source.files]
    more = {"task": source.summary, "size": source.size or None, "files": files, "origin": str(source.origin)}
    return {**stated, **more}


def _fetch(source: DataSource, to: Path | None, *, limit: int, as_json: bool, quiet: bool) -> None:
    from qeframe.data.fetch import fetch as fetch_data

    with _progress(quiet) as watch:
        folder = fetch_data(source, to, watch=watch, largest=limit * 1_000_000)
    commands = []
    for use in source.uses:
        changed = [word for setting in use.settings for word in ("--set", setting)]
        commands.append(shlex.join(["qeframe", "run", use.profile, str(folder / use.path), *changed]))
    if as_json:
        write_json({"path": str(folder), "commands": commands, "checked": source.checked, "license": source.license})
        return
    click.echo("\n".join([str(folder), *commands]))
    say(f"{source.name}: {source.checked}; license: {source.license or 'none stated'}", quiet=quiet)


@contextmanager
def _progress(quiet: bool) -> Iterator[Watch]:
    """Yield what shows the progress of downloads on standard error: a line a file, and a bar on a terminal."""
    if quiet:
        yield lambda name, there, total: None
        return
    from qeframe.api.progress import Bar, write_once

    write, bar = write_once(), Bar("downloading") if sys.stderr.isatty() else None

    def watch(name: str, there: int, total: int) -> None:
        write(f"downloading {name}{f', {total:,} bytes' if total else ''}")
        if bar:
            bar.watch(there, total or None)

    try:
        yield watch
    finally:
        if bar:
            bar.close()


def data_source_table(sources: Sequence[DataSource]) -> Table:
    """Return a row for each data source."""
    from qeframe.report.layouts.table import Cell, Column, Table

    columns = [
        (Column("name", "left", key=True), [source.name for source in sources]),
        (Column("data of", "left"), [source.summary for source in sources]),
        (Column("size"), [size_in_words(source.size) for source in sources]),
        (Column("license", "left"), [source.license or "none stated" for source in sources]),
        (Column("published at", "left"), [source.source for source in sources]),
        (Column("revision", "left"), [source.revision[:12] or "not pinned" for source in sources]),
        (Column("checked", "left"), [source.checked for source in sources]),
    ]
    notes = ["'qeframe fetch NAME' downloads the data. They belong to their publishers, whose terms apply."]
    cells = [(column, [Cell(text) for text in texts]) for column, texts in columns]
    return Table.from_columns("Data of shared tasks", cells, notes=notes)


def size_in_words(size: int) -> str:
    """Return a number of bytes with a unit; "not stated" for 0."""
    from rich.filesize import decimal

    return decimal(size) if size else "not stated"
