"""``qeframe trust``: which measures can be trusted on given data."""

from typing import TYPE_CHECKING

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import (
    CommonOptions,
    LeavingOut,
    WholeNumber,
    common_options,
    html_option,
    leaving_out_options,
    out_option_with,
    path_type,
    set_option,
)
from qeframe.cli.shared.pages import take_out, write_page

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("paths", type=path_type, nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_name("metrics"),
    help="A measure; repeatable. Default: the profile's metrics.",
)
@click.option(
    "--all-metrics", is_flag=True, help="Also every other metric of the registry for this kind of task that is defined."
)
@click.option("--splits", type=WholeNumber(min=1), default=200, show_default=True, help="Random halves of the units.")
@click.option(
    "--runs",
    type=WholeNumber(min=0),
    default=400,
    show_default=True,
    help="Data sets with exchanged answers, for the errors of the tests; 0 leaves them out.",
)
@click.option(
    "--draws",
    type=WholeNumber(min=1),
    default=None,
    help="Draws of a test in each of up to 16 rounds. Default: 10000, and 2000 for metrics whose draws take longer.",
)
@click.option("--no-audit", is_flag=True, help="Leave out how the measures can be gamed.")
@out_option_with("Write report.html, the picture, trust.json, trust.md and trust.tex into this folder.")
@html_option
@set_option
@leaving_out_options
@common_options
def trust(
    profile: str,
    paths: "tuple[Path, ...]",
    metrics: tuple[str, ...],
    all_metrics: bool,
    splits: int,
    runs: int,
    draws: int | None,
    no_audit: bool,
    out: "Path | None",
    html: "Path | None",
    settings: tuple[str, ...],
    leaving: LeavingOut,
    common: CommonOptions,
) -> None:
    """Say which measures can be trusted on the data in PATH.

    PROFILE and PATH are those of 'qeframe run'; each PATH has a table of its own. A measure is a row: who is first
    under it, who may be the best, which pairs a valid test separates, how stable its ranking is in halves of the units,
    how many units separate the first from the second, how often the test of the profile and the default test are wrong
    on these data, and how far the measure can be gamed.
    """
    from qeframe.cli.shared.command_line import command_line
    from qeframe.core.errors import one_line
    from qeframe.report import print_table, write_files
    from qeframe.report.figures.style import available
    from qeframe.report.result_files.files import NO_FIGURES
    from qeframe.studies import trust as trust_in
    from qeframe.studies import trust_files, trust_page, trust_tables

    result_folder = take_out(out, *paths)
    with common.working("measuring") as runner:
        study = trust_in(
            profile,
            paths,
            metrics=metrics,
            all_metrics=all_metrics,
            settings=settings,
            splits=splits,
            runs=runs,
            draws=draws or 0,
            audit=not no_audit,
            seed=common.seed,
            runner=runner,
            exclude=leaving.exclude,
            skip_invalid=leaving.skip_invalid,
        )
    leaving.add(study.left_out)
    if common.as_json:
        click.echo(study.to_json(), nl=False)
    else:
        for nth, table in enumerate(trust_tables(study)):
            if nth:
                click.echo()
            print_table(table)
    if html is not None:
        write_page(
            html, trust_page(study, command=command_line()).encode("utf-8", "backslashreplace"), quiet=common.quiet
        )
    if result_folder is not None:
        files = trust_files(study, command=command_line())
        write_files(result_folder, files)
        if not common.quiet:
            click.echo(f"qeframe: {len(files)} files written to {one_line(str(out))}", err=True)
            if not available():
                click.echo(f"qeframe: {NO_FIGURES}", err=True)
