"""``qeframe trust``: which measures can be trusted on given data."""

from pathlib import Path

import click

from qeframe import studies
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import take_out, write_out, write_page


@click.command()
@options.profile_argument
@click.argument("paths", type=options.path_type, nargs=-1, required=True, metavar="PATH...")
@options.names_option("--metric", "metrics", "METRIC", "A measure; repeatable. Default: the profile's metrics.")
@click.option(
    "--all-metrics", is_flag=True, help="Also every other metric of the registry for this kind of task that is defined."
)
@options.number_option("--splits", "Random halves of the units.", default=200)
@options.number_option(
    "--runs", "Data sets with exchanged answers, for the errors of the tests; 0 leaves them out.", default=400, least=0
)
@options.number_option(
    "--draws",
    "Draws of a test in each of up to 16 rounds. Default: 10000, and 2000 for metrics whose draws take longer.",
)
@click.option("--no-audit", is_flag=True, help="Leave out how the measures can be gamed.")
@options.out_option_with("Write report.html, the picture, trust.json, trust.md and trust.tex into this folder.")
@options.html_option
@options.set_option
@options.leaving_out_options
@options.common_options
def trust(
    profile: str,
    paths: tuple[Path, ...],
    metrics: tuple[str, ...],
    all_metrics: bool,
    splits: int,
    runs: int,
    draws: int | None,
    no_audit: bool,
    out: Path | None,
    html: Path | None,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> None:
    """Say which measures can be trusted on the data in PATH.

    PROFILE and PATH are those of 'qeframe run'; each PATH has a table of its own. A measure is a row: who is first
    under it, who may be the best, which pairs a valid test separates, how stable its ranking is in halves of the units,
    how many units separate the first from the second, how often the test of the profile and the default test are wrong
    on these data, and how far the measure can be gamed.
    """
    from qeframe.cli.shared.command_line import command_line
    from qeframe.report.figures.style import available
    from qeframe.report.result_files.files import NO_FIGURES

    result_folder = take_out(out, *paths)
    with common.working("measuring") as runner:
        study = studies.trust(
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
    common.show(study.to_json(), studies.trust_tables(study))
    if html is not None:
        write_page(html, studies.trust_page(study, command=command_line()), quiet=common.quiet)
    if result_folder is not None:
        files = studies.trust_files(study, command=command_line())
        write_out(result_folder, files, quiet=common.quiet, notes=[] if available() else [NO_FIGURES])
