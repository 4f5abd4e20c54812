"""``qeframe store``: results over runs and years, in one file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from qeframe.plugin.commands import (
    command_line,
    completions,
    json_option,
    jsonl_option,
    path_type,
    quiet_option,
    write_json,
    write_lines,
    write_page,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from qeframe.plugin.report import Table

DEFAULT = "qeframe.sqlite"
db_option = click.option(
    "--db",
    type=path_type,
    default=lambda: os.environ.get("QEFRAME_STORE") or DEFAULT,
    show_default=f"QEFRAME_STORE, or {DEFAULT}",
    help="The file of the store.",
)


def _complete(column: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Return a completer of what a store has in a column of its scores: submissions, metrics or tasks."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from qeframe.plugin.calls import QeframeError
        from qeframe_store.store import Store

        db = next(p for p in ctx.command.params if p.name == "db")
        path = ctx.params.get("db") or db.get_default(ctx)
        try:
            with Store(db.type.convert(path, param, ctx)) as database:
                return completions(database.names(column), incomplete)
        except (QeframeError, click.ClickException):
            return []

    return complete


@click.group(no_args_is_help=False)
def store() -> None:
    """Keep results over runs and years in one file.

    The file is a database of SQLite with the tables 'run' and 'score'. Results are small: some kilobytes each.
    """


@store.command()
@click.argument("results", nargs=-1, required=True, type=path_type)
@db_option
@click.option("--label", default="", help="A name for the run in tables.  [default: the name of the folder]")
@quiet_option
def add(results: tuple[Path, ...], db: Path, label: str, quiet: bool) -> None:
    """Add RESULTS, folders that 'qeframe run --out' wrote.

    All of them are read before any is added. A result that the store has already is not added again; --label gives it
    another name.
    """
    from qeframe.plugin import DataError
    from qeframe.plugin.calls import one_line
    from qeframe.plugin.results import read_evaluation
    from qeframe_store.store import Store

    if label and len(results) > 1:
        raise DataError("--label names one run, and several results are given", remedy="add them one at a time")
    evaluations = [read_evaluation(path) for path in results]
    with Store(db, create=True) as database:
        for path, evaluation in zip(results, evaluations, strict=True):
            number = database.add(evaluation, label or path.resolve().name)
            if number is not None:
                said = f"is run {number} of {db}"
            elif label:
                number = database.relabel(evaluation, label)
                said = f"is run {number} of {db} already; its label is now '{one_line(label)}'"
            else:
                said = "is in the store already"
            if not quiet:
                click.echo(f"qeframe: {path} {said}", err=True)


@store.command("list")
@db_option
@json_option
@jsonl_option
def list_runs(db: Path, as_json: bool, as_lines: bool) -> None:
    """List the runs of the store."""
    from qeframe_store.histories import run_table
    from qeframe_store.store import Store

    with Store(db) as database:
        runs = database.runs()
    if as_lines:
        write_lines("run", runs)
    else:
        _show(run_table(runs, f"Runs in {db.name}"), {"runs": runs}, as_json=as_json)


@store.command()
@click.argument("submission", default="", shell_complete=_complete("submission"))
@db_option
@click.option(
    "--metric",
    default="",
    shell_complete=_complete("metric"),
    help="A metric with its parameters.  [default: the primary one of each run]",
)
@click.option(
    "--task",
    default="",
    shell_complete=_complete("task"),
    help="Scores of one task, or of 'each'.  [default: all tasks together]",
)
@json_option
@jsonl_option
def show(submission: str, db: Path, metric: str, task: str, as_json: bool, as_lines: bool) -> None:
    """Show the scores of SUBMISSION, or of all submissions, run by run."""
    from qeframe_store.histories import history_table
    from qeframe_store.store import Store

    with Store(db) as database:
        scores = database.history(submission=submission, metric=metric, task=None if task == "each" else task)
    title = f"{submission or 'All submissions'} in {db.name}"
    if as_lines:
        write_lines("score", scores)
    else:
        _show(history_table(scores, title), {"scores": scores}, as_json=as_json)


@store.command()
@click.argument("file", type=path_type)
@db_option
@quiet_option
def page(file: Path, db: Path, quiet: bool) -> None:
    """Write a page of HTML about all runs into FILE.

    The page has the runs, what changed between them, and the history of every metric, task and submission.
    """
    from qeframe_store.histories import StoredResult
    from qeframe_store.store import Store
    from qeframe_store.store_page import store_page

    with Store(db) as database:
        results = [StoredResult(run, database.evaluation(run.number)) for run in database.runs()]
    page_text = store_page(results, db.name, command=command_line())
    write_page(file, page_text, quiet=quiet)


def _show(table: Table, record: dict[str, Any], *, as_json: bool) -> None:
    from qeframe.plugin.report import print_table

    if as_json:
        write_json(record)
    else:
        print_table(table)
