"""``qeframe fetch``: download the published files of a shared task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from qeframe.plugin.commands import json_option, path_type, quiet_option, write_json
from qeframe.plugin.data import DataSource
from qeframe.plugin.report import Cell, Column, Table

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.plugin.data import DataSource
    from qeframe_fetch.download import Watch


@click.command()
@click.argument("name", required=False)
@click.option("--to", type=path_type, help="The folder for the data, which is made. Default: a folder in the cache.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=4000,
    show_default=True,
    help="The most megabytes of a file whose size is not declared.",
)
@json_option
@quiet_option
def fetch(name: str | None, to: Path | None, limit: int, as_json: bool, quiet: bool) -> None:
    """Download the published files of a shared task.

    NAME is a data source. Without it, all data sources are listed: the task, the size and license where they are
    stated, the place and revision, and what is checked by SHA-256. With it, the data are downloaded, checked and
    unpacked, and their folder is printed, with the commands that they are for. A download that was interrupted
    continues where the server allows it. The environment variable QEFRAME_CACHE names another folder for all data.
    """
    from qeframe.plugin.data import DataSource
    from qeframe.plugin.results import load

    registry = load()
    if name is None:
        if to is not None:
            raise click.UsageError("--to needs NAME: the data source to download")
        _print_list(registry.all(DataSource), as_json)
        return
    _fetch_one(registry.get(DataSource, name), to, limit=limit, as_json=as_json, quiet=quiet)


def _print_list(sources: list[DataSource], as_json: bool) -> None:
    if as_json:
        write_json([_record(source) for source in sources])
        return
    from qeframe.plugin.report import print_table

    print_table(data_source_table(sources))


def _record(source: DataSource) -> dict[str, object]:
    stated = {key: getattr(source, key) for key in ("name", "source", "revision", "license", "checked")}
    return {
        **stated,
        "task": source.summary,
        "size": source.size or None,
        "files": [{"url": file.url, "path": file.path, "sha256": file.sha256} for file in source.files],
        "origin": str(source.origin),
    }


def _fetch_one(source: DataSource, to: Path | None, *, limit: int, as_json: bool, quiet: bool) -> None:
    from qeframe_fetch.fetch import fetch as fetch_source

    with _progress(quiet) as watch:
        folder = fetch_source(source, to, watch=watch, largest=limit * 1_000_000)
    commands = [_command(use.profile, folder / use.path, use.settings) for use in source.uses]
    if as_json:
        write_json({"path": str(folder), "commands": commands, "checked": source.checked, "license": source.license})
        return
    click.echo("\n".join([str(folder), *commands]))
    if not quiet:
        stated = source.license or "none stated"
        click.echo(f"qeframe: {source.name}: {source.checked}; license: {stated}", err=True)


def _command(profile: str, path: Path, settings: tuple[str, ...]) -> str:
    import shlex

    changed = [part for setting in settings for part in ("--set", setting)]
    return shlex.join(["qeframe", "run", profile, str(path), *changed])


@contextmanager
def _progress(quiet: bool) -> Iterator[Watch]:
    """Yield what shows the progress of downloads on standard error: a bar on a terminal, otherwise a line a file."""
    import sys

    if quiet:
        yield lambda name, present, total: None
    elif not sys.stderr.isatty():
        named: set[str] = set()

        def announce(name: str, _there: int, total: int) -> None:
            if name not in named:
                named.add(name)
                click.echo(f"qeframe: downloading {name}{f', {total:,} bytes' if total else ''}", err=True)

        yield announce
    else:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            tasks: dict[str, object] = {}

            def watch(name: str, present: int, total: int) -> None:
                if name not in tasks:
                    tasks[name] = progress.add_task(name, total=None)
                progress.update(tasks[name], completed=present, total=total or None)  # type: ignore[arg-type]

            yield watch


def data_source_table(sources: Sequence[DataSource]) -> Table:
    """Return a row for each data source."""
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
    if size < 1000:
        return f"{size} bytes" if size else "not stated"
    power, unit = next((p, u) for p, u in ((3, "GB"), (2, "MB"), (1, "kB")) if size >= 1000**p)
    value = size / 1000**power
    return f"{value:.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"
