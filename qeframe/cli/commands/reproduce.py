"""``qeframe reproduce``: published values beside the values that are computed from the data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe import report
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import page_bytes, write_page
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.standard_streams import print_tables, say, write_json
from qeframe.core.errors import DataError

if TYPE_CHECKING:
    from qeframe.data.published.published_table import PublishedTable
    from qeframe.studies.reproduction import ReproducedTable


@click.command()
@click.argument("name", required=False)
@click.option(
    "--data",
    type=options.path_type,
    help="A folder that holds the data in folders or, with NAME, the data themselves. Default: what was fetched.",
)
@options.choice_option("--format", ["text", "markdown", "tsv", "json"], "The layout of the output.", dest="layout")
@options.html_option
@options.quiet_option
def reproduce(name: str | None, data: Path | None, layout: str, html: Path | None, quiet: bool) -> None:
    """Compare published values with those computed from the data.

    NAME is a published table. Without it, every table whose data are there is computed, and the others are named. A
    value is equal if the computed value, rounded to the printed digits, is the published one. The exit status is 1 if
    a value differs without a known reason. Nothing is downloaded.
    """
    import sys

    from qeframe.data.published.beside_profiles import find_published_tables, named
    from qeframe.studies.reproduction import reproduce as reproduce_tables
    from qeframe.studies.tables.reproductions import reproduced_values, reproduction_summary

    registry = qeframe.load()
    published = find_published_tables(registry)
    asked = [named(name, published, "published table", registry)] if name else [*published.values()]
    tables, absent = _found(asked, data, registry, one_table=name is not None)
    if not tables:
        if len(asked) == 1:
            raise DataError(f"{asked[0].name}: {_no_data(asked[0], data)}")
        remedy = "'qeframe fetch' lists the data; --data names a folder that holds them"
        raise DataError("the data of no published table are there", path=data, remedy=remedy)
    with working("computing", quiet=quiet) as runner:
        done = list(reproduce_tables(tables, registry, runner=runner))
    say(*(f"{table.name}: {_no_data(table, data)}" for table in absent), quiet=quiet)
    _print(done, layout, whole=name is not None)
    if html is not None:
        title = done[0].table.name if len(done) == 1 else "Published values and computed ones"
        summary = [reproduction_summary(done)] if len(done) > 1 else []
        write_page(html, page_bytes(title, [*summary, *map(reproduced_values, done)]), quiet=quiet)
    if any(table.fails for table in done):
        sys.exit(1)


def _found(
    tables: Sequence[PublishedTable], data: Path | None, registry: qeframe.Registry, *, one_table: bool
) -> tuple[list[tuple[PublishedTable, Path]], list[PublishedTable]]:
    """Return the tables whose data are there, each with its path, and the others."""
    from qeframe.data.places import fetched_folder
    from qeframe.data.published.beside_profiles import find_data_sources, named
    from qeframe.studies.reproduction import found_path

    if data is not None and not data.is_dir():
        raise DataError("is not a folder", path=data, remedy="name the folder that holds the data with --data")
    sources = find_data_sources(registry)
    present, absent = [], []
    for table in tables:
        source = named(table.data, sources, "data source", registry) if table.data else None
        own = [data / name for name in (source.name, source.folder)] if source and data else []
        own += [data] if one_table and data else []
        if source and not data and (fetched := fetched_folder(source)):
            own = [fetched]
        path = found_path(table, own, data)
        if path is None:
            absent.append(table)
        else:
            present.append((table, path))
    return present, absent


def _no_data(table: PublishedTable, data: Path | None) -> str:
    remedy = f"'qeframe fetch {table.data}' downloads them" if table.data else "name their folder with --data"
    if data is None:
        return f"its data are not there; {remedy}"
    wanted = " or ".join(path for path in table.paths if path != ".")
    return f"its data are not there: {data} has no {wanted or table.data}; {remedy}"


def _print(done: Sequence[ReproducedTable], layout: str, *, whole: bool) -> None:
    from qeframe.studies.tables.reproductions import all_reproduced_values, reproduced_values, reproduction_summary

    if layout == "json":
        write_json([_record(table) for table in done])
        return
    summary, tables = reproduction_summary(done), [reproduced_values(table) for table in done]
    if layout == "tsv":
        click.echo(report.as_tsv(all_reproduced_values(done)), nl=False)
    elif layout == "markdown":
        parts = tables if whole else [summary, *tables]
        texts = [report.as_markdown(part) for part in parts]
        click.echo("\n".join([texts[0], *(f"#{text}" for text in texts[1:])]), nl=False)
    else:
        shown = tables if whole else [summary, *(t for t, of in zip(tables, done, strict=True) if of.fails)]
        print_tables(shown)


def _record(table: ReproducedTable) -> dict[str, object]:
    from qeframe.core.display import plain_values

    published = {
        name: getattr(table.table, name) for name in ("name", "summary", "source", "data", "profile", "settings")
    }
    values = [{**plain_values(value), "difference": value.difference} for value in table.values]
    return {**published, "values": values}
