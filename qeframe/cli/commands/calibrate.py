"""``qeframe calibrate``: how often a test rejects true null hypotheses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import qeframe
from qeframe import studies
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import page_bytes, write_page
from qeframe.core.errors import DataError

if TYPE_CHECKING:
    from qeframe.core.components.significance import Sided
    from qeframe.extensions.null_model import NullModel
    from qeframe.studies.calibration import CalibrationRow


@click.command()
@click.argument("test")
@click.argument("metric", shell_complete=options.complete_profile)
@options.names_option("--null", "nulls", "NAME", "A null model; repeatable. Default: all that fit.")
@click.option(
    "--from",
    "given",
    nargs=2,
    metavar="PROFILE PATH",
    help="Draw the units of PATH, as 'qeframe run PROFILE PATH' reads it, and exchange the answers of its submissions: "
    "a null model for each task.",
)
@click.option(
    "--units",
    "units",
    type=options.WholeNumber(min=2),
    multiple=True,
    help="Repeatable. Default: 50 and 200; of a page 20, 50, 200 and 1000.",
)
@options.number_option("--runs", "Data sets for each row.", default=2000)
@click.option("--correction", default="", help="Measure any false claim in a family, with this correction.")
@options.number_option("--submissions", "The size of the family.", default=10, least=2)
@options.choice_option("--sided", ["one", "two"], "The test's side.", default="two")
@click.option("--leader", is_flag=True, help="Let the data choose the direction: the better submission comes first.")
@click.option("--resample", default="unit", show_default=True, help="What is resampled: unit, document, document/unit.")
@click.option("--alpha", type=options.share_type, default=0.05, show_default=True, help="Level.")
@click.option(
    "--page",
    type=options.path_type,
    metavar="FILE",
    help="Measure pairs, intervals, families and rank sets, and write them as a page of Markdown into FILE. The rates "
    "are stored beside it, in FILE with the ending .json, as they are measured; stored ones are not measured again.",
)
@options.set_option
@options.html_option
@options.common_options
def calibrate(
    test: str,
    metric: str,
    nulls: tuple[str, ...],
    given: tuple[str, str] | None,
    units: tuple[int, ...],
    runs: int,
    correction: str,
    submissions: int,
    sided: Sided,
    leader: bool,
    resample: str,
    alpha: float,
    page: Path | None,
    settings: tuple[str, ...],
    html: Path | None,
    common: options.CommonOptions,
) -> None:
    """Measure the error rate of TEST on METRIC.

    Data sets are drawn from null models, in which all submissions are equally good. The table has the share of data
    sets in which the test claims a difference all the same, and the share of its intervals that hold the true score.
    TEST and --correction may be "default": what qeframe chooses for METRIC.

    METRIC may also be a profile with parts. Its overall test is then measured, on task sets whose parts all score the
    same data of a language pair. TEST is "stated", "valid", or a test; --set changes other rules. A one-sided test is
    that of the better submission.
    """
    from qeframe.api.read import names_profile
    from qeframe.core.components.metric import Metric
    from qeframe.core.profiles.defaults import chosen_correction
    from qeframe.core.profiles.defaults import chosen_test as chosen_test_of
    from qeframe.extensions.null_model import NullModel
    from qeframe.studies.calibration import calibrate as measure
    from qeframe.studies.calibration import calibrate_task_set, null_models_of
    from qeframe.studies.calibration_pages import PAGE_UNITS, answers, page_questions

    registry = qeframe.load()
    shown = partial(_show, common=common, html=html)
    rules: dict[str, Any] = {
        "submissions": submissions, "runs": runs, "alpha": alpha, "sided": sided, "seed": common.seed,
    }  # fmt: skip
    if names_profile(metric, registry):
        unused = {"--from": given is not None, "--leader": leader, "--page": page, "--resample": resample != "unit"}
        _refuse(unused, "a task set is measured by a null model, with the rules of its profile")
        with common.working("simulating") as runner:
            rules |= {"units": units or (50,), "correction": correction, "settings": settings, "runner": runner}
            models = [registry.get(NullModel, name) for name in nulls or ["equal_metrics"]]
            rows = list(calibrate_task_set(test, metric, models, registry, **rules))
        shown(rows, {"test": test, "metric": metric, "set": " ".join(settings)})
        return
    _refuse({"--set": settings}, "--set changes the rules of a profile, and METRIC is none")
    chosen = registry.get(Metric, metric)
    chosen_test = chosen_test_of(test, chosen, registry)
    family = chosen_correction(correction, chosen_test, registry) if correction else None
    models = [registry.get(NullModel, name) for name in nulls]
    if given is not None:
        models += _null_models_from(*given, registry)
    models = models or null_models_of(chosen, registry)
    if page is not None:
        unused = {
            "--correction": bool(correction),
            "--leader": leader,
            "--json": common.as_json,
            "--html": html is not None,
            "--sided": sided != "two",
            "--alpha": alpha != _ALPHA,
            "--resample": resample != "unit",
            "--submissions": submissions != _SUBMISSIONS,
        }
        _refuse(
            unused, "--page has questions of its own: two-sided at .05, with and without corrections, ten in a family"
        )
        asked = page_questions(chosen_test, chosen, models, units=units or PAGE_UNITS, runs=runs, seed=common.seed)
        with common.working("simulating") as runner:
            rows = list(answers(asked, _stored_beside(page), registry, runner, {null.name: null for null in models}))
        title = f"# Measured error rates of {rows[0].test} on {rows[0].metric}"
        page.write_text(f"{title}\n\n{studies.calibration_page(rows, registry)}", encoding="utf-8")
        click.echo(f"{page}: {len(rows)} rates, stored in {_stored_beside(page)}")
        return
    with common.working("simulating") as runner:
        rules |= {"units": units or (50, 200), "correction": family, "leader": leader, "resample": resample}
        rows = list(measure(chosen_test, chosen, models, **rules, runner=runner))
    stated = {"test": chosen_test.name, "metric": chosen.name, **({"from": " ".join(given)} if given else {})}
    shown(rows, stated, leader="yes" if leader else "no")


def _show(
    rows: Sequence[CalibrationRow],
    stated: Mapping[str, str],
    *,
    leader: str = "yes",
    common: options.CommonOptions,
    html: Path | None,
) -> None:
    """Print the rows with a signature of all that they depend on, and write the page."""
    from qeframe import __version__
    from qeframe.core.evaluation.canonical_json import canonical_json

    title, row = f"{stated['test']} on {stated['metric']}: measured error rates", rows[0]
    rules = {
        **{name: value for name, value in stated.items() if value},
        "null": ",".join(dict.fromkeys(measured.null for measured in rows)),
        "units": ",".join(map(str, dict.fromkeys(measured.units for measured in rows))),
        "runs": row.runs,
        **({"correction": row.correction, "submissions": row.submissions} if row.correction else {}),
        "sided": row.sided,
        "leader": leader,
        "resample": row.resample,
        "alpha": f"{row.alpha:g}",
        "seed": row.seed,
    }
    signature = "|".join([f"qeframe:{__version__}", *(f"{name}:{value}" for name, value in rules.items())])
    table = studies.calibration_table(rows, title, signature=signature)
    common.show(canonical_json({"runs": row.runs, "seed": row.seed, "signature": signature, "rows": rows}), [table])
    if html is not None:
        write_page(html, page_bytes(title, [table]), quiet=common.quiet)


def _null_models_from(profile: str, path: str, registry: qeframe.Registry) -> list[NullModel]:
    from qeframe.api.read import check_answered
    from qeframe.studies.calibration_pages import FROM_DATA
    from qeframe.studies.simulation import exchanged_answers

    tasks = qeframe.read_tasks(qeframe.choose_profile(profile, (), registry), Path(path), registry)
    check_answered(tasks, Path(path))
    return [exchanged_answers(list(task.batches.values()), f"{FROM_DATA}{task.name}") for task in tasks]


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Raise an error that names the options that were given."""
    if unused := [option for option, is_given in options.items() if is_given]:
        raise DataError(why, remedy=f"leave out {', '.join(unused)}")


_ALPHA = 0.05
_SUBMISSIONS = 10


def _stored_beside(page: Path) -> Path:
    stored = page.with_suffix(".json")
    if stored == page:
        raise DataError(f"{page} is the file of the rates", remedy="give the page another ending, such as .md")
    return stored
