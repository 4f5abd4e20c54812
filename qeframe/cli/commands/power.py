"""``qeframe power``: how many units would tell submissions apart."""

from __future__ import annotations

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
    share_type,
)
from qeframe.cli.shared.pages import page_bytes, take_out, write_page

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.report import Table
    from qeframe.studies import PowerStudy


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("path", type=path_type)
@click.option(
    "--pairs",
    type=click.Choice(["leader", "adjacent", "all"]),
    default="leader",
    show_default=True,
    help="The best submission with each other one, each with the next one by score, or all.",
)
@click.option(
    "--pair", "named", nargs=2, multiple=True, metavar="A B", help="Two submissions, in place of --pairs; repeatable."
)
@click.option(
    "--power",
    "target",
    type=share_type,
    default=0.8,
    show_default=True,
    help="The chance with which a difference is to be found.",
)
@click.option(
    "--alpha", type=share_type, default=None, help="Level of the test of each pair. Default: that of the profile."
)
@click.option(
    "--draws",
    type=WholeNumber(min=0),
    default=500,
    show_default=True,
    help="Samples of each size in which the power is counted; 0 for none.",
)
@out_option_with("Write tables, power.json and a figure into this folder.")
@html_option
@set_option
@leaving_out_options
@common_options
def power(
    profile: str,
    path: Path,
    pairs: str,
    named: tuple[tuple[str, str], ...],
    target: float,
    alpha: float | None,
    draws: int,
    out: Path | None,
    html: Path | None,
    settings: tuple[str, ...],
    leaving: LeavingOut,
    common: CommonOptions,
) -> None:
    """Say how many units would tell submissions apart.

    PROFILE and PATH are those of 'qeframe run'. Each row of the table is a pair of submissions: the difference under
    the primary metric, the smallest difference that the units of PATH can detect, the power of a two-sided jackknife
    test with these units if the true difference is the observed one, the chance that as many new units show a
    significant difference, and the number of units for the power that is asked for, with an interval.
    """
    from qeframe.api.read import check_answered, choose_profile, read_tasks
    from qeframe.cli.shared.progress import working
    from qeframe.core.components.loading.loader import load
    from qeframe.core.errors import one_line
    from qeframe.core.evaluation.canonical_json import canonical_json, plain_values
    from qeframe.report import print_table, write_files
    from qeframe.report.html.tables_page import PageFigure
    from qeframe.studies import power_curves, power_table

    result_folder = take_out(out, path)
    registry = load()
    rules = choose_profile(profile, settings, registry)
    with working("computing", quiet=common.quiet) as runner:
        tasks = read_tasks(rules, path, registry, runner=runner, chosen=leaving.of(rules, path, registry))
    check_answered(tasks, path)
    with common.working("drawing") as runner:
        study = power_curves(
            rules,
            tasks,
            registry,
            pairs=named or ("adjacent" if pairs == "adjacent" else "all" if pairs == "all" else "leader"),
            target=target,
            alpha=alpha,
            draws=draws,
            seed=common.seed,
            runner=runner,
        )
    table = power_table(study, f"{rules.title or rules.name}: how many {study.unit}s tell submissions apart")
    record = canonical_json({**plain_values(study), **leaving.record})
    if common.as_json:
        click.echo(record, nl=False)
    else:
        print_table(table)
    files = _files(study, table, record) if result_folder or html else {}
    if html is not None:
        drawn = (
            [PageFigure(files["power.svg"], f"{table.title}: power by number of units")] if "power.svg" in files else []
        )
        write_page(html, page_bytes(table.title, [table], figures=drawn, notes=leaving.notes), quiet=common.quiet)
    if result_folder is not None:
        write_files(result_folder, files)
        if not common.quiet:
            click.echo(f"qeframe: {len(files)} files written to {one_line(str(out))}", err=True)
            for note in _left_out(study, files):
                click.echo(f"qeframe: {note}", err=True)


def _files(study: PowerStudy, table: Table, record: str) -> dict[str, bytes]:
    """Return the files of the study, by name: tables, JSON, and the figure if matplotlib is installed."""
    from qeframe.report import as_latex, as_markdown, as_tsv
    from qeframe.report.figures.style import available, images, styled
    from qeframe.studies import curve_records, power_records
    from qeframe.studies.figures.curves import power_figure

    texts = {
        "power.md": as_markdown(table),
        "power.tex": as_latex(table),
        "power.tsv": as_tsv(power_records(study)),
        "power_curves.tsv": as_tsv(curve_records(study)),
        "power.json": record,
    }
    files = {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    if available():
        with styled():
            figure = power_figure(study)
            if figure is not None:
                files |= {f"power.{form}": content for form, content in images(figure).items()}
    return files


def _left_out(study: PowerStudy, files: dict[str, bytes]) -> list[str]:
    """Return lines on what the figure lacks."""
    from qeframe.report.figures.style import available
    from qeframe.report.result_files.files import NO_FIGURES
    from qeframe.studies.figures.curves import MOST_PANELS

    if not available():
        return [NO_FIGURES]
    if "power.svg" not in files:
        return ["no figure: no pair has a standard error"]
    if len(study.curves) > MOST_PANELS:
        return [f"the figure has the first {MOST_PANELS} of {len(study.curves)} pairs"]
    return []
