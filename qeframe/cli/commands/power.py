"""``qeframe power``: how many units would tell submissions apart."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Literal

import click

import qeframe
from qeframe import report, studies
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import page_bytes, take_out, write_out, write_page


@click.command()
@options.profile_argument
@click.argument("path", type=options.path_type)
@options.choice_option(
    "--pairs",
    ["leader", "adjacent", "all"],
    "The best submission with each other one, each with the next one by score, or all.",
)
@click.option(
    "--pair", "named", nargs=2, multiple=True, metavar="A B", help="Two submissions, in place of --pairs; repeatable."
)
@click.option(
    "--power",
    "target",
    type=options.share_type,
    default=0.8,
    show_default=True,
    help="The chance with which a difference is to be found.",
)
@click.option("--alpha", type=options.share_type, help="Level of the test of each pair. Default: that of the profile.")
@options.number_option(
    "--draws", "Samples of each size in which the power is counted; 0 for none.", default=500, least=0
)
@options.out_option_with("Write tables, power.json and a figure into this folder.")
@options.html_option
@options.set_option
@options.leaving_out_options
@options.common_options
def power(
    profile: str,
    path: Path,
    pairs: Literal["leader", "adjacent", "all"],
    named: tuple[tuple[str, str], ...],
    target: float,
    alpha: float | None,
    draws: int,
    out: Path | None,
    html: Path | None,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> None:
    """Say how many units would tell submissions apart.

    PROFILE and PATH are those of 'qeframe run'. Each row of the table is a pair of submissions: the difference under
    the primary metric, the smallest difference that the units of PATH can detect, the power of a two-sided jackknife
    test with these units if the true difference is the observed one, the chance that as many new units show a
    significant difference, and the number of units for the power that is asked for, with an interval.
    """
    from qeframe.api.read import check_answered
    from qeframe.core.display import canonical_json, plain_values
    from qeframe.report.html.tables_page import PageFigure

    result_folder = take_out(out, path)
    registry = qeframe.load()
    rules = qeframe.choose_profile(profile, settings, registry)
    tasks = leaving.tasks(rules, path, registry, quiet=common.quiet)
    check_answered(tasks, path)
    with common.working("drawing") as runner:
        study = studies.power_curves(
            rules,
            tasks,
            registry,
            pairs=named or pairs,
            target=target,
            alpha=alpha,
            draws=draws,
            seed=common.seed,
            runner=runner,
        )
    table = studies.power_table(study, f"{rules.title or rules.name}: how many {study.unit}s tell submissions apart")
    record = canonical_json({**plain_values(study), **leaving.record})
    common.show(record, [table])
    if not (result_folder or html):
        return
    files = _files(study, table, record)
    picture = files.get("power.svg")
    drawn = [PageFigure(picture, f"{table.title}: power by number of units")] if isinstance(picture, bytes) else []
    write_page(html, page_bytes(table.title, [table], figures=drawn, notes=leaving.notes), quiet=common.quiet)
    write_out(result_folder, files, quiet=common.quiet, notes=_left_out(study, files))


def _files(study: studies.PowerStudy, table: report.Table, record: str) -> dict[str, str | bytes]:
    """Return the files of the study, by name: tables, JSON, and the figure if matplotlib is installed."""
    from qeframe.report.figures.style import available, images, styled
    from qeframe.studies.figures import power_figure

    files: dict[str, str | bytes] = {
        **report.files_of_tables("power", [table]),
        "power.tsv": report.as_tsv(studies.power_records(study)),
        "power_curves.tsv": report.as_tsv(studies.curve_records(study)),
        "power.json": record,
    }
    if available():
        with styled():
            if (figure := power_figure(study)) is not None:
                files |= {f"power.{form}": content for form, content in images(figure).items()}
    return files


def _left_out(study: studies.PowerStudy, files: Collection[str]) -> list[str]:
    """Return lines on what the figure lacks."""
    from qeframe.report.figures.style import available
    from qeframe.report.result_files.files import NO_FIGURES
    from qeframe.studies.figures import MOST_PANELS

    if not available():
        return [NO_FIGURES]
    if "power.svg" not in files:
        return ["no figure: no pair has a standard error"]
    if len(study.curves) > MOST_PANELS:
        return [f"the figure has the first {MOST_PANELS} of {len(study.curves)} pairs"]
    return []
